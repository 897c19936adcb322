// DokuWiki as it comes: addresses with doku.php?id=, three namespaces, tables, code, an index and old revisions.
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App, Listen, Page, Place, Programs } from '../app.ts';
import { type Article, articles } from '../content.ts';
import { PHP, PHP_SERVER, copySite, siteOf, startPhp } from '../php.ts';
import { digestOf } from '../walk.ts';

/** Where its settings lie. */
export const confOf = (place: Place) => join(place.folder, 'conf');
/** Where its pages and what it knows of them lie. */
export const dataOf = (place: Place) => join(place.folder, 'data');
/** What its pages keep; the rest of the folder is caches, which reading fills. */
const KEPT = ['pages', 'meta', 'attic', 'media', 'media_meta', 'media_attic', 'locks'];
const NAMESPACES = ['vegetables', 'herbs', 'fruit'];
/** Pages that come with it. */
const SHIPPED = ['wiki:welcome', 'wiki:dokuwiki', 'wiki:syntax', 'playground:playground'];
/** It asks search engines not to read what is younger than five days. */
const WRITTEN = new Date('2024-05-01T12:00:00Z');
/** Files that a visit writes, and no page: the list of pages whose search index is due. */
const UNKEPT = /\.(indexed|meta)$/;

/** What every DokuWiki needs. */
export const DOKUWIKI_NEEDS = {
  apt: [
    ...PHP,
    'libphp-simplepie',
    'php-geshi',
    'php-phpseclib',
    'php-random-compat',
    'libjs-jquery',
    'libjs-jquery-cookie',
    'libjs-jquery-ui',
  ],
  unpack: ['dokuwiki', ...PHP_SERVER],
} as const;

export const DOKUWIKI: App = {
  name: 'dokuwiki',
  software: 'DokuWiki',
  port: 8421,
  needs: DOKUWIKI_NEEDS,
  package: 'dokuwiki',
  source: import.meta.filename,
  entry: '/doku.php',
  inner: '/doku.php?id=herbs:bean',
  content: '#dokuwiki__content .page',
  install: (place) => Promise.resolve(installDokuwiki(place)),
  start: (place, listen, programs) => startDokuwiki(place, listen, programs, { useacl: 0 }),
  truth: async (place) => pagesBelow(join(dataOf(place), 'pages'), ''),
  pageOf,
  isAside: (url) =>
    /[?&](do=(index|recent|revisions|backlink|media)|idx=|rev=)/.test(url.search) || url.pathname.startsWith('/lib/exe/detail'),
  state: async (place) => digestOf(KEPT.flatMap((name) => filesBelow(join(dataOf(place), name)))),
};

/** Settings of DokuWiki by name, beside those that it needs here. */
export type DokuwikiSettings = Readonly<Record<string, string | number>>;

/** Makes the garden wiki from nothing. */
export function installDokuwiki(place: Place): void {
  copySite(place, join(place.unpacked('dokuwiki'), 'usr/share/dokuwiki'));
  const conf = confOf(place);
  for (const folder of [conf, dataOf(place)]) rmSync(folder, { recursive: true, force: true });
  cpSync(join(place.unpacked('dokuwiki'), 'etc/dokuwiki'), conf, { recursive: true, dereference: true });
  cpSync(join(place.unpacked('dokuwiki'), 'var/lib/dokuwiki/data'), dataOf(place), { recursive: true });
  writeFileSync(join(siteOf(place), 'inc/preload.php'), `<?php define('DOKU_CONF', '${conf}/'); define('DOKU_MAIN_CONF', '${conf}/');\n`);
  const pages = join(dataOf(place), 'pages');
  const all = articles(36);
  for (const [at, namespace] of NAMESPACES.entries()) {
    const own = all.filter((_, index) => index % NAMESPACES.length === at);
    write(join(pages, namespace, 'start.txt'), overview(namespace, own));
    for (const [index, article] of own.entries())
      write(join(pages, namespace, `${article.slug}.txt`), page(namespace, article, own[index + 1]));
  }
  write(
    join(pages, 'start.txt'),
    `====== Garden wiki ======\n\nWhat grows here, bed by bed.\n\n${[...NAMESPACES.map((name) => `${name}:start`), ...SHIPPED].map((id) => `  * [[${id}]]`).join('\n')}\n`,
  );
  age(pages);
}

/** Starts what `installDokuwiki` made and waits until it answers. */
export function startDokuwiki(place: Place, listen: Listen, programs: Programs, settings: DokuwikiSettings): Promise<void> {
  configureDokuwiki(place, { baseurl: listen.origin, ...settings });
  return startPhp(
    place,
    listen,
    programs,
    'location ~ ^/(data|conf|inc|bin|vendor)/ { deny all; }\nlocation / { try_files $uri $uri/ =404; }',
  );
}

/** Writes its settings. */
export function configureDokuwiki(place: Place, settings: DokuwikiSettings): void {
  const values = { title: 'Garden wiki', savedir: dataOf(place), updatecheck: 0, ...settings };
  const lines = Object.entries(values).map(([name, value]) => `$conf['${name}'] = '${value}';`);
  writeFileSync(join(confOf(place), 'local.php'), `<?php\n${lines.join('\n')}\n`);
}

function overview(namespace: string, own: readonly Article[]): string {
  const rows = own.map(
    ({ title, slug, tools }) => `| [[${namespace}:${slug}|${title}]] | ${tools[0]?.name ?? ''} | ${tools[0]?.weeks ?? ''} |`,
  );
  return `====== All ${namespace} ======\n\nEach has a page.\n\n^ Name ^ First tool ^ Weeks ^\n${rows.join('\n')}\n\nBack to [[:start|the first page]].\n`;
}

function page(namespace: string, article: Article, next: Article | undefined): string {
  return [
    `====== ${article.title} ======`,
    ...article.paragraphs,
    '===== Tools =====',
    ['^ Tool ^ Use ^ Weeks ^', ...article.tools.map(({ name, use, weeks }) => `| ${name} | ${use} | ${weeks} |`)].join('\n'),
    '===== Steps =====',
    article.steps.map((step) => `  - ${step}`).join('\n'),
    '===== In the garden book =====',
    `<code python>\nfor week in range(${article.tools[0]?.weeks ?? 4}):\n    water("${article.slug}", week)\n</code>`,
    `See [[${namespace}:start]]${next ? ` or go on to [[${next.slug}]]` : ''}.`,
  ].join('\n\n');
}

function write(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}

function age(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), WRITTEN, WRITTEN);
}

function pagesBelow(folder: string, namespace: string): Page[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return pagesBelow(join(folder, entry.name), `${namespace}${entry.name}:`);
    return [{ path: `/doku.php?id=${namespace}${entry.name.replace(/\.txt$/, '')}` }];
  });
}

/** A page is its id alone: nothing else in the query, and no id is the first page. */
function pageOf(url: URL): string | undefined {
  const { id = 'start', ...rest } = Object.fromEntries(url.searchParams);
  const isShown = Object.keys(rest).length === 0 || (Object.keys(rest).length === 1 && rest['do'] === 'show');
  return isShown && (url.pathname === '/doku.php' || url.pathname === '/') ? `/doku.php?id=${id}` : undefined;
}

function filesBelow(folder: string): (string | Buffer)[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(path);
      return UNKEPT.test(entry.name) || entry.name.startsWith('_') ? [] : [path, readFileSync(path)];
    });
}
