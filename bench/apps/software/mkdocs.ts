// MkDocs with its own theme and with Material: one manual of nested folders.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App, Place } from '../app.ts';
import { buildFor, builtPageOf, builtPages } from '../built-site.ts';
import { articles, asMarkdown } from '../content.ts';
import { NGINX, filesBelow, startNginx } from '../nginx.ts';
import { run } from '../packages.ts';

const PARTS = ['beds', 'frames', 'orchard'];
const builtOf = (place: Place) => join(place.folder, 'site');

export const MKDOCS: App = mkdocs({
  name: 'mkdocs',
  software: 'MkDocs',
  port: 8432,
  theme: 'mkdocs',
  pip: ['mkdocs==1.6.1'],
  content: 'div[role="main"]',
  extensions: ['admonition', 'tables', 'toc: {permalink: true}'],
});
export const MKDOCS_MATERIAL: App = mkdocs({
  name: 'mkdocs-material',
  software: 'MkDocs, Material theme',
  port: 8433,
  theme: '{name: material, font: false, features: [content.code.copy, navigation.sections]}',
  pip: ['mkdocs-material==9.8.1', 'mkdocs==1.6.1'],
  content: 'article.md-content__inner',
  extensions: [
    'admonition',
    'tables',
    'toc: {permalink: true}',
    'pymdownx.superfences',
    'pymdownx.highlight: {linenums: true}',
    'pymdownx.tabbed: {alternate_style: true}',
  ],
});

interface Variant extends Pick<App, 'name' | 'software' | 'port' | 'content'> {
  readonly theme: string;
  readonly pip: readonly string[];
  readonly extensions: readonly string[];
}

function mkdocs({ theme, pip, extensions, ...rest }: Variant): App {
  return {
    ...rest,
    needs: { pip, unpack: NGINX },
    package: rest.name,
    source: import.meta.filename,
    inner: '/frames/bean/',
    install: (place) => Promise.resolve(write(place)),
    async start(place, listen, programs) {
      await buildFor(place, listen, async () => {
        const lines = extensions.map((name) => `  - ${name}`).join('\n');
        writeFileSync(
          join(place.folder, 'mkdocs.yml'),
          `site_name: Garden manual\nsite_url: ${listen.origin}/\ntheme: ${theme}\nmarkdown_extensions:\n${lines}\n`,
        );
        await run(join(place.folder, 'python/bin/mkdocs'), ['build', '--quiet', '--clean', '--site-dir', builtOf(place)], {
          cwd: place.folder,
        });
      });
      await startNginx(place, listen, programs, filesBelow(builtOf(place)));
    },
    truth: async (place) => builtPages(builtOf(place)),
    pageOf: builtPageOf,
  };
}

function write(place: Place): void {
  const docs = join(place.folder, 'docs');
  rmSync(docs, { recursive: true, force: true });
  rmSync(join(place.folder, '.built-for'), { force: true });
  const own = articles(30);
  for (const [at, part] of PARTS.entries()) {
    mkdirSync(join(docs, part), { recursive: true });
    for (const [index, article] of own.entries())
      if (index % PARTS.length === at)
        writeFileSync(
          join(docs, part, `${article.slug}.md`),
          `${asMarkdown(article, '')}\n\n!!! warning "Mind the frost"\n    Cover ${article.slug} in a cold week.\n\n[Home](../index.md)\n`,
        );
  }
  writeFileSync(
    join(docs, 'index.md'),
    `# Garden manual\n\nHow to grow what grows here.\n\n${own.map(({ title, slug }, index) => `- [${title}](${PARTS[index % PARTS.length]}/${slug}.md)`).join('\n')}\n`,
  );
}
