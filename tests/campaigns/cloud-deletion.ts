// A very large account is deleted while the one who deletes is killed again and again: how long it takes, and that nothing of it is left.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { openAccount } from '../../packages/cloud/src/accounts/account.ts';
import { createAccountKeys } from '../../packages/cloud/src/accounts/key.ts';
import { createCredits } from '../../packages/cloud/src/credits/credits.ts';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import { startOwnServer } from '../../packages/cloud/src/db/own-server.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { fillAccount, tablesThatKnow } from '../large-account.ts';

export const needs = 'minutes, and gigabytes of disk for a large account';

const MAIN = resolve(import.meta.dirname, '../../packages/cloud/src/main.ts');
/** A hundred rounds are 200,000 pages. */
const PAGES_PER_ROUND = 2000;
const KILLS = 3;
const LOOK_MS = 100;
/** What has a row for each page. */
const LARGE = ['page_copy', 'crawl_page', 'crawl_url', 'ledger'];

export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'weft-cloud-deletion-'));
  const server = await startOwnServer(join(home, 'postgres'));
  const database = await openDatabase(server.url);
  const ports = { database, keys: createAccountKeys(database), credits: createCredits(database) };
  const random = mulberry32(seed);
  try {
    const { id } = await openAccount('large', 10, ports);
    const beside = await openAccount('beside', 10, ports);
    await fillAccount(database, beside.id, PAGES_PER_ROUND);
    const pages = rounds * PAGES_PER_ROUND;
    await fillAccount(database, id, pages);
    const bytes = await database.find<{ bytes: number }>('SELECT pg_database_size(current_database()) AS bytes');
    const order = () =>
      spawn(process.execPath, [MAIN, 'accounts', 'delete', id], {
        env: { ...process.env, DATABASE_URL: server.url, SERVICE_HOME: home },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    const beganMs = performance.now();
    const all = await countRows(database, id);
    let longestMs = 0;
    for (let kills = 0; kills < KILLS; kills++) {
      const left = all * (1 - (kills + random()) / (KILLS + 1));
      const program = order();
      while ((await countRows(database, id)) > left) {
        assert.equal(program.exitCode, null);
        longestMs = Math.max(longestMs, await longestTransaction(database));
        await pause(LOOK_MS);
      }
      program.kill('SIGKILL');
      await once(program, 'exit');
      log(`killed: ${await countRows(database, id)} of ${all} rows are there`);
    }
    const [code] = await once(order(), 'exit');
    assert.equal(code, 0);
    const seconds = (performance.now() - beganMs) / 1000;
    // What is outside of the rows is the cloud's to sweep.
    const known = (await tablesThatKnow(database, id)).filter((name) => name !== 'blob');
    assert.deepEqual(known, []);
    assert.equal(await countPages(database, beside.id), PAGES_PER_ROUND);
    log(
      `${pages} pages, ${((bytes?.bytes ?? 0) / 1e9).toFixed(1)} GB with its indexes: gone after ${seconds.toFixed(0)} s and ${KILLS} kills; longest transaction seen ${longestMs.toFixed(0)} ms`,
    );
  } finally {
    await database.close();
    await server.stop();
    rmSync(home, { recursive: true });
  }
}

async function countPages({ find }: Database, accountId: string): Promise<number | undefined> {
  return (await find<{ n: number }>('SELECT count(*) AS n FROM crawl_page WHERE account_id = $1', [accountId]))?.n;
}

async function countRows({ find }: Database, accountId: string): Promise<number> {
  const counts = LARGE.map((table) => {
    const whose = table === 'crawl_url' ? 'crawl IN (SELECT number FROM crawl WHERE account_id = $1)' : 'account_id = $1';
    return `(SELECT count(*) FROM ${table} WHERE ${whose})`;
  });
  return (await find<{ n: number }>(`SELECT ${counts.join(' + ')} AS n`, [accountId]))?.n ?? 0;
}

/** Milliseconds for which the oldest transaction of another has been under way. */
async function longestTransaction({ find }: Database): Promise<number> {
  const row = await find<{ ms: number | null }>(
    `SELECT max(extract(epoch FROM now() - xact_start)) * 1000 AS ms FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`,
  );
  return Number(row?.ms ?? 0);
}
