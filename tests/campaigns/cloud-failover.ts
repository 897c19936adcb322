// The database's machine dies under a cloud, and its synchronous standby takes over behind PgBouncer: nothing that was acknowledged is lost, and
// calls and crawls go on within half a minute.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { openAccount } from '../../packages/cloud/src/accounts/account.ts';
import { createAccountKeys } from '../../packages/cloud/src/accounts/key.ts';
import { createCredits } from '../../packages/cloud/src/credits/credits.ts';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { booksAgree } from '../cloud.ts';
import { endCloudProcess, startCloudProcess } from '../cloud-processes.ts';
import type { CloudProcess } from '../cloud-processes.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { startPgBouncer } from '../pgbouncer.ts';
import { startReplicatedPostgres } from '../replicated-postgres.ts';
import { startGeneratedSite } from '../sites/generated-site.ts';
import type { GeneratedSite } from '../sites/generated-site.ts';

export const needs = "Debian's PostgreSQL, installed, and its PgBouncer, which it brings the first time; minutes";

const APIS = 2;
const WORKERS = 2;
const CRAWLS = 3;
const PAGES = 150;
const SERVER_CONNECTIONS = 20;
const CREDITS = 1_000_000;
/** Traffic before the primary dies, at most. */
const LIFE_MS_MAX = 6000;
/** How long whoever watches the primary takes to notice. */
const NOTICE_MS = 2000;
const WORK_MS = 30_000;
const END_MS = 300_000;
const LOOK_MS = 100;

interface Stage {
  readonly apis: readonly CloudProcess[];
  readonly database: Database;
  /** Of crawls, and of single pages: who asks one host shares its pace. */
  readonly site: GeneratedSite;
  readonly pages: GeneratedSite;
  readonly token: string;
  readonly acknowledged: Acknowledged;
}

/** What callers were told is done. */
interface Acknowledged {
  readonly crawls: string[];
  readonly targets: string[];
  /** Of scrapes: the key under which each was asked for. */
  readonly scrapes: string[];
  refused: number;
}

/** One round is one death of a primary. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const random = mulberry32(seed);
  const home = mkdtempSync(join(tmpdir(), 'weft-failover-'));
  await using undo = new AsyncDisposableStack();
  undo.defer(() => rmSync(home, { recursive: true }));
  const servers = await startReplicatedPostgres();
  undo.defer(() => servers.stop());
  await servers.replicate();
  const bouncer = await startPgBouncer(servers.url, SERVER_CONNECTIONS);
  undo.defer(() => bouncer.stop());
  const database = await openDatabase(bouncer.url);
  undo.defer(() => database.close());
  const site = await startGeneratedSite(PAGES);
  undo.defer(() => site.close());
  const pages = await startGeneratedSite(PAGES);
  undo.defer(() => pages.close());
  const ports = { database, keys: createAccountKeys(database), credits: createCredits(database) };
  const { token } = await openAccount('campaign', CREDITS, ports);
  const args = ['--blobs', 'database', ...[site, pages].flatMap(({ start }) => ['--private-target', new URL(start).host])];
  const start = async (role: string) => {
    const program = await startCloudProcess({ databaseUrl: bouncer.url, home, args: [...args, '--role', role] });
    undo.defer(() => endCloudProcess(program, 'SIGKILL'));
    return program;
  };
  const apis = await Promise.all(Array.from({ length: APIS }, () => start('api')));
  for (let i = 0; i < WORKERS; i++) await start('worker');
  const stage: Stage = { apis, database, site, pages, token, acknowledged: { crawls: [], targets: [], scrapes: [], refused: 0 } };
  for (let round = 1; round <= rounds; round++) {
    for (let i = 0; i < CRAWLS; i++) await startCrawl(stage);
    const ending = new AbortController();
    const traffic = Promise.all(apis.map((_, i) => call(stage, i, ending.signal)));
    await pause(1000 + random() * LIFE_MS_MAX);
    await servers.kill();
    const diedMs = performance.now();
    await pause(NOTICE_MS);
    await servers.promote();
    bouncer.pointTo(servers.port);
    const backMs = await untilWorking(stage, diedMs);
    ending.abort();
    await traffic;
    await untilDone(stage);
    await check(stage);
    await booksAgree({ url: bouncer.url });
    const { crawls, targets, scrapes, refused } = stage.acknowledged;
    log(
      `${round} primaries dead: work after ${(backMs / 1000).toFixed(1)} s; ${crawls.length} crawls, ${targets.length} targets and ${scrapes.length} pages acknowledged, 0 lost; ${refused} calls refused meanwhile`,
    );
    if (round < rounds) await servers.replicate();
  }
}

async function startCrawl(stage: Stage): Promise<void> {
  const body = { url: stage.site.start, lane: 'http', max_depth: 1000, sitemap: 'skip' };
  for (;;) {
    const answer = await post(stage, 0, '/api/crawl', body);
    if (answer?.id !== undefined) return void stage.acknowledged.crawls.push(answer.id);
    await pause(LOOK_MS);
  }
}

/** What was answered; undefined where it was refused or the answer did not come. */
async function post(
  { apis, token, acknowledged }: Stage,
  api: number,
  path: string,
  body: object,
  key?: string,
): Promise<{ readonly id?: string; readonly url?: string; readonly failure?: unknown } | undefined> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  };
  const answer = await fetch((apis[api]?.url ?? '') + path, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => undefined);
  const value = (await answer?.json().catch(() => undefined)) as { id?: string } | undefined;
  if (answer?.ok) return value;
  acknowledged.refused++;
  return undefined;
}

/** Asks for pages and makes targets until the round is over; what is acknowledged is written down. */
async function call(stage: Stage, api: number, signal: AbortSignal): Promise<void> {
  const { pages, acknowledged } = stage;
  for (let i = 0; !signal.aborted; i++) {
    const key = `${api}-${acknowledged.scrapes.length}-${acknowledged.refused}-${i}`;
    const url = new URL(pages.paths[i % PAGES] ?? '', pages.start).href;
    const page = await post(stage, api, '/api/crawl/scrape', { url, lane: 'http' }, key);
    if (page && !page.failure) acknowledged.scrapes.push(key);
    const target = i % 5 === 0 ? await post(stage, api, '/api/targets', { url, active: false }) : undefined;
    if (target?.id !== undefined) acknowledged.targets.push(target.id);
    // Below the rate of one key.
    await pause(LOOK_MS * 4, undefined, { signal }).catch(() => undefined);
  }
}

/** Milliseconds from the death until a call is answered and a crawl has a page more. */
async function untilWorking(stage: Stage, diedMs: number): Promise<number> {
  const { database, acknowledged } = stage;
  const pages = async () => (await database.find<{ n: number }>('SELECT count(*) AS n FROM crawl_page').catch(() => undefined))?.n;
  const isDone = async () => (await database.rows('SELECT 1 FROM crawl_job').catch(() => [undefined])).length === 0;
  const calls = acknowledged.scrapes.length;
  let before: number | undefined;
  for (;;) {
    const now = await pages();
    before ??= now;
    const hasCrawled = now !== undefined && before !== undefined && (now > before || (await isDone()));
    const tookMs = performance.now() - diedMs;
    if (hasCrawled && acknowledged.scrapes.length > calls) return tookMs;
    assert.ok(
      tookMs < WORK_MS,
      `no work ${Math.round(tookMs)} ms after the primary died: ${now} pages, ${acknowledged.scrapes.length - calls} calls`,
    );
    await pause(LOOK_MS);
  }
}

async function untilDone({ database }: Stage): Promise<void> {
  const untilMs = performance.now() + END_MS;
  while ((await database.rows('SELECT 1 FROM crawl_job')).length > 0) {
    assert.ok(performance.now() < untilMs, JSON.stringify(await database.rows('SELECT * FROM crawl_job')));
    await pause(LOOK_MS);
  }
}

async function check({ database, site, acknowledged }: Stage): Promise<void> {
  for (const id of acknowledged.crawls) {
    const pages = await database.rows<{ url: string }>(
      `SELECT record ->> 'url' AS url FROM crawl_page WHERE crawl = (SELECT number FROM crawl WHERE id = $1)`,
      [id],
    );
    assert.deepEqual(pages.map(({ url }) => new URL(url).pathname).toSorted(), site.paths.toSorted(), `${id}: pages lost or doubled`);
  }
  const targets = await database.rows('SELECT 1 FROM target WHERE id = ANY($1)', [acknowledged.targets]);
  assert.equal(targets.length, acknowledged.targets.length, 'a target was lost');
  // The note of a key is of the transaction that keeps the page and charges for it.
  const notes = await database.rows<{ id: string }>('SELECT id FROM idempotency');
  const noted = notes.map(({ id }) => JSON.parse(id) as readonly string[]).flat();
  const lost = acknowledged.scrapes.filter((key) => !noted.includes(key));
  assert.deepEqual(lost, [], 'a page that was acknowledged is not kept');
}
