// Many on one PostgreSQL: what idle workers cost it, whether accounts get equal shares, and whether a page comes at once beside crawls.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { openAccount } from '../../packages/cloud/src/accounts/account.ts';
import { createAccountKeys } from '../../packages/cloud/src/accounts/key.ts';
import { createCrawls } from '../../packages/cloud/src/crawl/crawl.ts';
import { createCrawlJobs } from '../../packages/cloud/src/crawl/jobs.ts';
import { createCredits } from '../../packages/cloud/src/credits/credits.ts';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import { startOwnServer } from '../../packages/cloud/src/db/own-server.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { cpuSecondsOfTree, endCloudProcess, startCloudProcess } from '../cloud-processes.ts';
import { startGeneratedSite } from '../sites/generated-site.ts';
import type { GeneratedSite } from '../sites/generated-site.ts';

export const needs = 'minutes of two cores: crawls that compete for places';

const IDLE_SECONDS = 20;
const IDLE_CONNECTIONS = 50;
/** The longest pause between two looks of an idle worker, and how much it varies. */
const IDLE_LOOK_MS = 3000;
const CRAWLS_PER_ACCOUNT = 4;
const SCRAPES = 40;
const PAGES = 400;

interface Stage {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly home: string;
  readonly sites: readonly GeneratedSite[];
}

/** A hundred rounds are 1,000 idle workers, and 200 crawls of 50 accounts. */
export async function campaign({ rounds, log }: CampaignOptions): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'weft-cloud-scale-'));
  const server = await startOwnServer(join(home, 'postgres'));
  const database = await openDatabase(server.url);
  const accounts = Math.max(4, Math.ceil(rounds / 2));
  const sites = await Promise.all(Array.from({ length: accounts + 1 }, () => startGeneratedSite(PAGES)));
  const stage: Stage = { database, databaseUrl: server.url, home, sites };
  try {
    await idle(stage, Math.max(10, rounds * 10), log);
    await shares(stage, accounts, log);
    await beside(stage, log);
  } finally {
    await database.close();
    await server.stop();
    await Promise.all(sites.map((site) => site.close()));
    rmSync(home, { recursive: true });
  }
}

/** Looks of idle workers as their loops make them, over as many connections as a PgBouncer would have. */
async function idle({ database, databaseUrl }: Stage, workers: number, log: (line: string) => void): Promise<void> {
  const pool = await openDatabase(databaseUrl, IDLE_CONNECTIONS);
  const jobs = createCrawlJobs({ database: pool, credits: createCredits(pool), tell: async () => undefined }, 64);
  const postmaster = await postmasterOf(database);
  const ending = new AbortController();
  let looks = 0;
  const loops = Array.from({ length: workers }, async () => {
    await pause(Math.random() * IDLE_LOOK_MS, undefined, { signal: ending.signal }).catch(() => undefined);
    while (!ending.signal.aborted) {
      await jobs.claim();
      looks++;
      await pause(IDLE_LOOK_MS * (0.75 + Math.random() / 2), undefined, { signal: ending.signal }).catch(() => undefined);
    }
  });
  const before = cpuSecondsOfTree(postmaster);
  await pause(IDLE_SECONDS * 1000);
  const cores = (cpuSecondsOfTree(postmaster) - before) / IDLE_SECONDS;
  const { open } = pool.connections();
  ending.abort();
  await Promise.all(loops);
  await pool.close();
  log(
    `${workers} idle workers: ${(looks / IDLE_SECONDS).toFixed(0)} looks/s, ${cores.toFixed(3)} cores of PostgreSQL, ${open} connections`,
  );
  assert.ok(cores < 1 && open <= IDLE_CONNECTIONS);
}

async function postmasterOf({ rows }: Database): Promise<number> {
  return Number((await rows<{ pid: string }>(`SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid`))[0]?.pid);
}

/** The first accounts have ten times as many crawls as the last, and each gets as many pages. */
async function shares(stage: Stage, accounts: number, log: (line: string) => void): Promise<void> {
  const { database, sites } = stage;
  const crawls = createCrawls(database, createCredits(database), { pictures: { linked: (_account, page) => page } });
  const opened = await Promise.all(Array.from({ length: accounts }, () => open(database)));
  const asked = { lane: 'http', max_depth: 1000, sitemap: 'skip', delay_ms: 20 } as const;
  for (const [i, { id }] of opened.entries())
    for (let n = 0; n < (i < accounts / 4 ? 2 * CRAWLS_PER_ACCOUNT : CRAWLS_PER_ACCOUNT); n++)
      await crawls.start(id, { ...asked, url: sites[i]?.start ?? '' });
  const workers = await Promise.all([1, 2].map(() => start(stage, '--role', 'worker', '--crawls-at-once', '4', '--turn-seconds', '1')));
  const pagesOf = async () =>
    await database.rows<{ n: number }>(
      `SELECT coalesce(sum(fetched), 0)::int AS n FROM account LEFT JOIN crawl ON account_id = account.id WHERE account.id = ANY($1) GROUP BY account.id`,
      [opened.map(({ id }) => id)],
    );
  // Long enough for each to have had several turns, and not so long that any is done.
  await pause(accounts * 2500);
  const got = (await pagesOf()).map(({ n }) => n);
  const mean = got.reduce((sum, n) => sum + n, 0) / accounts;
  const [least, most] = [Math.min(...got) / mean, Math.max(...got) / mean];
  for (const { id } of opened) for (const job of (await crawls.list(id, { limit: 500 })).data) await crawls.cancel(id, job.id);
  await Promise.all(workers.map((worker) => endCloudProcess(worker)));
  log(`${accounts} accounts, eight places: shares from ${least.toFixed(2)} to ${most.toFixed(2)} of the mean of ${mean.toFixed(0)} pages`);
  assert.ok(least >= 0.5 && most <= 2, got.join(' '));
}

/** One account crawls as much as it may; another asks for single pages. */
async function beside(stage: Stage, log: (line: string) => void): Promise<void> {
  const { database, sites } = stage;
  const crawls = createCrawls(database, createCredits(database), { pictures: { linked: (_account, page) => page } });
  const [a, b] = [await open(database), await open(database)];
  for (let i = 0; i < 20; i++)
    await crawls.start(a.id, { url: sites[i % (sites.length - 1)]?.start ?? '', lane: 'http', max_depth: 1000, sitemap: 'skip' });
  const programs = await Promise.all([start(stage, '--role', 'worker'), start(stage, '--role', 'api')]);
  const site = sites.at(-1);
  const times: number[] = [];
  for (let i = 0; i < SCRAPES; i++) {
    const began = performance.now();
    const answer = await fetch(`${programs[1]?.url}/api/crawl/scrape`, {
      method: 'POST',
      headers: { authorization: `Bearer ${b.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: new URL(site?.paths[i] ?? '', site?.origin).href, lane: 'http' }),
    });
    assert.equal(answer.status, 200, await answer.text());
    times.push(performance.now() - began);
    await pause(100);
  }
  const p95 = times.toSorted((x, y) => x - y)[Math.floor(times.length * 0.95)] ?? 0;
  for (const job of (await crawls.list(a.id, { limit: 500 })).data) await crawls.cancel(a.id, job.id);
  await Promise.all(programs.map((program) => endCloudProcess(program)));
  log(`beside 20 crawls of another account, ${SCRAPES} pages came within ${p95.toFixed(0)} ms (p95)`);
  assert.ok(p95 < 1000);
}

function open(database: Database) {
  return openAccount('campaign', 1_000_000, { database, keys: createAccountKeys(database), credits: createCredits(database) });
}

function start({ databaseUrl, home, sites }: Stage, ...args: readonly string[]) {
  const targets = sites.flatMap(({ origin }) => ['--private-target', new URL(origin).host]);
  return startCloudProcess({ databaseUrl, home, args: ['--blobs', 'database', ...targets, ...args] });
}
