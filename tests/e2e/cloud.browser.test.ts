// What a browser costs in the cloud.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { createAddressGate, createFetcher } from '@weft/engine/io';
import { openAccount } from '../../packages/cloud/src/accounts/account.ts';
import { createAccountKeys } from '../../packages/cloud/src/accounts/key.ts';
import { createCredits } from '../../packages/cloud/src/credits/credits.ts';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { findBrowser } from '../browser.ts';
import { startTestCloud } from '../cloud.ts';
import type { TestCloud } from '../cloud.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';
import type { RawServer } from '../sites/raw-server.ts';

const SHELL = `<!doctype html><title>App</title><div id="root"></div><script>document.getElementById('root').innerHTML = '<h1>Rendered'</script>`;

suite('a page of the cloud that scripts fill', { timeout: 300_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-cloud-browser-'));
  let site: RawServer;
  let cloud: TestCloud;
  let database: Database;

  before(async () => {
    site = await startRawServer({ '/': reply({ headers: { 'Content-Type': 'text/html' }, body: SHELL }) });
    const gate = createAddressGate({ mode: 'public', privateTargets: [`127.0.0.1:${site.port}`] });
    cloud = await startTestCloud({ fetcher: createFetcher({ home, gate, chromePath: await findBrowser() }) });
    database = await openDatabase(cloud.database.url);
  });
  after(async () => {
    await database.close();
    await cloud[Symbol.asyncDispose]();
    await site.close();
    rmSync(home, { recursive: true });
  });

  const cases: readonly (readonly [string, number, object, object])[] = [
    ['costs two credits', 2, {}, { credits: 2, lane: 'browser', lane_limited: undefined, status: 200 }],
    ['comes over HTTP where one credit is left, and says so', 1, {}, { credits: 1, lane: 'http', lane_limited: true, status: 200 }],
    ['is not asked for over HTTP where a browser was named', 1, { lane: 'browser' }, { status: 402 }],
    ['costs one where HTTP was named', 2, { lane: 'http' }, { credits: 1, lane: 'http', lane_limited: undefined, status: 200 }],
  ];
  for (const [what, amount, more, expected] of cases)
    test(what, async () => {
      const { id, token } = await openAccount('one', amount, {
        database,
        keys: createAccountKeys(database),
        credits: createCredits(database),
      });
      const { status, body } = await cloud.call('POST', '/api/crawl/scrape', { token }, { url: `${site.origin}/`, ...more });
      const { credits, lane, lane_limited } = body;
      assert.deepEqual(status === 200 ? { credits, lane, lane_limited, status } : { status }, expected);
      const left = await createCredits(database).balance(id);
      assert.deepEqual([left.held, left.spent], [0, credits ?? 0]);
    });
});
