// The cloud through Debian's PgBouncer in transaction mode, which gives each transaction another connection: nothing may depend on a session.
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
import { endCloudProcess, startCloudProcess } from '../cloud-processes.ts';
import { startPgBouncer } from '../pgbouncer.ts';
import { startGeneratedSite } from '../sites/generated-site.ts';
import { startManyHosts } from '../sites/many-hosts.ts';

export const needs = "Debian's PgBouncer, which it brings the first time, and minutes";

const SERVER_CONNECTIONS = 12;
const PAGES = 60;
const END_MS = 300_000;

export async function campaign({ rounds, log }: CampaignOptions): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'weft-pgbouncer-'));
  const server = await startOwnServer(join(home, 'postgres'));
  const bouncer = await startPgBouncer(server.url, SERVER_CONNECTIONS);
  const database = await openDatabase(server.url);
  const site = await startGeneratedSite(PAGES);
  const wide = await startManyHosts({ hosts: 80, pagesEach: 2 });
  const targets = [new URL(site.start).host, ...wide.targets].flatMap((target) => ['--private-target', target]);
  const args = ['--blobs', 'database', ...targets];
  const options = { databaseUrl: bouncer.url, home };
  try {
    const { token, id: accountId } = await openAccount('campaign', 1_000_000, {
      database,
      keys: createAccountKeys(database),
      credits: createCredits(database),
    });
    const api = await startCloudProcess({ ...options, args: [...args, '--role', 'api'] });
    const workers = await Promise.all([1, 2].map(() => startCloudProcess({ ...options, args: [...args, '--role', 'worker'] })));
    const call = async (path: string, body: object) => {
      const answer = await fetch(api.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const value = (await answer.json()) as { id: string };
      assert.ok(answer.ok, JSON.stringify(value));
      return value;
    };
    const started = { lane: 'http', max_depth: 1000, sitemap: 'skip' };
    for (let round = 0; round < rounds; round++) {
      const ids = await Promise.all([
        ...Array.from({ length: 4 }, () => call('/api/crawl', { ...started, url: site.start })),
        call('/api/crawl', { ...started, url: wide.start, allow_external_links: true }),
      ]);
      for (let i = 0; i < 10; i++) await call('/api/crawl/scrape', { url: new URL(site.paths[i] ?? '', site.start).href, lane: 'http' });
      const untilMs = performance.now() + END_MS;
      const live = () => database.rows('SELECT 1 FROM crawl WHERE id = ANY($1) AND finished_at IS NULL', [ids.map(({ id }) => id)]);
      while ((await live()).length > 0) {
        assert.ok(performance.now() < untilMs, JSON.stringify(await database.rows('SELECT * FROM crawl_job')));
        await pause(100);
      }
      const ended = await database.rows<{ status: string; charged: number }>(
        'SELECT status, charged FROM crawl WHERE id = ANY($1) ORDER BY charged',
        [ids.map(({ id }) => id)],
      );
      assert.deepEqual(ended, [
        ...Array.from({ length: 4 }, () => ({ status: 'succeeded', charged: PAGES })),
        { status: 'succeeded', charged: wide.pages.length },
      ]);
    }
    const [books] = await database.rows<{ held: number; spent: number }>('SELECT held, spent FROM balance WHERE account_id = $1', [
      accountId,
    ]);
    assert.deepEqual(books, { held: 0, spent: rounds * (4 * PAGES + wide.pages.length + 10) });
    log(
      `${rounds} rounds of five crawls and ten pages by three processes over ${SERVER_CONNECTIONS} connections: every page once, the books agree`,
    );
    await Promise.all([api, ...workers].map((program) => endCloudProcess(program)));
  } finally {
    await database.close();
    await bouncer.stop();
    await server.stop();
    await site.close();
    await wide[Symbol.asyncDispose]();
    rmSync(home, { recursive: true });
  }
}
