// Whole sites through the agent: CPU a page, pages a second and peak memory, beside Crawlee, wget2 and a loop that only downloads.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startAgentUnderTest } from '../agent-under-test.ts';
import type { AgentUnderTest, CrawlCost } from '../agent-under-test.ts';
import type { SiteLog } from '../docs-server.ts';
import { benchFollowed } from '../followed-crawl.ts';
import { walkLinks } from '../link-walk.ts';
import { freePort, scratchFolder, startProgram } from '../processes.ts';
import type { BenchRow } from '../row.ts';
import { SETTINGS } from '../settings.ts';

export const isSlow = true;

const SOURCE = join(import.meta.dirname, '..');
const IN_FLIGHT = 16;
const GENERATED_PAGES = 100_000;
/** What a page shows and is no page. */
const REQUISITES = 'css,js,png,jpg,jpeg,gif,svg,ico';

/** A site below the folder of documentation. */
interface Site {
  readonly name: string;
  /** The page that links to the others. */
  readonly start: string;
}

/** A site with the paths that links lead to. */
interface WalkedSite extends Site {
  readonly pages: readonly string[];
}

/** What a crawler used for some sites. */
interface Use extends CrawlCost {
  readonly pages: number;
  /** From the first to the last request that the site saw. */
  readonly wallMs: number;
}

const SITES: readonly Site[] = [
  { name: 'PostgreSQL', start: '/doc/postgresql-doc-15/html/index.html' },
  { name: 'Python', start: '/doc/python3.11/html/index.html' },
  { name: 'cppreference', start: '/cppreference/doc/html/en/index.html' },
  // The handbook's languages link to each other nowhere, so each is a site of its own.
  ...['en-US', 'fr-FR', 'de-DE', 'ja-JP'].map((language) => ({
    name: `Debian handbook ${language}`,
    start: `/doc/debian-handbook/html/${language}/index.html`,
  })),
];
/** Readability and turndown take minutes on the larger sites. */
const HAS_CONTENT_RIVAL = /PostgreSQL|handbook/;

/** Skipped, with a row that says so, where the settings name no documentation. Throws when a page is missed or fetched twice. */
export async function bench(): Promise<BenchRow[]> {
  const { docsFolder } = SETTINGS;
  const found = SITES.filter(({ start }) => docsFolder !== undefined && existsSync(join(docsFolder, start)));
  if (docsFolder === undefined || found.length === 0)
    return [
      { name: 'skipped: BENCH_DOCS names no folder with documentation sites', value: 0, unit: 'sites' },
      await benchMemory(),
      await benchFollowed(),
    ];
  const sites = found.map((site) => ({ ...site, pages: walkLinks(docsFolder, site.start) }));
  return [
    ...(await benchDiscovery(docsFolder, sites)),
    ...(await benchContent(docsFolder, sites)),
    await benchMemory(),
    await benchFollowed(),
  ];
}

async function benchDiscovery(folder: string, sites: readonly WalkedSite[]): Promise<BenchRow[]> {
  const ours = await crawlWithAgent(folder, sites, []);
  const bare = await onSite(
    folder,
    sites.flatMap((site) => site.pages),
    (origin, list) => runCrawler('bare.ts', [origin, list]),
  );
  const crawlee = await eachSite(folder, sites, (site) => (origin) => runCrawler('crawlee.ts', [origin + site.start, 'discover']));
  const wget = hasWget() ? await eachSite(folder, sites, (site) => (origin) => runWget(origin + site.start)) : undefined;
  const total = sum(ours.map(({ use }) => use));
  const name = `${sites.length} documentation sites, ${total.pages} pages: CPU`;
  return [
    ...ours.map(({ site, use }) => ({ name: `${site.name}, ${use.pages} pages: CPU`, value: cpuPerPage(use), unit: 'ms a page' })),
    cpuRow(name, total, 'download only', bare, '<= 5x'),
    cpuRow(name, total, 'Crawlee, Cheerio', crawlee, '<= 0.1x'),
    ...(wget ? [cpuRow(name, total, 'wget2 (C)', wget)] : []),
    { name: 'pages', value: total.pages / (total.wallMs / 1000), unit: 'pages/s', ...rivalSpeed('Crawlee, Cheerio', crawlee) },
    { name: 'peak memory', value: total.peakMegabytes, unit: 'MB', rival: 'Crawlee, Cheerio', rivalValue: crawlee.peakMegabytes },
  ];
}

async function benchContent(folder: string, all: readonly WalkedSite[]): Promise<BenchRow[]> {
  const sites = all.filter(({ name }) => HAS_CONTENT_RIVAL.test(name));
  const total = sum((await crawlWithAgent(folder, sites, ['markdown', 'metadata'])).map(({ use }) => use));
  const rival = await eachSite(folder, sites, (site) => (origin) => runCrawler('crawlee.ts', [origin + site.start, 'content']));
  return [
    cpuRow(`Markdown and metadata, ${total.pages} pages: CPU`, total, 'Crawlee, readability, turndown', rival, '<= 0.5x'),
    { name: 'Markdown and metadata: peak memory', value: total.peakMegabytes, unit: 'MB' },
  ];
}

async function benchMemory(): Promise<BenchRow> {
  using agent = await startAgentUnderTest();
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}/`;
  using _server = await startProgram([join(SOURCE, 'generated-server.ts'), String(port), String(GENERATED_PAGES)], process.env, origin);
  const { peakMegabytes } = await agent.crawl({
    url: origin,
    formats: [],
    limit: GENERATED_PAGES,
    max_depth: 100,
    max_concurrency: IN_FLIGHT,
  });
  return { name: `${GENERATED_PAGES} small pages: peak memory`, value: peakMegabytes, unit: 'MB', target: '<= 250 MB' };
}

function cpuRow(name: string, use: Use, rival: string, rivalUse: Use, target?: string): BenchRow {
  const row = { name, value: cpuPerPage(use), unit: 'ms a page', rival, rivalValue: cpuPerPage(rivalUse) };
  return target === undefined ? row : { ...row, target };
}

function rivalSpeed(rival: string, use: Use): Pick<BenchRow, 'rival' | 'rivalValue'> {
  return { rival, rivalValue: use.pages / (use.wallMs / 1000) };
}

function cpuPerPage({ cpuMs, pages }: Use): number {
  return cpuMs / pages;
}

function sum(uses: readonly Use[]): Use {
  const add = (member: 'pages' | 'cpuMs' | 'wallMs') => uses.reduce((total, use) => total + use[member], 0);
  return {
    pages: add('pages'),
    cpuMs: add('cpuMs'),
    wallMs: add('wallMs'),
    peakMegabytes: Math.max(...uses.map((use) => use.peakMegabytes)),
  };
}

/** One agent crawls all sites, one after the other, as an agent does that runs for years. */
async function crawlWithAgent(folder: string, sites: readonly WalkedSite[], formats: readonly string[]) {
  using agent = await startAgentUnderTest();
  const uses: { readonly site: Site; readonly use: Use }[] = [];
  for (const site of sites)
    uses.push({ site, use: await onSite(folder, site.pages, (origin) => crawlSite(agent, origin + site.start, formats)) });
  return uses;
}

function crawlSite(agent: AgentUnderTest, url: string, formats: readonly string[]) {
  return agent.crawl({ url, formats, limit: 100_000, max_depth: 1000, crawl_entire_domain: true, max_concurrency: IN_FLIGHT });
}

/** What a rival used for all sites, each in a process of its own. */
async function eachSite(
  folder: string,
  sites: readonly WalkedSite[],
  crawlerOf: (site: Site) => (origin: string) => Promise<CrawlCost>,
): Promise<Use> {
  const uses: Use[] = [];
  for (const site of sites) uses.push(await logged(folder, site.pages, crawlerOf(site)));
  return sum(uses);
}

/** Starts the server and hands its origin and a file with the paths on. Throws when the crawler missed a page or asked for it twice. */
async function onSite(folder: string, pages: readonly string[], crawl: (origin: string, list: string) => Promise<CrawlCost>): Promise<Use> {
  const { missing, doubled, ...use } = await logged(folder, pages, crawl);
  if (missing.length > 0 || doubled.length > 0)
    throw new Error(`${missing.length} pages missed (${missing[0]}), ${doubled.length} fetched twice (${doubled[0]})`);
  return use;
}

/** The same with what the server's log says of `pages`; those that were missed don't count as fetched. */
async function logged(folder: string, pages: readonly string[], crawl: (origin: string, list: string) => Promise<CrawlCost>) {
  using scratch = scratchFolder();
  const list = join(scratch.path, 'pages.txt');
  writeFileSync(list, pages.join('\n'));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  using _server = await startProgram([join(SOURCE, 'docs-server.ts'), String(port), folder], process.env, `${origin}/__reset`);
  await fetch(`${origin}/__reset`);
  const cost = await crawl(origin, list);
  const { asked, spanMs } = (await (await fetch(`${origin}/__log`)).json()) as SiteLog;
  const missing = pages.filter((path) => asked[decodeURIComponent(path)] === undefined);
  const doubled = pages.filter((path) => (asked[decodeURIComponent(path)] ?? 0) > 1);
  return { ...cost, pages: pages.length - missing.length, wallMs: spanMs, missing, doubled };
}

async function runCrawler(file: string, args: readonly string[]): Promise<CrawlCost> {
  const [first = '', ...rest] = args;
  const command = [join(SOURCE, 'crawlers', file), first, ...rest, String(IN_FLIGHT)];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  return JSON.parse(await text(child.stdout)) as Use;
}

function hasWget(): boolean {
  return spawnSync('wget2', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** The pages alone, and none of them kept, as in our row; the shell's `times` tells its CPU, start-up inside. */
async function runWget(url: string): Promise<CrawlCost> {
  using scratch = scratchFolder();
  const pagesAlone = `--reject=${REQUISITES} --filter-urls --delete-after`;
  const wget = `wget2 -q -r -l inf --max-threads=${IN_FLIGHT} --no-robots ${pagesAlone} -P "$1" "$2"; times`;
  const child = spawn('sh', ['-c', wget, 'sh', scratch.path, url], { stdio: ['ignore', 'pipe', 'ignore'] });
  const used = (await text(child.stdout)).trim().split('\n').at(-1) ?? '';
  const seconds = [...used.matchAll(/(\d+)m([\d.]+)s/g)].map(([, minutes, rest]) => Number(minutes) * 60 + Number(rest));
  return { cpuMs: seconds.reduce((total, each) => total + each, 0) * 1000, peakMegabytes: 0 };
}
