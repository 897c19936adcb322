// Real applications through the agent, from two pages and by three lanes: pages missed, waste, repeats and state changed, beside Crawlee and wget2.
//
// What a page of the truth is, each application's file says; what is excluded is excluded there, by `pageOf` (forms to edit,
// sorted views, files, feeds: they bring no page and are waste) and `isAside` (histories, old revisions, special pages: they
// can be read but show what pages show, so they are neither missed nor waste). A record counts by its address; for the rivals,
// which keep files or nothing, a page counts when the server answered it with 200.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { App, Page } from '../../apps/app.ts';
import { APPS } from '../../apps/apps.ts';
import { type Running, freeAddress, installApp, placeOf, startApp, takeHome, truthOf } from '../../apps/runner.ts';
import { type AgentUnderTest, type CrawlStory, startAgentUnderTest } from '../agent-under-test.ts';
import { type CrawlScore, scoreCrawl } from '../app-crawls.ts';
import { type CountingProxy, startCountingProxy } from '../counting-proxy.ts';
import { freePort, scratchFolder } from '../processes.ts';
import type { BenchOptions, BenchRow } from '../row.ts';
import { SETTINGS } from '../settings.ts';
import { wasteFloor } from '../waste.ts';

export const isSlow = true;

const IN_FLIGHT = 8;
/** A browser takes a large fraction of a second a page: larger sites go through it with --full only. */
const BROWSER_PAGES_MAX = 250;
const CRAWLEE = join(import.meta.dirname, '../crawlers/crawlee-site.ts');
/** A rival that finds a bottomless site is stopped. */
const RIVAL_MS = 300_000;
const EXAMPLES = 4;
/** Requests after which an oracle would end a class of addresses: the fewest that any of our own rules believes. */
const PROBES = 3;
/** A crawl that finds no end is stopped after this many times the pages there are, and some more. */
const PAGES_FACTOR = 10;
const PAGES_MORE = 500;

interface Crawl {
  readonly entry: string;
  readonly lane: 'auto' | 'http' | 'browser';
}

/** An application under measurement. */
interface Subject {
  readonly running: Running;
  readonly proxy: CountingProxy;
  readonly truth: readonly Page[];
}

/** What one of our crawls came to. */
interface Result {
  readonly crawl: Crawl;
  readonly score: CrawlScore;
  readonly rendered: number;
  /** Undefined where the application keeps nothing. */
  readonly isUnchanged: boolean | undefined;
}

interface Rival {
  readonly name: string;
  readonly score: CrawlScore;
}

/** An application that cannot be installed or started here is named in a row and left out. */
export async function bench({ full }: BenchOptions): Promise<BenchRow[]> {
  using _home = takeHome(SETTINGS.appsFolder);
  const asked = APPS.filter(({ name }) => SETTINGS.appNames.length === 0 || SETTINGS.appNames.includes(name));
  const rows: BenchRow[] = [];
  for (const app of asked) {
    try {
      rows.push(...(await benchApp(app, full)));
    } catch (error) {
      console.log(`${app.name}: ${error instanceof Error ? error.message : String(error)}`);
      rows.push({ name: `${app.name}: left out, see above`, value: 0, unit: 'pages' });
    }
  }
  return rows;
}

/** The application listens inside; the counting proxy has the address that visitors see. */
async function benchApp(app: App, full: boolean): Promise<BenchRow[]> {
  await installApp(app, SETTINGS.appsFolder);
  const outer = await freeAddress(app);
  const inner = { host: outer.host, port: await freePort(), origin: outer.origin };
  const proxy = await startCountingProxy(outer, inner);
  try {
    const running = await startApp(app, SETTINGS.appsFolder, inner);
    try {
      return await measure({ running, proxy, truth: await truthOf(running, SETTINGS.appsFolder) }, full);
    } finally {
      await running.stop();
    }
  } finally {
    await proxy.stop();
  }
}

async function measure(subject: Subject, full: boolean): Promise<BenchRow[]> {
  requireInner(subject);
  const { app } = subject.running;
  const entry = app.entry ?? '/';
  const crawls: Crawl[] = [
    { entry, lane: 'auto' },
    { entry: app.inner, lane: 'auto' },
    ...(app.needsBrowser ? [] : [{ entry, lane: 'http' as const }]),
    ...(full || subject.truth.length <= BROWSER_PAGES_MAX ? [{ entry, lane: 'browser' as const }] : []),
  ];
  // Ours first: a rival that edits has changed the state that ours is held to.
  const results: Result[] = [];
  using agent = await startAgentUnderTest();
  for (const crawl of crawls) results.push(await crawlOurs(subject, agent, crawl));
  if (!SETTINGS.hasRivals) return results.flatMap((result) => resultRows(subject, result, undefined));
  const most = String(subject.truth.length * PAGES_FACTOR + PAGES_MORE);
  const crawlee = await crawlTheirs(subject, 'Crawlee', (url) => runToEnd(process.execPath, [CRAWLEE, url, most, String(IN_FLIGHT)]));
  const wget = hasWget() ? [await crawlTheirs(subject, 'wget2', runWget)] : [];
  return [...results.flatMap((result) => resultRows(subject, result, crawlee)), ...wget.flatMap((rival) => rivalRows(app, rival))];
}

/** An inner page that its application does not name would make "from an inner page" a crawl from nowhere. */
function requireInner({ running: { app, origin }, truth }: Subject): void {
  const pages = truth.map(({ path }) => origin + path);
  if (scoreCrawl(app, origin, [{ path: app.inner }], [], pages).missed.length > 0) throw new Error(`${app.inner} is no page of its truth`);
}

function resultRows({ running, truth }: Subject, { crawl, score, rendered, isUnchanged }: Result, rival: Rival | undefined): BenchRow[] {
  const name = `${running.app.name}, ${truth.length} pages, ${crawl.lane} from ${crawl.entry}`;
  const besides = (figure: (of: CrawlScore) => number) => ({ ...(rival && { rival: rival.name, rivalValue: figure(rival.score) }) });
  return [
    { name: `${name}: missed`, value: score.missed.length, unit: 'pages', ...besides(({ missed }) => missed.length), target: '0' },
    { name: `${name}: waste`, value: wasteOf(score), unit: '%', ...besides(wasteOf), target: '< 10' },
    { name: `${name}: waste of an oracle with ${PROBES} probes`, value: floorOf(score), unit: '%' },
    { name: `${name}: waste where raw texts are asides`, value: wasteWithoutRaw(score), unit: '%' },
    { name: `${name}: asked for again`, value: score.repeated.length, unit: 'addresses', target: '0' },
    { name: `${name}: read aside`, value: score.asides, unit: 'pages', ...besides(({ asides }) => asides) },
    { name: `${name}: rendered`, value: rendered, unit: 'pages' },
    ...(isUnchanged === undefined ? [] : [{ name: `${name}: state changed`, value: isUnchanged ? 0 : 1, unit: 'times', target: '0' }]),
  ];
}

function rivalRows(app: App, { name, score }: Rival): BenchRow[] {
  return [
    { name: `${app.name}, ${name}: missed`, value: score.missed.length, unit: 'pages' },
    { name: `${app.name}, ${name}: waste`, value: wasteOf(score), unit: '%' },
  ];
}

/** Per cent of the requests that could have brought a page. */
function wasteOf({ requests, asides, wasted }: CrawlScore): number {
  return requests === asides ? 0 : (100 * wasted.length) / (requests - asides);
}

/** The least that any crawl could have wasted that learns from its own requests. */
function floorOf({ requests, asides, wasted, asked }: CrawlScore): number {
  const floor = wasteFloor(asked, PROBES);
  const least = requests - asides - wasted.length + floor;
  return least === 0 ? 0 : (100 * floor) / least;
}

/** The waste of a reader to whom the text of a file or of a diff is worth reading, as an old revision is. */
function wasteWithoutRaw({ requests, asides, wasted, kinds }: CrawlScore): number {
  const counted = requests - asides - kinds.raw;
  return counted === 0 ? 0 : (100 * (wasted.length - kinds.raw)) / counted;
}

async function crawlOurs({ running, proxy, truth }: Subject, agent: AgentUnderTest, crawl: Crawl): Promise<Result> {
  const { app, origin } = running;
  const place = placeOf(app, SETTINGS.appsFolder);
  const before = await app.state?.(place);
  proxy.take();
  const story = await agent.tell({
    url: origin + crawl.entry,
    lane: crawl.lane,
    formats: [],
    limit: truth.length * PAGES_FACTOR + PAGES_MORE,
    max_depth: 1000,
    crawl_entire_domain: true,
    max_concurrency: IN_FLIGHT,
  });
  const kept = story.pages.map(({ url }) => url);
  const score = scoreCrawl(app, origin, truth, proxy.take(), kept);
  const after = await app.state?.(place);
  tell(`${app.name}, ${crawl.lane} from ${crawl.entry}`, score, story);
  const rendered = story.pages.filter((page) => page.lane === 'browser').length;
  return { crawl, score, rendered, isUnchanged: before === undefined ? undefined : before === after };
}

/** The figures alone don't say why: examples of what was missed, with the ledger's reason, and of what was asked in vain. */
function tell(name: string, { missed, wasted, requests, asides, repeated, kinds }: CrawlScore, { ledger }: CrawlStory): void {
  console.log(
    `${name}: ${requests} requests, ${asides} asides, ${missed.length} missed, ${wasted.length} wasted, ${repeated.length} asked for again`,
  );
  const named = Object.entries(kinds).filter(([, count]) => count > 0);
  if (named.length > 0) console.log(`  wasted: ${named.map(([kind, count]) => `${count} ${kind}`).join(', ')}`);
  for (const page of missed.slice(0, EXAMPLES)) {
    const line = ledger.find(({ url }) => url.endsWith(page));
    console.log(`  missed ${page}: ${line ? `${line.outcome} ${line.reason ?? ''} ${line.rule ?? ''}` : 'never discovered'}`);
  }
  for (const target of wasted.slice(0, EXAMPLES)) console.log(`  wasted ${target}`);
  for (const target of repeated.slice(0, EXAMPLES)) console.log(`  again ${target}`);
}

async function crawlTheirs({ running, proxy, truth }: Subject, name: string, crawl: (url: string) => Promise<void>): Promise<Rival> {
  proxy.take();
  await crawl(running.origin + (running.app.entry ?? '/'));
  const score = scoreCrawl(running.app, running.origin, truth, proxy.take());
  console.log(`${running.app.name}, ${name}: ${score.requests} requests, ${score.missed.length} missed, ${score.wasted.length} wasted`);
  return { name, score };
}

async function runWget(url: string): Promise<void> {
  using scratch = scratchFolder();
  // wget2 1.99 leaves the port out of Host, and software that writes absolute addresses sends it to port 80.
  await runToEnd('wget2', [
    `--header=Host: ${new URL(url).host}`,
    '-q',
    '-r',
    '-l',
    'inf',
    `--max-threads=${IN_FLIGHT}`,
    '-P',
    scratch.path,
    url,
  ]);
}

function hasWget(): boolean {
  return spawnSync('wget2', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Its exit code says nothing here: wget2 answers 8 for one page of a thousand. */
function runToEnd(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { stdio: 'ignore', timeout: RIVAL_MS });
  return new Promise((resolve, reject) => child.once('error', reject).once('close', () => resolve()));
}
