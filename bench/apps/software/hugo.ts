// A Hugo site in two languages: the root leads to one, old addresses lead on, lists have pages and tags. The templates are ours, without a theme.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { App, Place } from '../app.ts';
import { buildFor, builtPageOf, builtPages } from '../built-site.ts';
import { articles, asMarkdown } from '../content.ts';
import { NGINX, filesBelow, startNginx } from '../nginx.ts';
import { run } from '../packages.ts';

const LANGUAGES = [
  { code: 'en', name: 'English', about: 'About the garden' },
  { code: 'de', name: 'Deutsch', about: 'Über den Garten' },
];
const publicOf = (place: Place) => join(place.folder, 'site', 'public');

export const HUGO: App = {
  name: 'hugo',
  software: 'Hugo, two languages',
  port: 8431,
  needs: { apt: ['hugo'], unpack: NGINX },
  package: 'hugo',
  source: import.meta.filename,
  inner: '/de/posts/bean/',
  content: 'main article, main section',
  async install(place) {
    const site = join(place.folder, 'site');
    rmSync(site, { recursive: true, force: true });
    rmSync(join(place.folder, '.built-for'), { force: true });
    for (const [path, text] of Object.entries({ ...TEMPLATES, ...texts() })) {
      mkdirSync(dirname(join(site, path)), { recursive: true });
      writeFileSync(join(site, path), text);
    }
  },
  async start(place, listen, programs) {
    await buildFor(place, listen, async () => {
      rmSync(publicOf(place), { recursive: true, force: true });
      await run('hugo', ['--baseURL', `${listen.origin}/`], { cwd: join(place.folder, 'site') });
    });
    await startNginx(place, listen, programs, filesBelow(publicOf(place)));
  },
  truth: async (place) => builtPages(publicOf(place)),
  pageOf: builtPageOf,
};

function texts(): Record<string, string> {
  const own = articles(24);
  const entries = LANGUAGES.flatMap(({ code, about }) => [
    [`content/${code}/about.md`, `---\ntitle: ${about}\n---\n${own[0]?.paragraphs.join('\n\n')}\n`],
    ...own.map((article, index) => [
      `content/${code}/posts/${article.slug}.md`,
      `---\ntitle: ${article.title}\ndate: 2024-0${1 + (index % 9)}-01\ntags: [${article.tools
        .slice(0, 2)
        .map(({ name }) => name.toLowerCase())
        .join(', ')}]\naliases: [/${code}/old/${article.slug}/]\n---\n${asMarkdown(article, '').replace(/^# .*\n/, '')}`,
    ]),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

const TEMPLATES = {
  'config.toml': `title = "Garden"
defaultContentLanguage = "en"
defaultContentLanguageInSubdir = true
paginate = 8
${LANGUAGES.map(({ code, name }, index) => `[languages.${code}]\nlanguageName = "${name}"\ncontentDir = "content/${code}"\nweight = ${index + 1}`).join('\n')}
`,
  'layouts/_default/baseof.html': `<!doctype html>
<html lang="{{ .Language.Lang }}">
<head>
<meta charset="utf-8">
<title>{{ .Title }} | {{ site.Title }}</title>
<link rel="canonical" href="{{ .Permalink }}">
{{ range .Translations }}<link rel="alternate" hreflang="{{ .Language.Lang }}" href="{{ .Permalink }}">
{{ end }}{{ range .AlternativeOutputFormats }}<link rel="{{ .Rel }}" type="{{ .MediaType.Type }}" href="{{ .Permalink }}">
{{ end }}</head>
<body>
<header><nav><a href="{{ site.Home.RelPermalink }}">{{ site.Title }}</a> <a href="{{ "posts/" | relLangURL }}">Posts</a> <a href="{{ "tags/" | relLangURL }}">Tags</a> <a href="{{ "about/" | relLangURL }}">About</a>
{{ range .Translations }}<a href="{{ .RelPermalink }}" lang="{{ .Language.Lang }}">{{ .Language.LanguageName }}</a>{{ end }}</nav></header>
<main>{{ block "main" . }}{{ end }}</main>
<footer><p>Grown in {{ now.Year }}.</p></footer>
</body>
</html>
`,
  'layouts/_default/single.html': `{{ define "main" }}<article><h1>{{ .Title }}</h1>{{ .Content }}<p>{{ range .GetTerms "tags" }}<a href="{{ .RelPermalink }}">{{ .Title }}</a> {{ end }}</p></article>{{ with .NextInSection }}<a href="{{ .RelPermalink }}">{{ .Title }}</a>{{ end }}{{ end }}
`,
  'layouts/_default/list.html': `{{ define "main" }}<section><h1>{{ .Title }}</h1><ul>{{ range .Paginator.Pages }}<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>{{ end }}</ul>{{ template "_internal/pagination.html" . }}</section>{{ end }}
`,
  'layouts/index.html': `{{ define "main" }}<section><h1>{{ site.Title }}</h1><p>What grows here, and when.</p><ul>{{ range (.Paginate (where site.RegularPages "Section" "posts")).Pages }}<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>{{ end }}</ul>{{ template "_internal/pagination.html" . }}</section>{{ end }}
`,
};
