import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { FetchRequest, Page } from '../../ports.ts';
import { hang, keepAlive, redirect, reply, reset, startRawServer } from '../../../../../tests/sites/raw-server.ts';
import type { RawServer } from '../../../../../tests/sites/raw-server.ts';
import { createAddressGate } from '../gate/gate.ts';
import { createHttpFetcher } from './fetcher.ts';

const html = (body: string) => reply({ headers: { 'Content-Type': 'text/html; charset=utf-8' }, body });
const text = (page: Page) => new TextDecoder().decode(page.body);

describe('the HTTP lane', () => {
  let site: RawServer;
  const fetcher = createHttpFetcher({ gate: createAddressGate({ mode: 'agent' }) });
  const get = (path: string, more: Partial<FetchRequest> = {}) =>
    fetcher.fetch({ url: site.origin + path, privateTargets: [`127.0.0.1:${site.port}`], ...more }, AbortSignal.timeout(600_000));

  before(async () => {
    site = await startRawServer({
      '/page': html('<p>hello'),
      '/a?b=1': html('with a query'),
      '/moved': redirect('/page', 301),
      '/versioned': (socket, { head }) =>
        void socket.end(/^if-none-match: "v1"/m.test(head) ? reply({ status: '304 Not Modified' }) : html('version 1')),
      '/echo': (socket, request) => void socket.end(html(request.head)),
      '/post': (socket, request) => void socket.end(html(`${request.head.split(' ')[0]} ${request.body}`)),
      '/zipped': reply({ headers: { 'Content-Encoding': 'gzip' }, body: gzipSync('<p>hello') }),
      '/alias': html('<meta http-equiv="refresh" content="0; url=/page">'),
      '/circle': html('<meta http-equiv="refresh" content="0; url=/circle-2">'),
      '/circle-2': html('<meta http-equiv="refresh" content="0; url=/circle">'),
      '/hang': hang(),
      '/endless.iso': (socket) =>
        void socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/x-iso9660-image\r\nContent-Length: 4000000000\r\n\r\nCD001'),
      '/reset': reset('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
    });
  });
  after(async () => {
    await fetcher.close();
    await site.close();
  });

  test('brings a page with its status, headers in order, body and timings', async () => {
    const page = await get('/page', { lane: 'http' });
    assert.equal(page.status, 200);
    assert.equal(text(page), '<p>hello');
    assert.equal(page.contentType, 'text/html; charset=utf-8');
    assert.deepEqual(
      page.headers.map(([name]) => name),
      ['content-type', 'content-length'],
    );
    assert.equal(page.laneReason, 'asked');
    assert.equal(page.fromCache, false);
    assert.ok(page.timings.totalMs >= (page.timings.firstByteMs ?? Number.NaN));
    assert.notEqual(page.timings.connectMs, undefined);
  });

  test("the caller's own validators bring an empty page on a 304", async () => {
    const page = await get('/versioned', { validators: { etag: '"v1"', lastModified: 'Tue, 01 Jan 2030 12:00:00 GMT' } });
    assert.deepEqual([page.status, page.body.length, page.fromCache], [304, 0, true]);
    assert.match(site.requests.at(-1)?.head ?? '', /^if-modified-since: Tue, 01 Jan 2030/m);
  });

  test("the caller's own validators bring the page when it has changed", async () => {
    const page = await get('/versioned', { validators: { etag: '"v0"' } });
    assert.deepEqual([page.status, text(page), page.fromCache], [200, 'version 1', false]);
  });

  test('follows a page that sends its visitors on, as a redirect, and tells the caller first', async () => {
    const told: string[] = [];
    const page = await get('/alias', { beforeRedirect: async (url, status) => void told.push(`${status} ${url}`) });
    assert.deepEqual(
      [text(page), page.url, page.redirects],
      ['<p>hello', `${site.origin}/page`, [{ url: `${site.origin}/alias`, status: 200 }]],
    );
    assert.deepEqual(told, [`200 ${site.origin}/page`]);
    assert.match(text(await get('/alias', { followRedirects: false })), /refresh/);
    await assert.rejects(get('/circle'), { code: 'redirect_loop' });
  });

  test('leaves a body on the wire that nobody wants, by its type', async () => {
    const seen: (string | undefined)[] = [];
    const wantsBody = (type: string | undefined) => {
      seen.push(type);
      return type?.startsWith('text/html') ?? true;
    };
    const file = await get('/endless.iso', { wantsBody });
    assert.deepEqual([file.status, file.contentType, file.body.length], [200, 'application/x-iso9660-image', 0]);
    assert.equal(text(await get('/moved', { wantsBody })), '<p>hello');
    assert.deepEqual(seen, ['application/x-iso9660-image', 'text/html; charset=utf-8']);
  });

  test('asks with the query as written and without the fragment', async () => {
    assert.equal(text(await get('/a?b=1#part')), 'with a query');
  });

  test('a question mark with nothing behind it is part of the address', async () => {
    await get('/page?');
    assert.equal(site.requests.at(-1)?.path, '/page?');
  });

  test('a body has a buffer of its own, to be handed to a worker', async () => {
    for (const path of ['/page', '/zipped']) {
      const { body } = await get(path);
      assert.equal(body.buffer.byteLength, body.byteLength);
    }
  });

  test('an address needs no look-up, and then no look-up time is reported', async () => {
    assert.equal((await get('/page')).timings.dnsMs, undefined);
  });

  test('an HTTP status of 404 is a page', async () => {
    assert.equal((await get('/nowhere')).status, 404);
  });

  test('uses an open connection again, and then no connect time is reported', async (t) => {
    const lasting = await startRawServer({ '/': keepAlive(html('kept')) });
    t.after(() => lasting.close());
    const ask = () => fetcher.fetch({ url: lasting.origin, privateTargets: [`127.0.0.1:${lasting.port}`] }, AbortSignal.timeout(600_000));
    const pages = [await ask(), await ask(), await ask(), await ask()];
    // The pool counts a socket as busy until the tick after its answer, so a second one may open.
    assert.ok(lasting.connectionCount() <= 2);
    assert.equal(pages.filter((page) => page.timings.connectMs === undefined).length, 4 - lasting.connectionCount());
  });

  test('asks again where a server closes an idle connection as it is used, also while another is opened', async (t) => {
    const used = new Set<Socket>();
    const first: Socket[] = [];
    const again: Socket[] = [];
    const lasting = await startRawServer(() => (socket) => {
      if (used.has(socket)) return void (again.push(socket) === 1 && socket.end());
      used.add(socket);
      if (used.size <= 8) {
        if (first.push(socket) === 8) for (const each of first) each.write(html('kept'));
        return;
      }
      // The one that was closed first is asked for once more by now.
      for (const each of again) each.end();
      socket.write(html('kept'));
    });
    t.after(() => lasting.close());
    const ask = () => fetcher.fetch({ url: lasting.origin, privateTargets: [`127.0.0.1:${lasting.port}`] }, AbortSignal.timeout(5_000));
    await Promise.all(Array.from({ length: 8 }, ask));
    const pages = await Promise.all(Array.from({ length: 8 }, ask));
    assert.ok(again.length > 1, 'connections were closed without an answer');
    assert.ok(pages.every(({ status }) => status === 200));
  });

  test('follows a redirect and tells the way', async () => {
    const page = await get('/moved');
    assert.equal(page.url, `${site.origin}/page`);
    assert.equal(page.requestedUrl, `${site.origin}/moved`);
    assert.deepEqual(page.redirects, [{ url: `${site.origin}/moved`, status: 301 }]);
  });

  test('keeps a redirect as the page when told not to follow', async () => {
    const page = await get('/moved', { followRedirects: false });
    assert.equal(page.status, 301);
    assert.deepEqual(page.redirects, []);
  });

  test('says honestly who asks, and lets the caller say something else', async () => {
    assert.match(text(await get('/echo')), /^user-agent: WeftBot\/[\d.]+\r?$/m);
    assert.match(text(await get('/echo', { headers: { 'User-Agent': 'Other/1' } })), /^user-agent: Other\/1/m);
  });

  test("does not send a caller's Host, hop-by-hop or broken headers, and names them", async () => {
    const page = await get('/echo', { headers: { Host: 'elsewhere.example', Connection: 'close', 'X-Ok': 'yes', 'X-Bad': 'a\r\nb: c' } });
    assert.doesNotMatch(text(page), /elsewhere|^b:/m);
    assert.match(text(page), /^x-ok: yes/m);
    assert.deepEqual(page.optionsIgnored, ['headers.host', 'headers.connection', 'headers.x-bad']);
  });

  test("names browser options that this lane can't honour", async () => {
    assert.deepEqual((await get('/page', { browser: { waitMs: 10, pdf: true } })).optionsIgnored, ['browser.waitMs', 'browser.pdf']);
  });

  test('sends another method with its body', async () => {
    assert.equal(text(await get('/post', { method: 'POST', body: new TextEncoder().encode('a=1') })), 'POST a=1');
  });

  test('a cancelled request ends as aborted, and the engine stops', async () => {
    const cancel = new AbortController();
    const pending = fetcher.fetch({ url: `${site.origin}/hang`, privateTargets: [`127.0.0.1:${site.port}`] }, cancel.signal);
    setImmediate(() => cancel.abort());
    await assert.rejects(pending, { code: 'aborted', next: 'stop' });
  });

  test('a request that is over its budget ends as timeout', async () => {
    await assert.rejects(get('/hang', { timeoutMs: 50 }), { code: 'timeout', next: 'retry', message: /not finished within 50 ms/ });
  });

  test("a body above the caller's cap is refused before it is read", async () => {
    await assert.rejects(get('/page', { bodyBytesMax: 3 }), { code: 'body_too_large', message: /larger than 3 bytes/ });
  });

  test('a reset in the middle of a body keeps nothing of it', async () => {
    await assert.rejects(get('/reset'), { code: 'truncated' });
  });

  test('a fetcher that is closed ends what is under way as aborted', async () => {
    const closing = createHttpFetcher({ gate: createAddressGate({ mode: 'agent' }) });
    const pending = closing.fetch({ url: `${site.origin}/hang`, privateTargets: [`127.0.0.1:${site.port}`] }, AbortSignal.timeout(600_000));
    setImmediate(() => void closing.close());
    await assert.rejects(pending, { code: 'aborted' });
  });

  test('a private address that nobody named is refused before a connection', async () => {
    const countBefore = site.connectionCount();
    await assert.rejects(fetcher.fetch({ url: `${site.origin}/page` }, AbortSignal.timeout(600_000)), { code: 'address', next: 'drop' });
    assert.equal(site.connectionCount(), countBefore);
  });
});
