// Ends processes of a cloud at random moments of crawls, by SIGKILL and by SIGSTOP; the sites' own logs and the ledger are the truth.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { openAccount } from '../../packages/cloud/src/accounts/account.ts';
import { createAccountKeys } from '../../packages/cloud/src/accounts/key.ts';
import { createCrawls } from '../../packages/cloud/src/crawl/crawl.ts';
import { createCredits } from '../../packages/cloud/src/credits/credits.ts';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import { startOwnServer } from '../../packages/cloud/src/db/own-server.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { startGeneratedSite } from '../sites/generated-site.ts';
import type { GeneratedSite } from '../sites/generated-site.ts';

export const roundsInTests = 1;
export const needs = 'minutes of two cores: processes that are taken for dead are waited for';

const PROCESSES = 3;
const SITES = 6;
const PAGES = 150;
const LIFE_MS_MAX = 2500;
const CREDITS = 1_000_000;
/** A job whose process was killed is worked on again within so long. */
const BACK_MS = 15_000;
/** As long as a claim lives without a heartbeat. */
const CLAIM_MS = 8000;
const LOOK_MS = 100;
const END_MS = 600_000;
const MAIN = resolve(import.meta.dirname, '../../packages/cloud/src/main.ts');

interface Stage {
  readonly database: Database;
  readonly url: string;
  readonly home: string;
  readonly sites: readonly GeneratedSite[];
  readonly accountId: string;
  readonly programs: Set<ChildProcess>;
  /** Those of them that work. */
  readonly ready: Set<ChildProcess>;
  /** The longest that a job was without a sign of life. */
  silentMs: number;
}

/** One round is one end of a process. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const random = mulberry32(seed);
  const home = mkdtempSync(join(tmpdir(), 'weft-cloud-kill-'));
  const server = await startOwnServer(home);
  const database = await openDatabase(server.url);
  const sites = await Promise.all(Array.from({ length: SITES }, () => startGeneratedSite(PAGES)));
  const ports = { database, keys: createAccountKeys(database), credits: createCredits(database) };
  const { id: accountId } = await openAccount('campaign', CREDITS, ports);
  const stage: Stage = { database, url: server.url, home, sites, accountId, programs: new Set(), ready: new Set(), silentMs: 0 };
  const watching = new AbortController();
  const watch = watchJobs(stage, watching.signal);
  try {
    for (let i = 0; i < PROCESSES; i++) startProgram(stage);
    for (let ended = 0, crawls = 0; ended < rounds;) {
      const ids = await startCrawls(stage);
      ended += await endUntilDone(stage, ids, rounds - ended, random);
      for (const [i, id] of ids.entries()) await checkCrawl(stage, id, sites[i]?.paths ?? []);
      await checkBooks(stage);
      crawls += ids.length;
      log(
        `${ended} ends, ${crawls} crawls of ${PAGES} pages: 0 lost, 0 doubled, 0 wrong charges; a job was silent for ${Math.round(stage.silentMs)} ms at most`,
      );
    }
  } finally {
    watching.abort();
    await watch;
    for (const program of stage.programs) program.kill('SIGKILL');
    await database.close();
    await server.stop();
    await Promise.all(sites.map((site) => site.close()));
    rmSync(home, { recursive: true });
  }
}

function startProgram({ url, home, sites, programs, ready }: Stage): void {
  const targets = sites.flatMap(({ origin }) => ['--private-target', new URL(origin).host]);
  const env = { ...process.env, DATABASE_URL: url, SERVICE_HOME: home };
  const program = spawn(process.execPath, [MAIN, '--port', '0', ...targets], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  programs.add(program);
  // It says where it listens once it works.
  program.stderr.once('data', () => ready.add(program));
  program.on('exit', () => void (programs.delete(program), ready.delete(program)));
}

async function startCrawls({ database, sites, accountId }: Stage): Promise<readonly string[]> {
  const crawls = createCrawls(database, createCredits(database), { pictures: { linked: (_account, page) => page } });
  return await Promise.all(
    sites.map(({ start }) => crawls.start(accountId, { url: start, lane: 'http', max_depth: 1000, sitemap: 'skip' })),
  );
}

/** Ends processes until the crawls are done or enough were ended; how many were. */
async function endUntilDone(stage: Stage, ids: readonly string[], most: number, random: () => number): Promise<number> {
  let ended = 0;
  const untilMs = performance.now() + END_MS;
  while (await hasLive(stage.database, ids)) {
    assert.ok(
      performance.now() < untilMs,
      `crawls without an end: ${JSON.stringify(await stage.database.rows('SELECT * FROM crawl_job'))}`,
    );
    await pause(ended < most ? random() * LIFE_MS_MAX : LOOK_MS);
    const program = [...stage.ready][Math.floor(random() * stage.ready.size)];
    // One that works is left: how long a program takes to start is another question.
    if (ended >= most || !program || stage.ready.size < 2 || !(await isWorkedOn(stage.database))) continue;
    ended++;
    stage.ready.delete(program);
    startProgram(stage);
    if (random() < 0.7) program.kill('SIGKILL');
    else void stopFor(program, CLAIM_MS + random() * CLAIM_MS);
  }
  return ended;
}

/** One that is stopped goes on after it was taken for dead, and is ended only then. */
async function stopFor(program: ChildProcess, ms: number): Promise<void> {
  program.kill('SIGSTOP');
  await Promise.race([pause(ms, undefined, { ref: false }), once(program, 'exit')]);
  program.kill('SIGCONT');
  await Promise.race([pause(ms, undefined, { ref: false }), once(program, 'exit')]);
  program.kill('SIGKILL');
}

async function hasLive({ rows }: Database, ids: readonly string[]): Promise<boolean> {
  return (await rows('SELECT 1 FROM crawl_job WHERE crawl_id = ANY($1)', [ids])).length > 0;
}

async function isWorkedOn({ rows }: Database): Promise<boolean> {
  return (await rows('SELECT 1 FROM crawl_job WHERE alive_until > now()')).length > 0;
}

async function watchJobs(stage: Stage, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const row = await stage.database.find<{ ms: number | null }>(
      'SELECT (extract(epoch FROM max(now() - alive_until)) * 1000)::float8 AS ms FROM crawl_job WHERE claim IS NOT NULL',
    );
    stage.silentMs = Math.max(stage.silentMs, (row?.ms ?? -CLAIM_MS) + CLAIM_MS);
    await pause(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function checkCrawl({ database, silentMs }: Stage, id: string, paths: readonly string[]): Promise<void> {
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
  assert.ok(silentMs < BACK_MS, `a job was silent for ${silentMs} ms`);
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
