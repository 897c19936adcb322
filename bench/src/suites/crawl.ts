// Whole sites through the agent: CPU a page, pages a second and peak memory, beside Crawlee and beside a loop that only downloads.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { CrawlerUse } from '../crawlers/report.ts';
import type { SiteLog } from '../docs-server.ts';
import { walkLinks } from '../link-walk.ts';
import { freePort, scratchFolder, startProgram } from '../processes.ts';
import type { BenchRow } from '../row.ts';
import { SETTINGS } from '../settings.ts';

export const isSlow = true;

const SOURCE = join(import.meta.dirname, '..');
const AGENT = join(SOURCE, '..', '..', 'packages', 'daemon', 'src', 'main.ts');
const IN_FLIGHT = 16;
const TICK_MS = 10;
/** Fewer pages are read before the code is warm: their CPU is shown, and no aim held against it. */
const WARM_PAGES = 1000;

/** A site below the folder of documentation, with the page that links to the others. */
interface Site {
  readonly name: string;
  readonly folder: string;
  readonly start: string;
  /** Whether Crawlee crawls it too; it takes minutes on the larger ones. */
  readonly hasRival: boolean;
}

/** Languages that link to each other nowhere, so each is a site of its own. */
const HANDBOOK_LANGUAGES = ['en-US', 'fr-FR', 'de-DE', 'ja-JP'] as const;

const SITES: readonly Site[] = [
  { name: 'PostgreSQL', folder: 'doc/postgresql-doc-15/html', start: '/index.html', hasRival: true },
  { name: 'Python', folder: 'doc/python3.11/html', start: '/index.html', hasRival: false },
  { name: 'cppreference', folder: 'cppreference/doc/html', start: '/en/index.html', hasRival: false },
  ...HANDBOOK_LANGUAGES.map((language) => ({
    name: `Debian handbook ${language}`,
    folder: 'doc/debian-handbook/html',
    start: `/${language}/index.html`,
    hasRival: false,
  })),
];

/** Skipped, with a row that says so, where the settings name no documentation. Throws when a page is missed or fetched twice. */
export async function bench(): Promise<BenchRow[]> {
  const { docsFolder } = SETTINGS;
  const sites = SITES.filter(({ folder }) => docsFolder !== undefined && existsSync(join(docsFolder, folder)));
  if (docsFolder === undefined || sites.length === 0)
    return [{ name: 'skipped: BENCH_DOCS names no folder with documentation sites', value: 0, unit: 'sites' }];
  const rows: BenchRow[] = [];
  for (const site of sites) rows.push(...(await benchSite({ ...site, folder: join(docsFolder, site.folder) })));
  return rows;
}

async function benchSite(site: Site): Promise<BenchRow[]> {
  const pages = walkLinks(site.folder, site.start);
  const discovery = await crawlWithAgent(site, pages, []);
  const bare = await crawlWith(site, (origin, list) => ['bare.ts', origin, list, String(IN_FLIGHT)], pages);
  const rows = [
    {
      ...cpuRow(`${site.name}, ${pages.length} pages: CPU`, discovery),
      rival: 'download only',
      rivalValue: cpuPerPage(bare),
      ...(pages.length < WARM_PAGES ? {} : { target: '<= 5x' }),
    },
    { name: `${site.name}: pages`, value: discovery.pages / (discovery.wallMs / 1000), unit: 'pages/s' },
    { name: `${site.name}: peak memory`, value: discovery.peakMegabytes, unit: 'MB' },
  ];
  if (!site.hasRival) return rows;
  const content = await crawlWithAgent(site, pages, ['markdown', 'metadata']);
  const crawlee = (mode: string) => crawlWith(site, (origin) => ['crawlee.ts', origin + site.start, String(IN_FLIGHT), mode], pages);
  const [rival, rivalContent] = [await crawlee('discover'), await crawlee('content')];
  return [
    ...rows,
    { ...cpuRow(`${site.name}: CPU`, discovery), rival: 'Crawlee, Cheerio', rivalValue: cpuPerPage(rival), target: '<= 0.1x' },
    {
      ...cpuRow(`${site.name}, Markdown and metadata: CPU`, content),
      rival: 'Crawlee, readability, turndown',
      rivalValue: cpuPerPage(rivalContent),
      target: '<= 0.5x',
    },
  ];
}

function cpuRow(name: string, use: CrawlerUse): BenchRow {
  return { name, value: cpuPerPage(use), unit: 'ms a page' };
}

function cpuPerPage({ cpuMs, pages }: CrawlerUse): number {
  return cpuMs / pages;
}

/** Starts the site, hands its origin on, and holds the site's own log against `pages` afterwards. */
async function onSite(site: Site, pages: readonly string[], crawl: (origin: string) => Promise<CrawlerUse>): Promise<CrawlerUse> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  using _server = await startProgram([join(SOURCE, 'docs-server.ts'), String(port), site.folder], process.env, `${origin}/__reset`);
  await fetch(`${origin}/__reset`);
  const use = await crawl(origin);
  const { asked, spanMs } = (await (await fetch(`${origin}/__log`)).json()) as SiteLog;
  const missing = pages.filter((path) => asked[decodeURIComponent(path)] === undefined);
  const doubled = pages.filter((path) => (asked[decodeURIComponent(path)] ?? 0) > 1);
  if (missing.length > 0 || doubled.length > 0)
    throw new Error(`${site.name}: ${missing.length} pages missed (${missing[0]}), ${doubled.length} fetched twice (${doubled[0]})`);
  return { ...use, pages: pages.length, wallMs: spanMs };
}

async function crawlWith(
  site: Site,
  args: (origin: string, list: string) => readonly string[],
  pages: readonly string[],
): Promise<CrawlerUse> {
  using scratch = scratchFolder();
  const list = join(scratch.path, 'pages.txt');
  writeFileSync(list, pages.join('\n'));
  return await onSite(site, pages, async (origin) => {
    const [file = '', ...rest] = args(origin, list);
    const child = spawn(process.execPath, [join(SOURCE, 'crawlers', file), ...rest], { stdio: ['ignore', 'pipe', 'inherit'] });
    return JSON.parse(await text(child.stdout)) as CrawlerUse;
  });
}

/** One crawl by an agent of its own; its CPU and peak memory are those of the whole process, start-up outside. */
async function crawlWithAgent(site: Site, pages: readonly string[], formats: readonly string[]): Promise<CrawlerUse> {
  using home = scratchFolder();
  const port = await freePort();
  const env = { ...process.env, SERVICE_HOME: home.path, SERVICE_PORT: String(port) };
  using agent = await startProgram([AGENT], env, `http://127.0.0.1:${port}/probe`);
  const token = readFileSync(join(home.path, 'token'), 'utf8').trim();
  const pid = agent.process.pid ?? 0;
  return await onSite(site, pages, async (origin) => {
    const before = cpuMsOf(pid);
    const options = { url: origin + site.start, formats, limit: 100_000, max_depth: 1000, crawl_entire_domain: true };
    const response = await fetch(`http://127.0.0.1:${port}/v1/crawl`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...options, max_concurrency: IN_FLIGHT, wait: true, timeout: 3600 }),
    });
    const { status, counts } = (await response.json()) as { status: string; counts: Readonly<Record<string, number>> };
    const { discovered = 0, ...outcomes } = counts;
    const sum = Object.values(outcomes).reduce((total, count) => total + count, 0);
    if (status !== 'succeeded' || discovered !== sum) throw new Error(`${site.name}: ${status}, ${JSON.stringify(counts)}`);
    return { pages: pages.length, cpuMs: cpuMsOf(pid) - before, wallMs: 0, peakMegabytes: peakOf(pid) };
  });
}

function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

function peakOf(pid: number): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}
