// MediaWiki on SQLite, twice: with short addresses (/wiki/Name) and with everything behind index.php?title=.
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { App, Listen, Place, Programs } from '../app.ts';
import { type Article, articles } from '../content.ts';
import { run } from '../packages.ts';
import { PHP, PHP_SERVER, copySite, siteOf, startPhp } from '../php.ts';
import { digestOf } from '../walk.ts';

/** Where its SQLite lies; its caches have files of their own beside it. */
export const databaseOf = (place: Place) => join(place.folder, 'data', 'wiki.sqlite');
/** What is written when somebody edits; caches, jobs and the search index are written by reading, too. */
const KEPT_TABLES = [
  'page',
  'revision',
  'text',
  'content',
  'slots',
  'user',
  'image',
  'categorylinks',
  'pagelinks',
  'logging',
  'watchlist',
  'site_stats',
];
/** The namespaces that hold content, by MediaWiki's numbers; files and categories among them. */
const NAMESPACES: Readonly<Record<number, string>> = { 0: '', 6: 'File:', 14: 'Category:' };
/** Titles that look like files of a kind that is no page. */
const DOTTED = ['Node.js', 'Vue.js', 'Style.css', 'Ping.exe', 'Map.png (disambiguation)'];
const PICTURES = 3;
/** Who wrote all pages. */
export const WRITER = { username: 'Gardener', password: 'garden-wiki-0123456789' };

/** What every MediaWiki needs. */
export const MEDIAWIKI_NEEDS = { apt: [...PHP, 'python3-pygments'], unpack: ['mediawiki', 'mediawiki-classes', ...PHP_SERVER] } as const;

export const MEDIAWIKI: App = mediawiki({
  name: 'mediawiki',
  software: 'MediaWiki, short addresses',
  port: 8422,
  path: '/wiki/',
  inner: '/wiki/Bean',
});
export const MEDIAWIKI_QUERY: App = mediawiki({
  name: 'mediawiki-query',
  software: 'MediaWiki behind index.php?title=',
  port: 8423,
  path: '/index.php?title=',
  inner: '/index.php?title=Bean',
});

/** In five skins, by `?useskin=`: each shows the same articles in markup of its own. */
export const MEDIAWIKI_SKINS: App = mediawiki({
  name: 'mediawiki-skins',
  software: 'MediaWiki in five skins',
  port: 8481,
  path: '/wiki/',
  inner: '/wiki/Bean?useskin=timeless',
  more: "foreach (['MinervaNeue', 'MonoBook', 'Timeless'] as $name) wfLoadSkin($name);\n",
});

interface Variant extends Pick<App, 'name' | 'software' | 'port' | 'inner'> {
  readonly path: string;
  /** PHP at the end of its settings. */
  readonly more?: string;
}

function mediawiki({ path, more = '', ...rest }: Variant): App {
  return {
    ...rest,
    needs: MEDIAWIKI_NEEDS,
    package: 'mediawiki',
    source: import.meta.filename,
    content: '#mw-content-text',
    install: (place) => installWiki(place, path, more),
    start: startWiki,
    truth: async (place) => titlesIn(place).map((title) => ({ path: path + encodeTitle(title), title })),
    pageOf(url) {
      const title = titleOf(url);
      return title === undefined ? undefined : path + encodeTitle(title);
    },
    isAside: (url) =>
      /[?&]action=(history|info|help)|[?&](oldid|diff|from|until|filefrom|pagefrom|mobileaction)=|printable=|Special:|MediaWiki:/.test(
        decodeURIComponent(url.href),
      ),
    state: (place) => Promise.resolve(stateOf(place)),
  };
}

/** Runs one of MediaWiki's maintenance scripts. */
export async function maintain(place: Place, script: string, ...args: string[]): Promise<void> {
  await run('php', ['-d', 'memory_limit=512M', `maintenance/${script}.php`, ...args], { cwd: siteOf(place) });
}

/** Starts what `installWiki` made and waits until it answers. */
export function startWiki(place: Place, listen: Listen, programs: Programs): Promise<void> {
  return startPhp(
    place,
    listen,
    programs,
    `location ~ ^/(cache|includes|languages|maintenance|resources/src|vendor)/ { deny all; }
location /wiki/ { rewrite ^ /index.php last; }
location = / { rewrite ^ /index.php last; }`,
  );
}

/** Makes the garden wiki from nothing, its articles below `path`; `more` is PHP at the end of its settings. */
export async function installWiki(place: Place, path: string, more = ''): Promise<void> {
  copySite(place, join(place.unpacked('mediawiki'), 'usr/share/mediawiki'));
  cpSync(join(place.unpacked('mediawiki-classes'), 'usr/share/mediawiki'), siteOf(place), { recursive: true, dereference: true });
  rmSync(join(place.folder, 'data'), { recursive: true, force: true });
  const site = siteOf(place);
  rmSync(join(site, 'LocalSettings.php'), { force: true });
  const database = ['--dbtype=sqlite', '--dbname=wiki', `--dbpath=${join(place.folder, 'data')}`];
  const { username, password } = WRITER;
  const settled = ['--scriptpath=', '--server=http://127.0.0.1', `--pass=${password}`, 'Garden wiki', username];
  await maintain(place, 'install', ...database, ...settled);
  writeFileSync(join(site, 'LocalSettings.php'), settings(place, path) + more);
  const scratch = join(place.folder, 'import');
  mkdirSync(join(scratch, 'pictures'), { recursive: true });
  for (let index = 1; index <= PICTURES; index++)
    copyFileSync(join(site, 'resources/assets/mediawiki.png'), join(scratch, 'pictures', `Bed_${index}.png`));
  writeFileSync(join(scratch, 'pages.xml'), dump());
  await maintain(place, 'importImages', join(scratch, 'pictures'), '--comment=A bed of the garden', '--overwrite');
  await maintain(place, 'importDump', join(scratch, 'pages.xml'));
  for (const script of ['rebuildall', 'runJobs', 'initSiteStats'])
    await maintain(place, script, ...(script === 'initSiteStats' ? ['--update'] : []));
}

function settings(place: Place, path: string): string {
  return `<?php
$wgSitename = 'Garden wiki';
$wgServer = 'http://' . ($_SERVER['HTTP_HOST'] ?? '127.0.0.1');
$wgScriptPath = '';
$wgArticlePath = '${path}$1';
$wgResourceBasePath = '';
$wgDBtype = 'sqlite';
$wgDBname = 'wiki';
$wgSQLiteDataDir = '${join(place.folder, 'data')}';
$wgObjectCaches[CACHE_DB] = ['class' => SqlBagOStuff::class, 'server' => ['type' => 'sqlite', 'dbname' => 'wikicache', 'tablePrefix' => '', 'dbDirectory' => $wgSQLiteDataDir, 'flags' => 0]];
$wgMainCacheType = CACHE_ACCEL;
$wgSecretKey = '${'0123456789abcdef'.repeat(4)}';
$wgUpgradeKey = '0123456789abcdef';
$wgLanguageCode = 'en';
$wgEnableUploads = true;
$wgFileExtensions = ['png'];
$wgPygmentizePath = '/usr/bin/pygmentize';
$wgDefaultSkin = 'vector';
wfLoadSkin('Vector');
foreach (['Cite', 'ParserFunctions', 'SyntaxHighlight_GeSHi', 'CategoryTree'] as $name) wfLoadExtension($name);
`;
}

/** All pages as MediaWiki exports them. */
function dump(): string {
  const own = articles(40);
  const pages: [string, string][] = [
    ['Main Page', mainPage(own)],
    ['Category:Plants', 'All that grows here. [[Category:Garden]]'],
    ['Category:Garden', 'The whole garden.'],
    ['Category:Software', 'What the garden runs on. [[Category:Garden]]'],
    ...own.map((article, index): [string, string] => [article.title, articlePage(article, own[index + 1] ?? article, index)]),
    ...DOTTED.map((title): [string, string] => [
      title,
      `'''${title}''' is used in the shed.\n\n== Use ==\nSee [[Main Page]] and [[Bean]].\n\n== History ==\nIt came with the new pump.\n\n[[Category:Software]]`,
    ]),
    ['Beans', '#REDIRECT [[Bean]]'],
  ];
  const entries = pages.map(([title, text], index) => {
    const namespace = title.startsWith('Category:') ? 14 : 0;
    return `<page><title>${escapeXml(title)}</title><ns>${namespace}</ns><revision><timestamp>2024-05-01T12:${String(index % 60).padStart(2, '0')}:00Z</timestamp><contributor><username>${WRITER.username}</username></contributor><model>wikitext</model><format>text/x-wiki</format><text xml:space="preserve">${escapeXml(text)}</text></revision></page>`;
  });
  return `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="en">${entries.join('\n')}</mediawiki>`;
}

function mainPage(own: readonly Article[]): string {
  const rows = own.map(({ title, tools }) => `|-\n| [[${title}]] || ${tools[0]?.name ?? ''} || ${tools[0]?.weeks ?? ''}`);
  return `Welcome to the '''Garden wiki'''.\n\n== Plants ==\n{| class="wikitable sortable"\n! Plant !! First tool !! Weeks\n${rows.join('\n')}\n|}\n\n== Software ==\n${DOTTED.map((title) => `* [[${title}]]`).join('\n')}\n\nSee [[:Category:Garden]] and [[Beans]].`;
}

function articlePage(article: Article, next: Article, index: number): string {
  return [
    `[[File:Bed ${1 + (index % PICTURES)}.png|thumb|The bed in spring]]`,
    article.paragraphs.map((text) => `${text}<ref>Garden book, page ${index + 1}.</ref>`).join('\n\n'),
    '== Tools ==',
    `{| class="wikitable"\n|+ Tools for ${article.title}\n! Tool !! Use !! Weeks\n${article.tools.map(({ name, use, weeks }) => `|-\n| ${name} || ${use} || ${weeks}`).join('\n')}\n|}`,
    '== Steps ==',
    article.steps.map((step) => `# ${step}`).join('\n'),
    '=== Watering ===',
    `<syntaxhighlight lang="python" line>\nfor week in range(${article.tools[0]?.weeks ?? 4}):\n    water("${article.slug}", week)\n</syntaxhighlight>`,
    '== See also ==',
    `* [[${next.title}]]\n* [[Not written yet ${index % 5}]]`,
    '== References ==\n<references />',
    '[[Category:Plants]]',
  ].join('\n\n');
}

function titlesIn(place: Place): string[] {
  using database = open(place);
  const rows = database.prepare('SELECT page_namespace AS space, page_title AS title FROM page WHERE page_is_redirect = 0').all();
  return rows.flatMap((row) => {
    const prefix = NAMESPACES[Number(row['space'])];
    return prefix === undefined ? [] : [prefix + textOf(row['title'])];
  });
}

function stateOf(place: Place): string {
  using database = open(place);
  return digestOf(
    KEPT_TABLES.map((table) =>
      database
        .prepare(`SELECT * FROM ${table}`)
        .all()
        .map((row) => Object.values(row).map(textOf).join('\t'))
        .toSorted()
        .join('\n'),
    ),
  );
}

function open(place: Place): DatabaseSync & Disposable {
  return new DatabaseSync(databaseOf(place), { readOnly: true });
}

/** SQLite hands out MediaWiki's binary columns as bytes. */
function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString() : String(value);
}

/** The article that an address shows by itself; nothing for other views of it. */
function titleOf(url: URL): string | undefined {
  const parameters = Object.fromEntries(url.searchParams);
  const { title, ...rest } = parameters;
  if (Object.keys(rest).length > 0) return undefined;
  const named = url.pathname.startsWith('/wiki/')
    ? url.pathname.slice('/wiki/'.length)
    : /^\/(index\.php)?$/.test(url.pathname)
      ? (title ?? 'Main_Page')
      : undefined;
  return named === undefined || named === '' ? undefined : decodeURIComponent(named).replaceAll(' ', '_');
}

function encodeTitle(title: string): string {
  return encodeURIComponent(title).replaceAll('%3A', ':').replaceAll('%2F', '/').replaceAll('%28', '(').replaceAll('%29', ')');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
