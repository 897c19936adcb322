// What the cloud costs beside what it is made of: a scrape over the engine alone, crawls with one and two workers, and its memory at rest.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MemoryHostGate, createRobotsSources, scrapePage } from '@weft/engine';
import { createAddressGate, createCookieStore, createFetcher, createViewPool, systemClock } from '@weft/engine/io';
import { openAccount } from '../../../packages/cloud/src/accounts/account.ts';
import { createAccountKeys } from '../../../packages/cloud/src/accounts/key.ts';
import { createCredits } from '../../../packages/cloud/src/credits/credits.ts';
import { openDatabase } from '../../../packages/cloud/src/db/database.ts';
import { startOwnServer } from '../../../packages/cloud/src/db/own-server.ts';
import type { OwnServer } from '../../../packages/cloud/src/db/own-server.ts';
import type { Database } from '../../../packages/cloud/src/db/queries.ts';
import { cpuSecondsOfTree, endCloudProcess, pssMegabytes, startCloudProcess } from '../../../tests/cloud-processes.ts';
import type { CloudProcess } from '../../../tests/cloud-processes.ts';
import { startGeneratedSite } from '../../../tests/sites/generated-site.ts';
import type { GeneratedSite } from '../../../tests/sites/generated-site.ts';
import { startAgentUnderTest } from '../agent-under-test.ts';
import type { BenchRow } from '../row.ts';

export const isSlow = true;

const SCRAPES = 60;
const WARM = 10;
const SITES = 8;
const PAGES = 250;
const REST_MS = 4000;
const LOOK_MS = 100;

interface Stage {
  readonly server: OwnServer;
  readonly database: Database;
  readonly home: string;
  readonly sites: readonly GeneratedSite[];
  readonly token: string;
}

export async function bench(): Promise<BenchRow[]> {
  const home = mkdtempSync(join(tmpdir(), 'weft-bench-cloud-'));
  const server = await startOwnServer(join(home, 'postgres'));
  const database = await openDatabase(server.url);
  const sites = await Promise.all(Array.from({ length: SITES }, () => startGeneratedSite(PAGES)));
  const ports = { database, keys: createAccountKeys(database), credits: createCredits(database) };
  try {
    const { token } = await openAccount('bench', 10_000_000, ports);
    const stage: Stage = { server, database, home, sites, token };
    const rest = await restOf(stage);
    const [own, engine] = await scrapes(stage);
    const one = await crawls(stage, 1);
    const two = await crawls(stage, 2);
    const agentMs = await agentCpuMs(stage);
    return [
      { name: 'scrape, p50 over the engine alone', value: own - engine, unit: 'ms', target: '< 40 ms' },
      { name: 'scrape, p50', value: own, unit: 'ms', rival: 'engine alone', rivalValue: engine },
      { name: 'crawls, one worker', value: one.pagesPerSecond, unit: 'pages/s' },
      { name: 'crawls, two workers', value: two.pagesPerSecond, unit: 'pages/s', rival: 'one worker', rivalValue: one.pagesPerSecond },
      { name: 'CPU of a page, PostgreSQL apart', value: one.cpuMs, unit: 'ms', rival: 'agent', rivalValue: agentMs, target: '<= 1.5x' },
      { name: 'CPU of a page, PostgreSQL', value: one.serverMs, unit: 'ms' },
      { name: 'stack at rest', value: rest, unit: 'MB PSS', target: '< 350 MB' },
    ];
  } finally {
    await database.close();
    await server.stop();
    await Promise.all(sites.map((site) => site.close()));
    rmSync(home, { recursive: true });
  }
}

function start({ server, home, sites }: Stage, ...args: readonly string[]): Promise<CloudProcess> {
  const targets = sites.flatMap(({ origin }) => ['--private-target', new URL(origin).host]);
  return startCloudProcess({ databaseUrl: server.url, home, args: ['--blobs', 'database', ...targets, ...args] });
}

/** A process of the cloud and PostgreSQL with nothing to do. */
async function restOf(stage: Stage): Promise<number> {
  const cloud = await start(stage);
  await pause(REST_MS);
  const [row] = await stage.database.rows<{ pids: number[] }>('SELECT array_agg(pid) AS pids FROM pg_stat_activity');
  const postmaster = Number(
    (await stage.database.rows<{ pid: string }>(`SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid`))[0]?.pid,
  );
  const pids = [cloud.process.pid ?? 0, postmaster, ...(row?.pids ?? [])];
  const megabytes = pids.reduce((sum, pid) => sum + pssMegabytes(pid), 0);
  await endCloudProcess(cloud);
  return megabytes;
}

/** Milliseconds of the median scrape, by the cloud and by the engine alone, in turns. */
async function scrapes(stage: Stage): Promise<readonly [own: number, engine: number]> {
  const cloud = await start(stage, '--role', 'api');
  const site = stage.sites[0];
  const views = createViewPool();
  const gate = createAddressGate({ mode: 'public', privateTargets: stage.sites.map(({ origin }) => new URL(origin).host) });
  const fetcher = createFetcher({ gate, clock: systemClock, home: stage.home });
  const asking = { fetcher, clock: systemClock, gate: new MemoryHostGate(systemClock), agent: 'WeftBot' };
  const ports = {
    ...asking,
    robotsFor: createRobotsSources(asking),
    views,
    cookies: createCookieStore(),
    keepFile: () => Promise.reject(new Error('none')),
  };
  const times: { own: number[]; engine: number[] } = { own: [], engine: [] };
  for (let i = 0; i < SCRAPES + WARM; i++) {
    const url = new URL(site?.paths[i % PAGES] ?? '', site?.origin).href;
    times.own.push(await timed(() => scrapeOf(cloud, stage.token, url)));
    times.engine.push(await timed(() => scrapePage({ url }, ports, new AbortController().signal)));
  }
  await endCloudProcess(cloud);
  await fetcher.close();
  await views.close();
  return [median(times.own.slice(WARM)), median(times.engine.slice(WARM))];
}

async function scrapeOf({ url: cloud }: CloudProcess, token: string, url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${cloud}/api/crawl/scrape`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
    });
    const body = (await answer.json()) as { failure?: unknown };
    if (answer.ok && !body.failure) return;
    throw new Error(`${answer.status} ${JSON.stringify(body)}`);
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  // Ten a second are what a key may ask for.
  const tookMs = performance.now() - startMs;
  await pause(Math.max(0, 60 - tookMs));
  return tookMs;
}

interface CrawlFigures {
  readonly pagesPerSecond: number;
  /** Of a page, in milliseconds. */
  readonly cpuMs: number;
  readonly serverMs: number;
}

async function crawls(stage: Stage, workers: number): Promise<CrawlFigures> {
  const { database, sites, token } = stage;
  const api = await start(stage, '--role', 'api');
  const programs = await Promise.all(Array.from({ length: workers }, () => start(stage, '--role', 'worker')));
  const postmaster = Number(
    (await database.rows<{ pid: string }>(`SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid`))[0]?.pid,
  );
  const pids = programs.map((program) => program.process.pid ?? 0);
  const cpu = () => pids.reduce((sum, pid) => sum + cpuSecondsOfTree(pid), 0);
  const before = { own: cpu(), server: cpuSecondsOfTree(postmaster) };
  const beganMs = performance.now();
  const ids = await Promise.all(sites.map(({ start: url }) => startCrawl(api, token, url)));
  while ((await database.rows('SELECT 1 FROM crawl WHERE id = ANY($1) AND finished_at IS NULL', [ids])).length > 0) await pause(LOOK_MS);
  const seconds = (performance.now() - beganMs) / 1000;
  const pages = SITES * PAGES;
  const figures = {
    pagesPerSecond: pages / seconds,
    cpuMs: ((cpu() - before.own) * 1000) / pages,
    serverMs: ((cpuSecondsOfTree(postmaster) - before.server) * 1000) / pages,
  };
  await Promise.all([api, ...programs].map((program) => endCloudProcess(program)));
  return figures;
}

async function startCrawl({ url: cloud }: CloudProcess, token: string, url: string): Promise<string> {
  const answer = await fetch(`${cloud}/api/crawl`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, lane: 'http', max_depth: 1000, sitemap: 'skip' }),
  });
  return ((await answer.json()) as { id: string }).id;
}

/** CPU of a page of the same crawls by the agent, in milliseconds. */
async function agentCpuMs({ sites }: Stage): Promise<number> {
  using agent = await startAgentUnderTest();
  const options = { lane: 'http', max_depth: 1000, sitemap: 'skip', limit: 10_000 };
  const costs = await Promise.all(sites.map(({ start: url }) => agent.crawl({ ...options, url })));
  // They ran side by side: the longest of them saw the CPU of all.
  return Math.max(...costs.map(({ cpuMs }) => cpuMs)) / (SITES * PAGES);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
