// Each address is asked for once, whichever lane the page comes by.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, before, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { findBrowser } from '../../../../tests/browser.ts';
import { redirect, reply, startRawServer } from '../../../../tests/sites/raw-server.ts';
import type { RawAnswer, RawRequest, RawServer } from '../../../../tests/sites/raw-server.ts';
import { PageError } from '../errors.ts';
import type { FetchRequest, Page } from '../ports.ts';
import { createCookieStore } from './cookies.ts';
import { createFetcher } from './fetcher.ts';
import type { LaneFetcher } from './fetcher.ts';
import { createAddressGate } from './gate/gate.ts';

type Headers = Record<string, string | readonly string[]>;
const html = (body: string | Uint8Array, headers: Headers = {}) => reply({ headers: { 'Content-Type': 'text/html', ...headers }, body });
const shell = (code: string, headers: Headers = {}) =>
  html(
    `<!doctype html><title>App</title><div id="root"></div><script>const root = document.getElementById('root'); ${code}</script>`,
    headers,
  );
const APP = `<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>`;
const WORDS = 'Words that a reader finds on a page. '.repeat(20);
const cookieOf = ({ head }: RawRequest) => /^cookie: (.*)$/im.exec(head)?.[1] ?? '';

const ROUTES: Readonly<Record<string, RawAnswer>> = {
  '/': html(APP),
  '/users/7': html(APP),
  '/app.js': reply({
    headers: { 'Content-Type': 'text/javascript' },
    body: `fetch('/data.json').then((r) => r.json()).then((d) => { document.getElementById('root').innerHTML = '<h1>' + location.pathname + location.hash + '</h1><a href="next">' + d.word + ' ' + history.length + '</a>' })`,
  }),
  '/data.json': reply({ headers: { 'Content-Type': 'application/json' }, body: '{"word":"hello"}' }),
  '/old': redirect('/older'),
  '/older': redirect('/users/7', 301),
  '/refresh': html('<meta http-equiv="refresh" content="0; url=/users/7">'),
  '/cookie': shell(
    `fetch('/me').then((r) => r.text()).then((t) => { root.innerHTML = '<h1>script ' + document.cookie + '</h1><p>server ' + t })`,
    {
      'Set-Cookie': ['open=1; Path=/', 'closed=2; Path=/; HttpOnly'],
    },
  ),
  '/me': (socket, request) => void socket.end(reply({ headers: { 'Content-Type': 'text/plain' }, body: cookieOf(request) })),
  '/gate': reply({ status: '302 Found', headers: { Location: '/behind', 'Set-Cookie': 'gate=3; Path=/' } }),
  '/behind': shell(`root.innerHTML = '<h1>' + document.cookie`),
  '/policy': html(
    `<!doctype html><title>App</title><div id="root"></div><script>document.title = 'ran'</script><script nonce="n1">document.getElementById('root').innerHTML = '<h1>nonce ' + document.title</script>`,
    { 'Content-Security-Policy': "script-src 'nonce-n1'" },
  ),
  '/packed': html(
    gzipSync(
      `<!doctype html><title>App</title><div id="root"></div><script>document.getElementById('root').innerHTML = '<h1>caf\xe9'.slice()</script>`,
      {},
    ),
    {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Encoding': 'gzip',
    },
  ),
  '/latin': html(
    Buffer.from(
      `<!doctype html><title>App</title><div id="root"></div><script>document.getElementById('root').innerHTML = '<h1>caf\xe9'</script>`,
      'latin1',
    ),
    {
      'Content-Type': 'text/html; charset=iso-8859-1',
      'X-Name': 'caf\xe9',
    },
  ),
  '/reloads': shell(`if (sessionStorage.n) root.innerHTML = '<h1>second'; else { sessionStorage.n = 1; location.reload() }`),
  '/onward': shell(`location = '/users/7'`),
  '/frames': shell(`root.innerHTML = '<h1>frames</h1><iframe src="/frame"></iframe>'`),
  '/frame': html('<p>inside'),
  '/template': html(
    `<!doctype html><title>Plants</title><p>${WORDS}<ul ng-app><li ng-repeat="i in items">{{ i.name }} {{ i.price }} {{ i.stock }}</ul><script>document.body.append('x'.repeat(100_000))</script>`,
  ),
  '/empty': shell(`document.body.append('x'.repeat(100_000))`),
  '/page.js': shell(`root.innerHTML = '<h1>a page'`),
  '/code.js': reply({ headers: { 'Content-Type': 'text/javascript' }, body: 'let a' }),
  '/gone.js': reply({ status: '404 Not Found', headers: { 'Content-Type': 'text/html' }, body: `<h1>gone</h1><p>${WORDS}` }),
};

suite('each address is asked for once', { timeout: 600_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-once-'));
  let site: RawServer;
  let fetcher: LaneFetcher;
  let seenBefore = 0;
  const get = (path: string, more: Partial<FetchRequest> = {}) =>
    fetcher.fetch(
      { url: site.origin + path, privateTargets: [`127.0.0.1:${site.port}`], timeoutMs: 20_000, ...more },
      AbortSignal.timeout(600_000),
    );
  const asked = () =>
    site.requests
      .slice(seenBefore)
      .map(({ path }) => path)
      .filter((path) => path !== '/favicon.ico');
  const textOf = (page: Page) => new TextDecoder().decode(page.body);

  before(async () => {
    site = await startRawServer((request) => ROUTES[request.path.replace(/\?.*/s, '')]);
    fetcher = createFetcher({ home, gate: createAddressGate({ mode: 'agent' }), chromePath: await findBrowser() });
  });
  beforeEach(() => {
    seenBefore = site.requests.length;
  });
  after(async () => {
    await fetcher.close();
    await site.close();
    rmSync(home, { recursive: true });
  });

  const shown: readonly (readonly [string, RegExp, readonly string[], Partial<FetchRequest>?])[] = [
    ['/', /<h1>\/<\/h1><a href="next">hello 2</, ['/', '/app.js', '/data.json']],
    ['/users/7', /<h1>\/users\/7</, ['/users/7', '/app.js', '/data.json']],
    ['/#/about', /<h1>\/#\/about</, ['/', '/app.js', '/data.json']],
    ['/old', /<h1>\/users\/7</, ['/old', '/older', '/users/7', '/app.js', '/data.json']],
    ['/old#/x', /<h1>\/users\/7#\/x</, ['/old', '/older', '/users/7', '/app.js', '/data.json']],
    ['/refresh', /<h1>\/users\/7</, ['/refresh', '/users/7', '/app.js', '/data.json']],
    ['/cookie', /<h1>script open=1<\/h1><p>server open=1; closed=2</, ['/cookie', '/me']],
    ['/gate', /<h1>gate=3</, ['/gate', '/behind']],
    ['/policy', /<h1>nonce App</, ['/policy']],
    ['/packed', /<h1>café</, ['/packed']],
    ['/latin', /<h1>café</, ['/latin']],
    ['/frames', /data-frame="[^"]+\/frame"><p>inside/, ['/frames', '/frame']],
    ['/onward', /<h1>\/users\/7</, ['/onward', '/users/7', '/app.js', '/data.json']],
    ['/page.js', /<h1>a page</, ['/page.js'], { lane: 'browser', wantsBody: (type) => !/javascript/.test(type ?? '') }],
    ['/code.js', /^$/, ['/code.js'], { lane: 'browser', wantsBody: (type) => !/javascript/.test(type ?? '') }],
    ['/gone.js', /<h1>gone/, ['/gone.js'], { lane: 'browser', wantsBody: (type) => !/javascript/.test(type ?? '') }],
  ];
  for (const [path, expected, requests, more] of shown)
    test(`${path} ${more ? `with ${JSON.stringify(more)} ` : ''}asks for ${requests.join(' ')}`, async () => {
      const page = await get(path, more);
      assert.match(textOf(page), expected);
      assert.deepEqual(asked(), requests);
    });

  test('the page is told as if the browser had loaded it', async () => {
    const { url, status, headers, redirects, lane, laneReason } = await get('/old');
    assert.deepEqual([url, status, lane, laneReason], [`${site.origin}/users/7`, 200, 'browser', 'js_shell']);
    assert.deepEqual(redirects, [
      { url: `${site.origin}/old`, status: 302 },
      { url: `${site.origin}/older`, status: 301 },
    ]);
    assert.ok(headers.some(([name, value]) => name === 'content-type' && value === 'text/html'));
  });

  test('a store has the cookies of the answer as they were set', async () => {
    const cookies = createCookieStore();
    await get('/cookie', { cookies });
    assert.deepEqual(
      cookies
        .records()
        .map(({ name, value, httpOnly }) => [name, value, httpOnly])
        .sort(),
      [
        ['closed', '2', true],
        ['open', '1', false],
      ],
    );
    assert.deepEqual(asked(), ['/cookie', '/me']);
  });

  test('a page that reloads itself is asked for again, as by its reader', async () => {
    assert.match(textOf(await get('/reloads')), /<h1>second/);
    assert.deepEqual(asked(), ['/reloads', '/reloads']);
  });

  test('an answer to headers that a browser does not send is not handed on', async () => {
    await get('/behind', { headers: { 'X-Key': 'k' } });
    assert.deepEqual(asked(), ['/behind', '/behind']);
  });

  test('a page with content is kept where rendering it fails, and says so', async () => {
    const page = await get('/template', { bodyBytesMax: 50_000 });
    assert.match(textOf(page), /Words that a reader/);
    assert.deepEqual([page.lane, page.laneReason, page.optionsIgnored], ['http', 'render_failed', ['lane']]);
  });

  test('a shell is no page where rendering it fails', async () => {
    await assert.rejects(get('/empty', { bodyBytesMax: 50_000 }), (error) => error instanceof PageError && error.code === 'body_too_large');
  });

  const onward: readonly (readonly [string, FetchRequest['lane'], readonly string[]])[] = [
    ['/old', 'browser', ['302 /older', '301 /users/7']],
    ['/refresh', 'browser', ['200 /users/7']],
    ['/onward', 'browser', ['200 /users/7']],
    ['/onward', 'auto', ['200 /users/7']],
    ['/frames', 'browser', []],
    ['/reloads', 'browser', []],
  ];
  for (const [path, lane, expected] of onward) {
    test(`${path} is asked about by ${lane} before it leads to ${expected.join(', ') || 'nothing'}`, async () => {
      const seen: string[] = [];
      await get(path, {
        lane: lane ?? 'auto',
        beforeRedirect: async (url, status) => void seen.push(`${status} ${url.replace(site.origin, '')}`),
      });
      assert.deepEqual(seen, expected);
    });
    if (expected.length > 0)
      test(`${path} by ${lane} ends where it may not go on`, async () => {
        const end = new PageError('robots', 'not there', { url: 'x' });
        await assert.rejects(get(path, { lane: lane ?? 'auto', beforeRedirect: () => Promise.reject(end) }), end);
        assert.deepEqual(asked(), [path]);
      });
  }
});
