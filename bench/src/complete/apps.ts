// Real applications as sources of pages: each is installed and started, asked for its own pages, and ended again.
import type { App } from '../../apps/app.ts';
import { APPS } from '../../apps/apps.ts';
import { installApp, startApp, takeHome, truthOf } from '../../apps/runner.ts';
import { SETTINGS } from '../settings.ts';
import { spread } from './page-source.ts';
import type { PageSource, SourcePage } from './page-source.ts';

/** Programs with a few processes answer more at once with errors. */
const IN_FLIGHT = 4;

/** By application, what is neither content nor chrome: headings of a page over its content, edit links, permalinks, boxes of contents, line numbers, fields. */
const NEUTRAL: Readonly<Record<string, string>> = {
  'apache-listing': 'h1',
  'nginx-listing': 'h1',
  mediawiki: '#firstHeading, .mw-editsection, #toc, .mw-jump-link',
  dokuwiki: '.secedit, #dw__toc',
  redmine: '.tabs, .contextual, .wiki-anchor, .other-formats, .hidden, form, .next-prev-links',
  wordpress: '.entry-title, .page-title, .screen-reader-text, .post-navigation, .edit-link, .wc-tabs, form',
  mkdocs: '.headerlink',
  'mkdocs-material': '.linenos, .headerlink, .md-content__button, .md-source-file',
  javadoc: '[role=tablist], .source-line-no',
  vitepress: '.header-anchor, .copy, .lang, .line-numbers-wrapper',
  doxygen: '.summary, .dynheader, .levels, .ttc, .lineno, .ingroups',
  phpmyadmin: '.modal, .print_ignore, form, .navigation',
};

/** The applications whose pages a server sends whole, but for those that show what `packages` show, in the order in which they start. */
export function appSources(packages: ReadonlySet<string>): readonly PageSource[] {
  return APPS.filter((app) => app.needsBrowser !== true && !app.name.endsWith('-query') && !packages.has(app.package)).map(sourceOf);
}

function sourceOf(app: App): PageSource {
  const { name, software, content } = app;
  const neutral = NEUTRAL[name];
  return { name: software, content, ...(neutral ? { neutral } : {}), pages: (max) => fetchPages(app, max) };
}

/** Undefined, and the reason said, where the application can't be installed or started here. */
async function fetchPages(app: App, max: number): Promise<readonly SourcePage[] | undefined> {
  const home = SETTINGS.appsFolder;
  using _home = takeHome(home);
  try {
    await installApp(app, home);
    const running = await startApp(app, home);
    try {
      const pages = spread(await truthOf(running, home), max);
      const fetched: SourcePage[] = [];
      for (let at = 0; at < pages.length; at += IN_FLIGHT)
        fetched.push(
          ...(await Promise.all(pages.slice(at, at + IN_FLIGHT).map(({ path }) => fetchPage(path, new URL(path, running.origin).href)))),
        );
      return fetched;
    } finally {
      await running.stop();
    }
  } catch (error) {
    console.log(`${app.name}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** Throws for an error's page: it would be measured as if it were one of the application's. */
async function fetchPage(id: string, url: string): Promise<SourcePage> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`HTTP ${response.status} at ${url}`);
  return { id, url: response.url, html: await response.text() };
}
