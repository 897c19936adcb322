// Money of a cloud where many ask at once and processes are killed: nobody is given more than they have, and the balances are what the movements add up to.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { KEYLESS } from '@weft/contract';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { booksAgree, openTestAccount, startTestCloud, testDatabase } from '../cloud.ts';
import type { TestAccount, TestCloud } from '../cloud.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';
import type { RawServer } from '../sites/raw-server.ts';

/** Why the tests leave it out. */
export const needs = 'minutes of two cores';

const MAIN = resolve(import.meta.dirname, '../../packages/cloud/src/main.ts');
const DEVICES = 1000;
const CALLS = 20;
const LIFE_MS_MAX = 3000;
const PAGE = `<!doctype html><title>Kettles</title><h1>Kettles</h1><p>${'Words that a reader finds on a page. '.repeat(20)}`;

/** Once what many do at the same time, then as many kills as there are rounds. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const random = mulberry32(seed);
  const database = await testDatabase();
  const site = await startRawServer(({ path }) =>
    path === '/robots.txt' ? undefined : reply({ headers: { 'Content-Type': 'text/html' }, body: PAGE }),
  );
  try {
    // A key may ask sixty times at once, which would hide what its credits are refused for.
    const rate = { perSecond: 1e6, burst: 1e6 };
    const options = { database, privateTargets: [`127.0.0.1:${site.port}`], rate };
    {
      await using one = await startTestCloud(options);
      await using other = await startTestCloud(options);
      await atOnce([one, other], site, log);
      await booksAgree(database);
      await allowance([one, other], site, log);
    }
    for (let round = 1; round <= rounds; round++) await kill(database, site, random, (line) => log(`kill ${round}: ${line}`));
  } finally {
    await site.close();
    await database[Symbol.asyncDispose]();
  }
}

async function atOnce(clouds: readonly [TestCloud, TestCloud], site: RawServer, log: (line: string) => void): Promise<void> {
  const cloudOf = (i: number) => clouds[i % 2 === 0 ? 0 : 1];
  const scrapes = async (account: TestAccount, headers: Record<string, string>) =>
    await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        cloudOf(i).call('POST', '/api/crawl/scrape', account, { url: site.origin, lane: 'http' }, headers),
      ),
    );
  const ten = await openTestAccount(clouds[0], 10);
  const statuses = Object.groupBy(await scrapes(ten, {}), ({ status }) => status);
  log(`10 credits, 100 scrapes over two processes: ${statuses[200]?.length} x 200, ${statuses[402]?.length} x 402`);
  assert.deepEqual([statuses[200]?.length, statuses[402]?.length], [10, 90]);
  const keyed = await openTestAccount(clouds[0], 10);
  await scrapes(keyed, { 'idempotency-key': 'one' });
  const { body } = await clouds[0].call('GET', '/api/account/credits', keyed);
  log(`one Idempotency-Key 100 times: ${body.spent} credit spent`);
  assert.equal(body.spent, 1);
}

/** Two calls at a time, as many as a network may have. */
async function allowance(clouds: readonly [TestCloud, TestCloud], site: RawServer, log: (line: string) => void): Promise<void> {
  const statuses = new Map<number, number>();
  let next = 0;
  const caller = async (cloud: TestCloud) => {
    while (next < DEVICES) {
      const device = `device-${String((next += 1)).padStart(16, '0')}`;
      const { status, body } = await cloud.call('POST', '/v1/keyless/scrape', { device }, { url: site.origin });
      assert.ok(status === 200 ? !body.failure : body.code === 'keyless_rate_limited', JSON.stringify(body));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(clouds.map(caller));
  log(`${DEVICES} device ids from one address: ${statuses.get(200)} pages, ${statuses.get(429)} x 429`);
  assert.deepEqual([statuses.get(200), statuses.get(429)], [KEYLESS.pagesPerDayAndNetwork, DEVICES - KEYLESS.pagesPerDayAndNetwork]);
}

/** A process is killed while it scrapes and calls a function; what it held comes back, and what it answered is paid once. */
async function kill(
  database: Awaited<ReturnType<typeof testDatabase>>,
  site: RawServer,
  random: () => number,
  log: (line: string) => void,
): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'weft-cloud-money-'));
  const account = await openTestAccount({ database }, 1000);
  const bearer = { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' };
  const { child, baseUrl } = await startProgram(home, database.url, site.port);
  const post = async (path: string, body: object, headers: object = bearer) => {
    const answer = await fetch(baseUrl + path, { method: 'POST', headers: { ...headers }, body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const slug = `s-${account.id
    .slice(5, 20)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '0')}`;
  const steps = [{ id: 'open', type: 'navigate', url: site.origin }];
  await post('/api/account/publish', { slug, path: 'run', workflow: { name: 'Run', steps } });
  const { body: key } = await post('/api/account/consumer-keys', { name: 'caller', slug });
  const consumer = { authorization: `Bearer ${String(key['token'])}`, 'content-type': 'application/json' };
  const calls = Array.from({ length: CALLS }, (_, i) =>
    i % 2 === 0 ? post('/api/crawl/scrape', { url: site.origin, lane: 'http' }) : post(`/v1/${slug}/run`, {}, consumer),
  );
  const settled = Promise.allSettled(calls);
  await pause(random() * LIFE_MS_MAX);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const answered = (await settled).filter((one) => one.status === 'fulfilled' && one.value.status === 200).length;
  await booksAgree(database);
  // As if the time of what it held were over.
  const direct = await openDatabase(database.url);
  await direct.rows(`UPDATE hold SET until_at = now() - interval '1 second'`);
  await direct.rows(`UPDATE published_run SET started_at = now() - interval '1 hour' WHERE status = 'running'`);
  await using after = await startTestCloud({ database });
  assert.ok(after.baseUrl);
  const balance = await direct.find<{ held: number; spent: number }>('SELECT held, spent FROM balance WHERE account_id = $1', [account.id]);
  const live = await direct.rows(`SELECT 1 FROM published_run WHERE status = 'running'`);
  await direct.close();
  await booksAgree(database);
  log(`${answered} of ${CALLS} answered, ${balance?.spent} paid, ${balance?.held} held`);
  // Paid may be what nobody heard of any more; what was heard of is paid.
  assert.ok(balance && balance.held === 0 && balance.spent >= answered && balance.spent <= CALLS && live.length === 0);
  rmSync(home, { recursive: true });
}

async function startProgram(home: string, databaseUrl: string, port: number) {
  const env = { PATH: process.env['PATH'], SERVICE_HOME: home, DATABASE_URL: databaseUrl };
  const args = [MAIN, '--port', '0', '--private-target', `127.0.0.1:${port}`];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  for await (const piece of child.stderr) {
    said += String(piece);
    if (said.includes('Try, in another terminal')) break;
  }
  const baseUrl = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
  assert.ok(baseUrl, said);
  return { child, baseUrl };
}
