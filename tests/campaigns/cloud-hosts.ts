// Four processes of a cloud at one host: scrapes of two API processes beside crawls of two workers. How long each waits for its first page, what
// is asked of PostgreSQL for it, and whether the host is ever asked faster than one process would.
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
import { startOwnServer } from '../../packages/cloud/src/db/own-server.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { endCloudProcess, startCloudProcess, startCuttable } from '../cloud-processes.ts';
import type { CloudProcess } from '../cloud-processes.ts';
import { startSite } from '../sites/crawl-sites.ts';
import type { LocalSite } from '../sites/crawl-sites.ts';

export const needs = 'half a minute of two cores a round: four processes and their PostgreSQL';

const CRAWLS = 4;
const SCRAPES = 16;
const PAGES = 400;
/** So slow that the crawls are under way for as long as anybody is measured. */
const ANSWER_MS = 60;
const LOOK_MS = 20;
const END_MS = 120_000;
/** Every process waits for three others at most, each of which has the host for about two seconds. */
const FIRST_PAGE_MS = 15_000;
const IN_FLIGHT_MAX = 2;

interface Program {
  readonly cloud: CloudProcess;
  readonly way: Awaited<ReturnType<typeof startCuttable>>;
}

interface Stage {
  readonly database: Database;
  readonly site: LocalSite;
  readonly apis: readonly Program[];
  readonly workers: readonly Program[];
  /** Keys of three accounts. */
  readonly tokens: readonly string[];
}

/** One round is a new site, for a host that nobody has asked. */
export async function campaign({ rounds, log }: CampaignOptions): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'weft-cloud-hosts-'));
  const server = await startOwnServer(join(home, 'postgres'));
  const database = await openDatabase(server.url);
  const ports = { database, keys: createAccountKeys(database), credits: createCredits(database) };
  try {
    const tokens = await Promise.all(['a', 'b', 'c'].map(async (name) => (await openAccount(name, 100_000, ports)).token));
    for (let round = 0; round < rounds; round++) {
      const site = await startSlowSite();
      const start = (role: string) => startProgram(server.url, server.port, [home, '--role', role, new URL(site.origin).host]);
      const programs = await Promise.all(['api', 'api', 'worker', 'worker'].map(start));
      try {
        log(await play({ database, site, apis: programs.slice(0, 2), workers: programs.slice(2), tokens }));
      } finally {
        await Promise.all(programs.map(({ cloud }) => endCloudProcess(cloud)));
        await Promise.all(programs.map(({ way }) => way.close()));
        await site.close();
      }
    }
  } finally {
    await database.close();
    await server.stop();
    rmSync(home, { recursive: true });
  }
}

function startSlowSite(): Promise<LocalSite> {
  return startSite(async (path) => {
    await pause(ANSWER_MS);
    if (path === '/robots.txt') return 'User-agent: *\nDisallow: /private/\n';
    const n = Number(path.slice(1));
    if (!Number.isInteger(n) || n >= PAGES) return undefined;
    const links = Array.from({ length: 9 }, (_, i) => `<a href="/${n * 9 + i + 1}">Page ${n * 9 + i + 1}</a>`);
    return `<title>Page ${n}</title><main><h1>Page ${n}</h1><p>What page ${n} says is said by no other: ${n * 7919}.</p>${links.join(' ')}</main>`;
  });
}

async function startProgram(databaseUrl: string, port: number, [home = '', flag = '', role = '', target = '']: readonly string[]) {
  const way = await startCuttable(() => port);
  const url = Object.assign(new URL(databaseUrl), { port: String(way.port) }).href;
  const args = [flag, role, '--crawls-at-once', '2', '--blobs', 'database', '--private-target', target];
  return { way, cloud: await startCloudProcess({ databaseUrl: url, home, args }) };
}

/** One scrape by itself, then crawls and scrapes side by side. */
async function play(stage: Stage): Promise<string> {
  const { site, apis, workers, tokens } = stage;
  const [a = '', b = '', c = ''] = tokens;
  const scrape = async (i: number) => {
    const beganMs = performance.now();
    const answer = await call(apis[i % apis.length], '/api/crawl/scrape', c, { url: `${site.origin}/${i}`, lane: 'http' });
    assert.equal(answer['failure'], undefined, JSON.stringify(answer));
    return performance.now() - beganMs;
  };
  await scrape(0);
  const alone = [await asks(apis, () => scrape(0)), await asks(apis, () => scrape(2))];
  const turns = [await scrape(3), await scrape(4), await scrape(5), await scrape(6)];
  const before = sent(workers);
  const crawls = await Promise.all(Array.from({ length: CRAWLS }, (_, i) => firstPage(stage, i, i === 0 ? b : a))).then(
    async (begun) => await Promise.all(begun.map(({ first }) => first)),
  );
  const scrapes = [];
  for (let i = 0; i < SCRAPES; i++) scrapes.push(await scrape(i));
  assert.ok(site.mostAtOnce() <= IN_FLIGHT_MAX, `the host was asked ${site.mostAtOnce()} times at once`);
  // Once for the scrapes, and once more for crawls, which want rules that are ten seconds old at most: they begin together.
  assert.ok(site.requests.filter((path) => path === '/robots.txt').length <= 2, 'robots.txt was asked for again');
  const slowest = Math.max(...crawls);
  assert.ok(slowest < FIRST_PAGE_MS, `a crawl had its first page after ${slowest.toFixed(0)} ms`);
  const asked = sent(workers) - before;
  await Promise.all([a, b].map((token) => cancelAll(stage, token)));
  return [
    `a scrape alone asks ${alone.join(' and ')} times; by one process after the other ${shown(turns)}`,
    `first page of a crawl, the account with one of them first: ${shown(crawls)}`,
    `scrapes beside the crawls: ${shown(scrapes.toSorted((x, y) => x - y))}`,
    `workers asked PostgreSQL ${asked} times for ${site.requests.length} requests`,
  ].join('; ');
}

async function firstPage({ site, apis, database }: Stage, i: number, token: string) {
  const beganMs = performance.now();
  const asked = { url: `${site.origin}/${i + 1}`, lane: 'http', sitemap: 'skip', crawl_entire_domain: true, max_depth: 1000 };
  const { id } = await call(apis[i % apis.length], '/api/crawl', token, asked);
  const wait = async () => {
    while (performance.now() - beganMs < END_MS) {
      const pages = await database.rows('SELECT 1 FROM crawl_page JOIN crawl ON number = crawl WHERE crawl.id = $1 LIMIT 1', [id]);
      if (pages.length > 0) return performance.now() - beganMs;
      await pause(LOOK_MS);
    }
    throw new Error(`crawl ${i} had no page within ${END_MS} ms`);
  };
  return { first: wait() };
}

async function cancelAll({ apis }: Stage, token: string): Promise<void> {
  const { data = [] } = (await call(apis[0], '/api/account/jobs', token)) as { data?: readonly { id: string; status: string }[] };
  const live = data.filter(({ status }) => status === 'running' || status === 'queued');
  await Promise.all(live.map(({ id }) => call(apis[0], `/api/account/jobs/${id}/cancel`, token, {})));
}

/** How often all of `programs` asked PostgreSQL while `work` went on. */
async function asks(programs: readonly Program[], work: () => Promise<unknown>): Promise<number> {
  const before = sent(programs);
  await work();
  return sent(programs) - before;
}

function sent(programs: readonly Program[]): number {
  return programs.reduce((sum, { way }) => sum + way.sent(), 0);
}

async function call(program: Program | undefined, path: string, token: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${program?.cloud.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const said = (await answer.json()) as Record<string, unknown>;
  assert.ok(answer.ok, `${path}: ${answer.status} ${JSON.stringify(said)}`);
  return said;
}

function shown(times: readonly number[]): string {
  return `${times.map((ms) => ms.toFixed(0)).join(', ')} ms`;
}
