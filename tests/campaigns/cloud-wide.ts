// One crawl over many hosts by one to eight workers: how much faster it gets, its limit to the page, and a worker killed in the middle.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { openAccount } from '../../packages/cloud/src/accounts/account.ts';
import { createAccountKeys } from '../../packages/cloud/src/accounts/key.ts';
import { createCrawls } from '../../packages/cloud/src/crawl/crawl.ts';
import { createCredits } from '../../packages/cloud/src/credits/credits.ts';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import { startOwnServer } from '../../packages/cloud/src/db/own-server.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { cpuSecondsOfTree, endCloudProcess, startCloudProcess } from '../cloud-processes.ts';
import type { CloudProcess } from '../cloud-processes.ts';
import { startManyHosts } from '../sites/many-hosts.ts';
import type { ManyHosts } from '../sites/many-hosts.ts';

export const needs = 'minutes of two cores: hundreds of hosts, and eight processes';

const HOSTS_PER_ROUND = 20;
const PAGES_EACH = 6;
/** So long that it is what a worker waits for, not its CPU; where much else goes on, longer. */
const ANSWER_MS = Number(process.env['WIDE_ANSWER_MS'] ?? 200);
/** Of a worker: one place has sixteen requests under way, and that is all that it may have of a machine. */
const PLACES = 1;
const END_MS = 1_800_000;
const LOOK_MS = 50;

interface Stage {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly home: string;
  readonly site: ManyHosts;
  readonly accountId: string;
}

/** A hundred rounds are 2,000 hosts. */
export async function campaign({ rounds, log }: CampaignOptions): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'weft-cloud-wide-'));
  const server = await startOwnServer(join(home, 'postgres'));
  const database = await openDatabase(server.url);
  const hosts = Math.max(5, rounds) * HOSTS_PER_ROUND;
  // The first page leads to all of them: what workers make faster is a crawl whose hosts are known.
  const site = await startManyHosts({ hosts, pagesEach: PAGES_EACH, links: hosts, answerMs: ANSWER_MS });
  const ports = { database, keys: createAccountKeys(database), credits: createCredits(database) };
  try {
    const { id: accountId } = await openAccount('campaign', 1_000_000, ports);
    const stage: Stage = { database, databaseUrl: server.url, home, site, accountId };
    const rates: number[] = [];
    for (const workers of [1, 2, 4, 8]) {
      const { seconds, cpu } = await crawlWith(stage, workers, { limit: site.pages.length + 1 });
      const rate = site.pages.length / seconds;
      rates.push(rate);
      log(
        `${workers} workers, ${ANSWER_MS} ms an answer: ${rate.toFixed(1)} pages/s, ${(rate / (rates[0] ?? 1)).toFixed(2)} of one; ${shownCpu(cpu, site.pages.length, seconds)}`,
      );
    }
    const limit = Math.floor(site.pages.length / 2) + 1;
    await crawlWith(stage, 2, { limit });
    log(`limit ${limit} of ${site.pages.length} pages: exact`);
    await crawlWith(stage, 3, { limit: site.pages.length + 1, kills: true });
    log('a worker killed in the middle: 0 lost, 0 doubled, 0 wrong charges');
  } finally {
    await database.close();
    await server.stop();
    await site[Symbol.asyncDispose]();
    rmSync(home, { recursive: true });
  }
}

interface Crawled {
  /** From its first page on. */
  readonly seconds: number;
  readonly cpu: CpuSeconds;
}

/** Of all that takes part, and of the whole machine beside it. */
interface CpuSeconds {
  readonly workers: number;
  readonly postgres: number;
  /** The sites and this campaign. */
  readonly site: number;
  readonly machine: number;
}

async function crawlWith(
  stage: Stage,
  workers: number,
  { limit, kills = false }: { readonly limit: number; readonly kills?: boolean },
): Promise<Crawled> {
  const { database, databaseUrl, home, site, accountId } = stage;
  const targets = site.targets.flatMap((target) => ['--private-target', target]);
  const args = ['--role', 'worker', '--crawls-at-once', String(PLACES), '--blobs', 'database', ...targets];
  const programs = await Promise.all(Array.from({ length: workers }, () => startCloudProcess({ databaseUrl, home, args })));
  const used = await cpuMeter(stage, programs);
  const crawls = createCrawls(database, createCredits(database), { pictures: { linked: (_account, page) => page } });
  const asked = { url: site.start, lane: 'http', sitemap: 'skip', allow_external_links: true, max_depth: 1000, limit } as const;
  site.requests.length = 0;
  const id = await crawls.start(accountId, asked);
  const beganMs = performance.now();
  let startMs = 0;
  let victims = kills ? 1 : 0;
  try {
    while ((await database.rows('SELECT 1 FROM crawl WHERE id = $1 AND finished_at IS NULL', [id])).length > 0) {
      assert.ok(performance.now() - beganMs < END_MS, `no end: ${JSON.stringify(await database.rows('SELECT * FROM crawl_job'))}`);
      if (startMs === 0 && site.requests.length > 0) startMs = performance.now();
      if (victims > 0 && site.requests.length > site.pages.length / 3) {
        victims--;
        const victim = programs.shift();
        if (victim) await endCloudProcess(victim, 'SIGKILL');
      }
      await pause(LOOK_MS);
    }
    const seconds = (performance.now() - startMs) / 1000;
    const cpu = used();
    await check(stage, id, Math.min(limit, site.pages.length));
    return { seconds, cpu };
  } finally {
    await Promise.all(programs.map((program) => endCloudProcess(program)));
  }
}

/** What is used between this call and that of what it answers. */
async function cpuMeter({ database }: Stage, programs: readonly CloudProcess[]): Promise<() => CpuSeconds> {
  const [row] = await database.rows<{ pid: string }>(`SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid`);
  const pids = programs.map((program) => program.process.pid ?? 0);
  const now = (): CpuSeconds => {
    const own = process.cpuUsage();
    return {
      workers: pids.reduce((sum, pid) => sum + cpuSecondsOfTree(pid), 0),
      postgres: cpuSecondsOfTree(Number(row?.pid)),
      site: (own.user + own.system) / 1e6,
      machine: cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + (user + nice + sys + irq) / 1000, 0),
    };
  };
  const before = now();
  return () => {
    const after = now();
    const used = (name: keyof CpuSeconds) => after[name] - before[name];
    return { workers: used('workers'), postgres: used('postgres'), site: used('site'), machine: used('machine') };
  };
}

function shownCpu({ workers, postgres, site, machine }: CpuSeconds, pages: number, seconds: number): string {
  const ms = (used: number) => `${((used * 1000) / pages).toFixed(1)} ms`;
  const share = (used: number) => (used / seconds).toFixed(2);
  return `CPU of a page: workers ${ms(workers)}, PostgreSQL ${ms(postgres)}, sites ${ms(site)}; cores in use: ${share(workers + postgres + site)} of this, ${share(machine)} of all on ${cpus().length}`;
}

async function check({ database, site }: Stage, id: string, expected: number): Promise<void> {
  const crawl = await database.find<{ number: number; status: string; charged: number; hold_id: string }>(
    'SELECT * FROM crawl WHERE id = $1',
    [id],
  );
  assert.equal(crawl?.status, 'succeeded', JSON.stringify(crawl));
  const pages = await database.rows<{ url: string }>(
    `SELECT record ->> 'url' AS url FROM crawl_page WHERE crawl IN (SELECT number FROM crawl WHERE number = $1 OR parent = $1)`,
    [crawl?.number],
  );
  const urls = pages.map(({ url }) => url);
  assert.equal(urls.length, expected);
  assert.equal(new Set(urls).size, expected);
  if (expected === site.pages.length) assert.deepEqual(urls.toSorted(), site.pages.toSorted());
  const paid = await database.rows<{ about: string }>(`SELECT about FROM ledger WHERE kind = 'settle' AND hold_id = $1`, [crawl?.hold_id]);
  assert.deepEqual(paid.map(({ about }) => about).toSorted(), urls.toSorted());
  assert.equal(crawl?.charged, expected);
}
