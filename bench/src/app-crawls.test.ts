import assert from 'node:assert/strict';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { App } from '../apps/app.ts';
import { scoreCrawl } from './app-crawls.ts';
import { startCountingProxy } from './counting-proxy.ts';
import { freePort } from './processes.ts';

const ORIGIN = 'http://127.0.0.1:1';
const APP: App = {
  name: 'sample',
  software: 'Sample',
  port: 1,
  needs: {},
  package: 'sample',
  source: import.meta.filename,
  inner: '/a',
  content: 'main',
  install: () => Promise.resolve(),
  start: () => Promise.resolve(),
  truth: () => Promise.resolve([]),
  pageOf: (url) => (url.searchParams.has('edit') ? undefined : url.pathname),
  isAside: (url) => url.pathname === '/history',
};
const TRUTH = ['/', '/a', '/b'].map((path) => ({ path }));
const asked = (target: string, status = 200, purpose?: string) => ({
  method: 'GET',
  target,
  status,
  contentType: 'text/html',
  purpose,
  body: undefined,
});

test('a page that nobody kept is missed, even when it was asked for', () => {
  const score = scoreCrawl(APP, ORIGIN, TRUTH, [asked('/'), asked('/a'), asked('/b')], [`${ORIGIN}/`, `${ORIGIN}/a?x=1`]);
  assert.deepEqual(score.missed, ['/b']);
  assert.equal(score.wasted.length, 0);
});

test('a page with several addresses is brought by any of them, once', () => {
  const truth = [{ path: '/' }, { path: '/a', also: ['/head', '/tip'] }];
  const score = scoreCrawl(APP, ORIGIN, truth, [asked('/'), asked('/head'), asked('/tip')], [`${ORIGIN}/`, `${ORIGIN}/head`]);
  assert.deepEqual(score.missed, []);
  assert.deepEqual(score.wasted, ['200 /tip']);
});

test('by the log alone a page counts when it was answered', () => {
  assert.deepEqual(scoreCrawl(APP, ORIGIN, TRUTH, [asked('/'), asked('/a', 404)]).missed, ['/a', '/b']);
});

test('other views, repeats and failures are waste; rules, maps and parts of pages are not counted', () => {
  const seen = [
    asked('/'),
    asked('/?edit=1'),
    asked('/a?print=1'),
    asked('/a'),
    asked('/b', 302),
    asked('/robots.txt'),
    asked('/sitemap.xml', 404),
  ];
  const score = scoreCrawl(APP, ORIGIN, TRUTH, [...seen, asked('/x.css', 200, 'style'), asked('/history')]);
  assert.equal(score.requests, 6);
  assert.deepEqual(score.wasted, ['200 /?edit=1', '200 /a', '302 /b']);
  assert.equal(score.asides, 1);
});

test('an address that was asked for twice is named with its count', () => {
  assert.deepEqual(scoreCrawl(APP, ORIGIN, TRUTH, [asked('/a'), asked('/a'), asked('/b')]).repeated, ['2x GET /a']);
});

test('the proxy changes nothing and keeps a line for each request', async () => {
  const server = createServer((request, response) =>
    response.writeHead(201, { 'x-host': request.headers.host }).end(`${request.method} ${request.url}`),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const listen = { host: '127.0.0.1', port: await freePort() };
  const proxy = await startCountingProxy(listen, { host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  try {
    const answer = await new Promise<import('node:http').IncomingMessage>((resolve) =>
      get({ ...listen, path: '/a//b?c=%20;d', headers: { 'sec-fetch-dest': 'document' } }, resolve),
    );
    assert.equal(await text(answer), 'GET /a//b?c=%20;d');
    assert.equal(answer.statusCode, 201);
    assert.equal(answer.headers['x-host'], `127.0.0.1:${listen.port}`);
    assert.deepEqual(proxy.take(), [
      { method: 'GET', target: '/a//b?c=%20;d', status: 201, contentType: '', purpose: 'document', body: undefined },
    ]);
    assert.deepEqual(proxy.take(), []);
  } finally {
    await proxy.stop();
    server.closeAllConnections();
    server.close();
  }
});
