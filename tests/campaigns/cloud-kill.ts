// Ends processes of a cloud at random moments of crawls, by SIGKILL and SIGSTOP, cuts workers off from the database and kills the database itself;
// the sites' own logs and the ledger are the truth.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { openAccount } from '../../packages/cloud/src/accounts/account.ts';
import { createAccountKeys } from '../../packages/cloud/src/accounts/key.ts';
import { createCredits } from '../../packages/cloud/src/credits/credits.ts';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import { startOwnServer } from '../../packages/cloud/src/db/own-server.ts';
import type { OwnServer } from '../../packages/cloud/src/db/own-server.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { endCloudProcess, startCloudProcess, startCuttable } from '../cloud-processes.ts';
import type { CloudProcess } from '../cloud-processes.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { startGeneratedSite } from '../sites/generated-site.ts';
import type { GeneratedSite } from '../sites/generated-site.ts';

export const roundsInTests = 1;
export const needs = 'minutes of two cores: processes that are taken for dead are waited for';

const WORKERS = 3;
const APIS = 2;
const SITES = 6;
const PAGES = 150;
const LIFE_MS_MAX = 2500;
const CREDITS = 1_000_000;
/** A job whose process was killed is worked on again within so long. */
const BACK_MS = 15_000;
/** As long as a claim lives without a heartbeat. */
const CLAIM_MS = 8000;
/** A job that ended so many workers in a row, without getting on, fails. */
const LOSSES_MAX = 3;
const LOOK_MS = 100;
const END_MS = 600_000;
/** How often each way is taken. */
const WAYS = [
  ['kill', 0.5],
  ['stop', 0.25],
  ['cut', 0.2],
  ['database', 0.05],
] as const;

interface Stage {
  readonly database: Database;
  /** The way of each process to the database, which stays where it is when that comes back elsewhere. */
  readonly server: { current: OwnServer };
  readonly home: string;
  readonly sites: readonly GeneratedSite[];
  readonly accountId: string;
  readonly token: string;
  readonly apis: Worker[];
  /** Workers that work. */
  readonly ready: Set<Worker>;
  readonly starting: Set<Promise<void>>;
  /** The longest that a job was without a sign of life. */
  silentMs: number;
  /** How things stood when that was too long. */
  evidence?: string;
  /** The longest from the end of the database to its answer. */
  awayMs: number;
}

/** A program and its way to the database. */
interface Worker {
  readonly program: CloudProcess;
  readonly way: Awaited<ReturnType<typeof startCuttable>>;
}

/** One round is one end of a process. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const random = mulberry32(seed);
  const home = mkdtempSync(join(tmpdir(), 'weft-cloud-kill-'));
  const server = { current: await startOwnServer(home) };
  const own = await startCuttable(() => server.current.port);
  const database = await openDatabase(urlBy(server.current, own.port));
  const sites = await Promise.all(Array.from({ length: SITES }, () => startGeneratedSite(PAGES)));
  const ports = { database, keys: createAccountKeys(database), credits: createCredits(database) };
  const { id: accountId, token } = await openAccount('campaign', CREDITS, ports);
  const stage: Stage = {
    database,
    server,
    home,
    sites,
    accountId,
    token,
    apis: [],
    ready: new Set(),
    starting: new Set(),
    silentMs: 0,
    awayMs: 0,
  };
  const watching = new AbortController();
  const watch = watchJobs(stage, watching.signal);
  try {
    for (let i = 0; i < APIS; i++) stage.apis.push(await startProgram(stage, 'api'));
    for (let i = 0; i < WORKERS; i++) startWorker(stage);
    for (let ended = 0, crawls = 0; ended < rounds;) {
      const ids = await startCrawls(stage);
      ended += await endUntilDone(stage, ids, rounds - ended, random);
      for (const [i, id] of ids.entries()) await checkCrawl(stage, id, sites[i]?.paths ?? []);
      await checkBooks(stage);
      crawls += ids.length;
      log(
        `${ended} ends, ${crawls} crawls of ${PAGES} pages: 0 lost, 0 doubled, 0 wrong charges; a job was silent for ${Math.round(stage.silentMs)} ms at most, the database away for ${Math.round(stage.awayMs)}`,
      );
    }
  } finally {
    watching.abort();
    await watch;
    await Promise.all(stage.starting);
    for (const { program, way } of [...stage.ready, ...stage.apis]) {
      await endCloudProcess(program, 'SIGKILL');
      await way.close();
    }
    await database.close();
    await own.close();
    await server.current.stop();
    await Promise.all(sites.map((site) => site.close()));
    rmSync(home, { recursive: true });
  }
}

function urlBy({ url }: OwnServer, port: number): string {
  return Object.assign(new URL(url), { port: String(port) }).href;
}

async function startProgram({ server, home, sites }: Stage, role: 'api' | 'worker'): Promise<Worker> {
  const way = await startCuttable(() => server.current.port);
  const targets = sites.flatMap(({ origin }) => ['--private-target', new URL(origin).host]);
  const databaseUrl = urlBy(server.current, way.port);
  try {
    return { way, program: await startCloudProcess({ databaseUrl, home, args: ['--role', role, '--blobs', 'database', ...targets] }) };
  } catch (error) {
    await way.close();
    throw error;
  }
}

function startWorker(stage: Stage): void {
  const started = startProgram(stage, 'worker')
    .then((worker) => void stage.ready.add(worker))
    // The database was killed while it started.
    .catch(() => startWorker(stage))
    .finally(() => stage.starting.delete(started));
  stage.starting.add(started);
}

/** Asked of one process or the other, until one of them answers. */
async function startCrawls({ apis, sites, token }: Stage): Promise<readonly string[]> {
  return await Promise.all(
    sites.map(async ({ start: url }, i) => {
      for (;;) {
        const answer = await fetch(`${apis[i % apis.length]?.program.url}/api/crawl`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ url, lane: 'http', max_depth: 1000, sitemap: 'skip' }),
        });
        const { id } = (await answer.json()) as { id?: string };
        if (id !== undefined) return id;
        await pause(LOOK_MS);
      }
    }),
  );
}

/** Ends processes until the crawls are done or enough were ended; how many were. */
async function endUntilDone(stage: Stage, ids: readonly string[], most: number, random: () => number): Promise<number> {
  let ended = 0;
  const untilMs = performance.now() + END_MS;
  while (await hasLive(stage.database, ids).catch(() => true)) {
    assert.ok(
      performance.now() < untilMs,
      `crawls without an end: ${JSON.stringify(await stage.database.rows('SELECT * FROM crawl_job'))}`,
    );
    await pause(ended < most ? random() * LIFE_MS_MAX : LOOK_MS);
    const worker = [...stage.ready][Math.floor(random() * stage.ready.size)];
    // One that works is left: how long a program takes to start is another question.
    if (ended >= most || !worker || stage.ready.size < 2 || !(await mayEnd(stage.database).catch(() => false))) continue;
    ended++;
    await end(stage, worker, random);
  }
  return ended;
}

async function end(stage: Stage, worker: Worker, random: () => number): Promise<void> {
  let chosen = random();
  const [way] = WAYS.find(([, share]) => (chosen -= share) < 0) ?? WAYS[0];
  if (way === 'database') return await killDatabase(stage);
  stage.ready.delete(worker);
  startWorker(stage);
  const gone = way === 'kill' ? endCloudProcess(worker.program, 'SIGKILL') : silence(worker, way, CLAIM_MS + random() * CLAIM_MS);
  const done = gone.then(() => worker.way.close()).finally(() => stage.starting.delete(done));
  stage.starting.add(done);
}

/** One that is stopped or cut off goes on after it was taken for dead, and is ended only then. */
async function silence({ program, way }: Worker, how: 'stop' | 'cut', ms: number): Promise<void> {
  if (how === 'stop') program.process.kill('SIGSTOP');
  else way.cut(true);
  await Promise.race([pause(ms, undefined, { ref: false }), once(program.process, 'exit')]);
  if (how === 'stop') program.process.kill('SIGCONT');
  else way.cut(false);
  await Promise.race([pause(ms, undefined, { ref: false }), once(program.process, 'exit')]);
  await endCloudProcess(program, 'SIGKILL');
}

/** The server with all that it was at, started anew at once. */
async function killDatabase(stage: Stage): Promise<void> {
  const { database, server, home } = stage;
  const [row] = await database.rows<{ pid: string }>(`SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid`);
  process.kill(Number(row?.pid), 'SIGKILL');
  const goneMs = performance.now();
  await pause(LOOK_MS);
  for (;;) {
    const started = await startOwnServer(home).catch(() => undefined);
    if (started) {
      server.current = started;
      stage.awayMs = Math.max(stage.awayMs, performance.now() - goneMs);
      return;
    }
    await pause(LOOK_MS);
  }
}

async function hasLive({ rows }: Database, ids: readonly string[]): Promise<boolean> {
  return (await rows('SELECT 1 FROM crawl_job WHERE crawl_id = ANY($1)', [ids])).length > 0;
}

/** Something is worked on, and nothing is at its last worker: one that loses three in a row before it gets on fails, as it should. */
async function mayEnd({ rows }: Database): Promise<boolean> {
  const jobs = await rows<{ is_alive: boolean; is_last: boolean }>(
    `SELECT alive_until > now() AS is_alive, losses >= $1 AND discovered - pending <= settled_at_claim AS is_last
     FROM crawl_job JOIN crawl ON crawl.id = crawl_id`,
    [LOSSES_MAX - 1],
  );
  return jobs.some(({ is_alive: isAlive }) => isAlive) && !jobs.some(({ is_last: isLast }) => isLast);
}

async function watchJobs(stage: Stage, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const row = await stage.database
      .find<{ ms: number | null }>(
        'SELECT (extract(epoch FROM max(now() - alive_until)) * 1000)::float8 AS ms FROM crawl_job WHERE claim IS NOT NULL',
      )
      .catch(() => undefined);
    stage.silentMs = Math.max(stage.silentMs, (row?.ms ?? -CLAIM_MS) + CLAIM_MS);
    if (stage.silentMs >= BACK_MS) stage.evidence ??= await evidenceOf(stage).catch(String);
    await pause(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** What the jobs, the processes and the connections were at. */
async function evidenceOf({ database, ready, starting }: Stage): Promise<string> {
  const jobs = await database.rows(
    'SELECT crawl_id, claim, now() - alive_until AS late, losses, waits_for, queued_at IS NOT NULL AS is_queued FROM crawl_job',
  );
  const connections = await database.rows(
    `SELECT pid, pg_blocking_pids(pid) AS blocked_by, state, wait_event, now() - xact_start AS since, left(query, 120) AS query
     FROM pg_stat_activity WHERE datname = current_database() AND (state <> 'idle' OR xact_start IS NOT NULL)`,
  );
  return JSON.stringify({ ready: ready.size, starting: starting.size, jobs, connections });
}

async function checkCrawl({ database, silentMs, evidence }: Stage, id: string, paths: readonly string[]): Promise<void> {
  const crawl = await database.find<{
    number: number;
    status: string;
    charged: number;
    fetched: number;
    hold_id: string;
    failure: unknown;
  }>('SELECT * FROM crawl WHERE id = $1', [id]);
  assert.ok(crawl);
  assert.equal(crawl.status, 'succeeded', JSON.stringify(crawl));
  const pages = await database.rows<{ url: string }>(`SELECT record ->> 'url' AS url FROM crawl_page WHERE crawl = $1`, [crawl.number]);
  assert.deepEqual(pages.map(({ url }) => new URL(url).pathname).toSorted(), paths.toSorted(), `${id}: pages lost or doubled`);
  const paid = await database.rows<{ about: string }>(`SELECT about FROM ledger WHERE kind = 'settle' AND hold_id = $1`, [crawl.hold_id]);
  assert.deepEqual(paid.map(({ about }) => about).toSorted(), pages.map(({ url }) => url).toSorted(), `${id}: wrong charges`);
  assert.deepEqual([crawl.charged, crawl.fetched], [paths.length, paths.length]);
  assert.ok(silentMs < BACK_MS, `a job was silent for ${silentMs} ms: ${evidence}`);
}

async function checkBooks({ database, accountId }: Stage): Promise<void> {
  const [balance] = await database.rows<{ available: number; held: number; spent: number }>('SELECT * FROM balance WHERE account_id = $1', [
    accountId,
  ]);
  const [paid] = await database.rows<{ spent: number }>(`SELECT sum(charged)::bigint AS spent FROM crawl WHERE account_id = $1`, [
    accountId,
  ]);
  assert.deepEqual([balance?.held, balance?.spent, balance?.available], [0, paid?.spent, CREDITS - (paid?.spent ?? 0)]);
  assert.deepEqual(await database.rows('SELECT id FROM hold WHERE account_id = $1', [accountId]), []);
}
