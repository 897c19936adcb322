import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { FetchRequest, Page } from '../../ports.ts';
import { reply, startRawServer } from '../../../../../tests/sites/raw-server.ts';
import type { RawServer } from '../../../../../tests/sites/raw-server.ts';
import { createAddressGate } from '../gate/gate.ts';
import type { PageCache } from './cache.ts';
import { createHttpFetcher } from './fetcher.ts';

const kept = new Map<string, Page>();
const cache: PageCache = {
  find: (url) => Promise.resolve(kept.get(url)),
  keep: (url, page) => Promise.resolve(void kept.set(url, page)),
};

describe('the cache of the HTTP lane', () => {
  let site: RawServer;
  let nowMs = 0;
  const fetcher = createHttpFetcher({
    gate: createAddressGate({ mode: 'agent', resolve: () => Promise.resolve(['93.184.215.14']) }),
    dialTo: () => ({ address: '127.0.0.1', port: site.port }),
    clock: { now: () => nowMs },
    cache,
  });
  const get = (path: string, more: Partial<FetchRequest> = {}) =>
    fetcher.fetch({ url: `http://site.example${path}`, ...more }, AbortSignal.timeout(5_000));
  const text = (page: Page) => new TextDecoder().decode(page.body);

  before(async () => {
    const versions: Readonly<Record<string, string>> = { ETag: '"v1"', 'Last-Modified': 'Tue, 01 Jan 2030 12:00:00 GMT' };
    site = await startRawServer(({ path, head }) => {
      if (path === '/plain') return reply({ body: 'plain' });
      if (path === '/no-store') return reply({ headers: { 'Cache-Control': 'no-store' }, body: 'secret' });
      if (path === '/vary') return reply({ headers: { Vary: '*' }, body: 'varied' });
      if (path === '/gone') return reply({ status: '404 Not Found', body: 'gone' });
      return /^if-none-match: "v1"/m.test(head)
        ? reply({ status: '304 Not Modified', headers: versions })
        : reply({ headers: versions, body: 'version 1' });
    });
  });
  beforeEach(() => {
    kept.clear();
    nowMs = 1_000_000;
  });
  after(async () => {
    await fetcher.close();
    await site.close();
  });

  const requestsOf = async (act: () => Promise<unknown>) => {
    const countBefore = site.requests.length;
    await act();
    return site.requests.length - countBefore;
  };

  test('a copy that is young enough answers without a request', async () => {
    await get('/plain');
    nowMs += 60_000;
    const requests = await requestsOf(async () => {
      const page = await get('/plain#part', { maxAgeMs: 60_000 });
      assert.deepEqual([text(page), page.fromCache, page.fetchedAtMs], ['plain', true, 1_000_000]);
    });
    assert.equal(requests, 0);
  });

  test('a copy that is too old is fetched again', async () => {
    await get('/plain');
    nowMs += 60_001;
    assert.equal(await requestsOf(() => get('/plain', { maxAgeMs: 60_000 })), 1);
  });

  test('without a maximum age every request goes out', async () => {
    await get('/plain');
    assert.equal(await requestsOf(() => get('/plain')), 1);
  });

  test('a copy with validators is asked for conditionally, and a 304 renews it', async () => {
    await get('/versioned');
    nowMs += 60_000;
    const page = await get('/versioned');
    assert.deepEqual([page.status, text(page), page.fromCache, page.fetchedAtMs], [200, 'version 1', true, nowMs]);
    assert.match(site.requests.at(-1)?.head ?? '', /^if-modified-since: Tue, 01 Jan 2030/m);
    assert.equal(await requestsOf(() => get('/versioned', { maxAgeMs: 10 })), 0);
  });

  test("the caller's own validators bring an empty page on a 304", async () => {
    const page = await get('/versioned', { validators: { etag: '"v1"' } });
    assert.deepEqual([page.status, page.body.length, page.fromCache], [304, 0, true]);
  });

  test("the caller's own validators bring the page when it has changed", async () => {
    const page = await get('/versioned', { validators: { etag: '"v0"' } });
    assert.deepEqual([page.status, text(page), page.fromCache], [200, 'version 1', false]);
  });

  for (const path of ['/no-store', '/vary', '/gone']) {
    test(`${path} is not kept`, async () => {
      await get(path);
      assert.equal(await requestsOf(() => get(path, { maxAgeMs: 60_000 })), 1);
    });
  }

  test('what depends on who asks is neither kept nor answered from a copy', async () => {
    await get('/plain', { headers: { Authorization: 'Bearer s' } });
    assert.equal(kept.size, 0);
    await get('/plain');
    assert.equal(await requestsOf(() => get('/plain', { headers: { Authorization: 'Bearer s' }, maxAgeMs: 60_000 })), 1);
  });
});
