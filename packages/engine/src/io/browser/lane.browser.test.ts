// F47, F48: whatever a page does, its fetch ends with a page or a reason, and the next one works.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { findBrowser } from '../../../../../tests/browser.ts';
import { endless, hang, redirect, reply, startRawServer } from '../../../../../tests/sites/raw-server.ts';
import type { RawAnswer, RawServer } from '../../../../../tests/sites/raw-server.ts';
import { PNG } from 'pngjs';
import { PageError } from '../../errors.ts';
import { readPdf } from '../../extract/documents/pdf.ts';
import type { FetchRequest, Page } from '../../ports.ts';
import { createCookieStore } from '../cookies.ts';
import { createAddressGate } from '../gate/gate.ts';
import { createBrowserFetcher } from './lane.ts';
import type { BrowserFetcherOptions } from './lane.ts';

const html = (body: string, headers: Record<string, string | readonly string[]> = {}) =>
  reply({ headers: { 'Content-Type': 'text/html', ...headers }, body });
const script = (code: string) => html(`<body><p>text<script>${code}</script>`);
const textOf = (page: Page) => new TextDecoder().decode(page.body);

const XHTML = `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html [
\t<!ENTITY nbsp "&#xA0;">
\t<!ENTITY sdot "&#x22C5;">
]>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>projects</title></head><body><p>a&sdot;b</p></body></html>`;

const WORDS = 'Words that a reader finds on a page. '.repeat(20);
/** A page whose script does something with `box` later. */
const timed = (code: string, body = '<p id=box>Loading…') =>
  html(`<meta charset=utf-8><body>${body}<script>const box = document.getElementById('box'); ${code}</script>`);

const ROUTES: Readonly<Record<string, RawAnswer>> = {
  '/plain': html('<title>Plain</title><p>plain text'),
  '/endless': endless('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>plain', 'text '.repeat(4_000)),
  '/endless-frame': html('<p>plain text<iframe src="/endless"></iframe>'),
  '/binary': html(`\u0000\u0001${'\u0000\u0007\u001c garbage '.repeat(200)}`),
  '/data.json': reply({ headers: { 'Content-Type': 'application/json' }, body: '{"rows":[1,2]}' }),
  '/rows': script(
    `fetch('/data.json').then((r) => r.json()).then((d) => { for (const row of d.rows) document.body.insertAdjacentHTML('beforeend', '<li>row ' + row) })`,
  ),
  '/late': script(`setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<b id=late>late'), 400)`),
  '/shadow': script(`document.body.attachShadow({ mode: 'open' }).innerHTML = '<p>in the shadow</p><slot></slot>'`),
  '/shadows': html(
    `<x-a></x-a><script>for (const [name, text] of [['x-b', '<b>deep</b><iframe src=/plain></iframe>'], ['x-a', '<x-b></x-b>']]) customElements.define(name, class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = text } })</script>`,
  ),
  '/frame': html('<body><iframe src="/plain"></iframe>'),
  '/nested': html('<body><iframe src="/frame"></iframe>'),
  '/xhtml': reply({ headers: { 'Content-Type': 'application/xhtml+xml' }, body: XHTML }),
  '/xhtml-as-html': html(XHTML),
  '/timer': timed(`setTimeout(() => { box.innerHTML = '<li>row' }, 600)`),
  '/timer-then-fetch': timed(
    `setTimeout(() => fetch('/data.json').then((r) => r.json()).then((d) => { box.innerHTML = d.rows.map((row) => '<li>row ' + row).join('') }), 900)`,
  ),
  '/timers': timed(`const wait = (ms) => new Promise((done) => setTimeout(done, ms));
    wait(300).then(() => wait(300)).then(() => wait(300)).then(() => { box.innerHTML = '<li>row' })`),
  '/timer-skeleton': timed(
    `setTimeout(() => { box.outerHTML = '<li>row' }, 700)`,
    `<p>${WORDS}</p><div id=box class="MuiSkeleton-root" style="height: 9px"></div>`,
  ),
  '/timer-frame': timed(
    `setTimeout(() => { box.innerHTML = '<li>row' }, 700)`,
    `<nav>${WORDS}</nav><p>${WORDS}</p><p id=box>Daten werden geladen…</p>`,
  ),
  '/timers-on-a-page': timed(`setTimeout(() => { box.innerHTML = 'gone' }, 2500)`, `<p>${WORDS}</p><p id=box><i>waits</i>`),
  '/timer-loop': timed(`const again = () => setTimeout(again, 50); again()`, '<p id=box><i>waits</i>'),
  '/timer-cleared': timed(
    `clearTimeout(setTimeout(() => { box.innerHTML = 'gone' }, 2500)); clearTimeout(0); if (!/native code/.test(String(setTimeout))) box.innerHTML = 'seen'`,
    '<p id=box><i>waits</i>',
  ),
  '/hijack': script(
    `for (const name of ['outerHTML', 'innerHTML']) Object.defineProperty(Element.prototype, name, { get: () => 'lies' }); Element.prototype.getHTML = () => 'lies'; document.querySelectorAll = () => []; XMLSerializer.prototype.serializeToString = () => 'lies'; JSON.stringify = () => 'lies'; String.prototype.replace = () => 'lies'`,
  ),
  '/moved': redirect('/plain', 301),
  '/twice': redirect('/moved'),
  '/onward': script(`location = '/plain'`),
  '/away': redirect('http://127.0.0.77:8099/'),
  '/away-by-name': redirect('http://intern.localhost:8099/'),
  '/away-by-script': script(`location = 'http://127.0.0.77:8099/'`),
  '/away-late': script(`setTimeout(() => { location = 'https://127.0.0.77:8099/' }, 30)`),
  '/foreign-frame': script(
    `const f = document.createElement('iframe'); f.src = 'http://127.0.0.77:8099/'; f.onload = f.onerror = () => fetch('/data.json').then((r) => r.json()).then((d) => { for (const row of d.rows) document.body.insertAdjacentHTML('beforeend', '<li>row ' + row) }); document.body.append(f)`,
  ),
  '/forever': script(`location = '/forever?' + Math.random()`),
  '/missing': reply({ status: '404 Not Found', headers: { 'Content-Type': 'text/html' }, body: '<p>gone' }),
  '/bare-error': reply({ status: '500 Broken' }),
  '/nothing': 'HTTP/1.1 204 No Content\r\n\r\n',
  '/file': reply({
    headers: { 'Content-Type': 'application/zip', 'Content-Disposition': 'attachment; filename="a.zip"' },
    body: 'PKbytes',
  }),
  '/text': reply({ headers: { 'Content-Type': 'text/plain' }, body: 'a < b' }),
  '/cookie': html('<p>cookie', { 'Set-Cookie': ['seen=1; Path=/', 'hidden=2; HttpOnly'] }),
  '/cut': (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\n\r\n<p>half'),
  '/reset': (socket) => void socket.resetAndDestroy(),
  '/silent': hang(),
  '/stalled': hang('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\n\r\n<p>half'),
  '/large': html('x'.repeat(300_000)),
  '/told': html(
    `<style>body { margin: 0; background: white } p, input { position: absolute; left: 50px; width: 300px; height: 20px; margin: 0 }</style>
    <h1 style="margin-top: 200px">An account</h1>
    <p style="top: 10px">your code is swordfish</p><p style="top: 40px" id=parts></p><input style="top: 70px" value="swordfish">
    <p style="top: 100px">s3k</p><p style="top: 130px" id=host></p><iframe style="position: absolute; left: 400px; top: 10px; border: 0" src="/told-within"></iframe>
    <script>parts.append('sword', 'fish'); host.attachShadow({ mode: 'open' }).innerHTML = '<b>swordfish</b>';
    addEventListener('beforeprint', () => { document.querySelector('p').textContent = 'again swordfish' })</script>`,
  ),
  '/told-within': html('<body style="margin: 0"><b>swordfish</b>'),
  '/long': html('<div style="height: 20000px">tall</div>'),
  // F47
  '/busy': script('while (true);'),
  '/mutates': script(`setInterval(() => document.body.append(document.createElement('i')), 0)`),
  '/scrolls': script(
    `const more = () => { document.body.insertAdjacentHTML('beforeend', '<p>more'); fetch('/data.json?' + Math.random()).then(() => setTimeout(more, 10)) }; more()`,
  ),
  '/dialogs': script(`for (let i = 0; i < 50; i++) { alert(i); confirm(i); prompt(i) } document.body.append('survived')`),
  '/dialogs-forever': script('while (true) alert(1)'),
  '/unload': script(`onbeforeunload = (event) => { event.preventDefault(); return 'stay' }; document.body.append('survived')`),
  '/popups': script(`for (let i = 0; i < 30; i++) open('/plain'); document.body.append('survived')`),
  '/downloads': script(
    `for (let i = 0; i < 5; i++) { const a = document.createElement('a'); a.href = '/file'; a.download = 'x'; a.click() } document.body.append('survived')`,
  ),
  '/camera': script(
    `Promise.allSettled([navigator.mediaDevices?.getUserMedia({ video: true }), new Promise((_, no) => navigator.geolocation.getCurrentPosition(no, no)), Notification.requestPermission()]).then(() => document.body.insertAdjacentHTML('beforeend', '<b id=done>survived'))`,
  ),
  '/prints': script(`print(); document.body.append('survived')`),
  '/sse': (socket, request) =>
    request.path === '/sse' ? void socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n') : undefined,
  '/listens': script(`new EventSource('/sse').onmessage = () => document.body.insertAdjacentHTML('beforeend', '<b>event')`),
  '/eats': script(`const all = []; setInterval(() => { for (let i = 0; i < 50; i++) all.push(new Uint8Array(4e6).fill(7)) }, 0)`),
};

/** Ways in which a page leaves for an address that its caller has not named. */
const LEAVING = [
  ['a redirect', '/away'],
  ['a redirect to a name', '/away-by-name'],
  ['a script', '/away-by-script'],
  ['a script, late', '/away-late'],
] as const;

/** A fetcher over the routes, and how to ask it. */
async function startLane(options: Partial<BrowserFetcherOptions> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'weft-lane-'));
  const site = await startRawServer((request) => ROUTES[request.path.replace(/\?.*/s, '')]);
  const fetcher = createBrowserFetcher({ home, chromePath: await findBrowser(), gate: createAddressGate({ mode: 'agent' }), ...options });
  const get = (path: string, more: Partial<FetchRequest> = {}, signal = AbortSignal.timeout(600_000)) =>
    fetcher.fetch({ url: site.origin + path, privateTargets: [`127.0.0.1:${site.port}`], timeoutMs: 20_000, ...more }, signal);
  return {
    site,
    fetcher,
    get,
    async close() {
      await fetcher.close();
      await site.close();
      rmSync(home, { recursive: true });
    },
  };
}

const failsWith = (code: string) => (error: unknown) => error instanceof PageError && error.code === code && error.message.length > 20;

suite('the browser lane', { timeout: 600_000 }, () => {
  let lane: Awaited<ReturnType<typeof startLane>>;
  let get: (typeof lane)['get'];
  let site: RawServer;
  before(async () => {
    lane = await startLane();
    ({ get, site } = lane);
  });
  after(() => lane.close());

  test('brings the DOM with what scripts put there, and the JSON that they fetched', async () => {
    const page = await get('/rows');
    assert.match(textOf(page), /<li>row 1<\/li><li>row 2/);
    assert.deepEqual(page.xhr, [{ url: `${site.origin}/data.json`, method: 'GET', status: 200, json: { rows: [1, 2] } }]);
    assert.deepEqual([page.lane, page.status, page.contentType], ['browser', 200, 'text/html; charset=utf-8']);
  });

  const shown: readonly (readonly [string, string, RegExp, Partial<FetchRequest>?])[] = [
    ['waits for a selector', '/late', /id="late"/, { browser: { waitForSelector: '#late' } }],
    ['waits for milliseconds', '/late', /id="late"/, { browser: { waitMs: 600 } }],
    ['shows what open shadow roots hold', '/shadow', /<body><div data-shadow="open"><p>in the shadow<\/p><slot><\/slot><\/div><p>text/],
    [
      'shows shadow roots in shadow roots, and frames in them',
      '/shadows',
      /<x-a><div data-shadow="open"><x-b><div data-shadow="open"><b>deep<\/b><iframe[^>]*><\/iframe><div data-frame="[^"]+"><p>plain text/,
    ],
    ['shows same-origin frames behind their element', '/frame', /<\/iframe><div data-frame="[^"]+\/plain"><p>plain text<\/p><\/div>/],
    ['shows frames in frames', '/nested', /data-frame="[^"]+\/frame"><iframe[^>]*><\/iframe><div data-frame="[^"]+\/plain"><p>plain text/],
    ['reads past what a page does to the built-ins', '/hijack', /<p>text<script>/],
    ['brings an error page with its status', '/missing', /gone/],
    ['brings text as it came', '/text', /^a < b$/],
    ['brings a file as it came', '/file', /^PKbytes$/],
    ['brings JSON as it came', '/data.json', /^\{"rows":\[1,2\]\}$/],
    ['brings an error without a body', '/bare-error', /^$/],
    ['brings an answer without content', '/nothing', /^$/],
    ['follows a script to the next page', '/onward', /plain text/],
    ['reads a page that changes while it is read', '/mutates', /<i><\/i>/],
    ['ends an endless page', '/scrolls', /more/],
    ['dismisses a flood of dialogs', '/dialogs', /survived/],
    ['leaves a page that wants to be stayed on', '/unload', /survived/],
    ['survives a storm of pop-ups', '/popups', /survived/],
    ['passes over downloads that a page begins', '/downloads', /survived/],
    ['denies camera, place and notifications', '/camera', /survived/, { browser: { waitForSelector: '#done' } }],
    ['passes over a print dialog', '/prints', /survived/],
    ['does not wait for a stream of events', '/listens', /event/],
  ];
  for (const [promise, path, expected, more] of shown) test(promise, async () => assert.match(textOf(await get(path, more)), expected));

  for (const path of ['/xhtml', '/xhtml-as-html'])
    test(`${path} is read without the declarations of its DOCTYPE`, async () => {
      const body = textOf(await get(path));
      assert.match(body, /<title>projects<\/title>.*<p>a\u22c5b<\/p>/s);
      assert.doesNotMatch(body, /\]|ENTITY nbsp|<!DOCTYPE html.+\[/);
    });

  for (const [promise, path] of [
    ['fills a page', '/timer'],
    ['asks for the data of a page', '/timer-then-fetch'],
    ['follows on another', '/timers'],
    ['replaces a placeholder on a page with other content', '/timer-skeleton'],
    ['ends a sentence that waits', '/timer-frame'],
  ] as const)
    test(`a timer that ${promise} is awaited`, async () => {
      const body = textOf(await get(path)).replace(/<script.*?<\/script>/gs, '');
      assert.match(body, /<li>row/);
      assert.doesNotMatch(body, /Loading/);
    });

  for (const path of ['/timers-on-a-page', '/timer-loop', '/timer-cleared'])
    test(`no timer is awaited on ${path}`, async () => assert.match(textOf(await get(path)), /<i>waits/));

  test('redirects are told hop by hop', async () => {
    const page = await get('/twice');
    assert.equal(page.url, `${site.origin}/plain`);
    assert.deepEqual(page.redirects, [
      { url: `${site.origin}/twice`, status: 302 },
      { url: `${site.origin}/moved`, status: 301 },
    ]);
  });

  const failing: readonly (readonly [string, string, string, Partial<FetchRequest>?])[] = [
    ['a body that is cut is truncated', '/cut', 'truncated'],
    ['a connection that is reset fails to connect', '/reset', 'connect'],
    ['a server that says nothing runs into the deadline', '/silent', 'timeout', { timeoutMs: 2_000 }],
    ['a body that stands still runs into the deadline', '/stalled', 'timeout', { timeoutMs: 4_000 }],
    ['a page that computes for ever runs into the deadline', '/busy', 'timeout', { timeoutMs: 4_000 }],
    ['a page that asks for ever runs into the deadline', '/dialogs-forever', 'timeout', { timeoutMs: 4_000 }],
    ['a page that goes on for ever is ended', '/forever', 'redirect_limit', { redirectsMax: 3 }],
    ['a selector that does not appear is named', '/plain', 'selector', { timeoutMs: 4_000, browser: { waitForSelector: '#never' } }],
    ['a selector that is none is named', '/plain', 'selector', { browser: { waitForSelector: '###' } }],
    ['a page over the limit is too large', '/large', 'body_too_large', { bodyBytesMax: 100_000 }],
    ['attack 19: a document without an end is cut', '/endless', 'body_too_large', { bodyBytesMax: 1_000_000 }],
    ['attack 19: a part of a page without an end is cut', '/endless-frame', 'body_too_large', { bodyBytesMax: 300_000 }],
    ['attack 17: bytes that are sent as HTML and are none are no page', '/binary', 'unsupported_type'],
    ['a file over the limit is too large', '/file', 'body_too_large', { bodyBytesMax: 3 }],
  ];
  for (const [promise, path, code, more] of failing)
    test(`${promise}, and the next page works`, async () => {
      await assert.rejects(get(path, more), failsWith(code));
      assert.match(textOf(await get('/plain')), /plain text/);
    });

  test('a caller who gives up is let go at once, and the next page works', async () => {
    const caller = new AbortController();
    const fetched = get('/silent', {}, caller.signal);
    const gone = assert.rejects(fetched, failsWith('aborted'));
    caller.abort();
    await gone;
    assert.match(textOf(await get('/plain')), /plain text/);
  });

  test('cookies come from the store of the job and go back to it', async () => {
    const cookies = createCookieStore();
    cookies.keep(site.origin, ['before=0']);
    await get('/cookie', { cookies });
    await get('/plain', { cookies });
    assert.match(site.requests.at(-1)?.head ?? '', /cookie: before=0; seen=1; hidden=2|cookie: (?=.*before=0)(?=.*seen=1)(?=.*hidden=2)/i);
    assert.match(cookies.headerFor(site.origin), /seen=1/);
  });

  for (const [how, leave] of LEAVING)
    test(`a page that leaves for a forbidden address by ${how} costs the pages of its job nothing`, async () => {
      const cookies = createCookieStore();
      const fails = (path: string) => assert.rejects(get(path, { cookies }), failsWith('address'));
      await fails(leave);
      const together = await Promise.all([get('/rows', { cookies }), fails(leave), get('/frame', { cookies })]);
      assert.match(textOf(together[0]), /<li>row 2/);
      assert.match(textOf(together[2]), /plain text/);
      assert.match(textOf(await get('/rows', { cookies })), /<li>row 2/);
    });

  test('a frame of another site costs its page nothing but the frame', async () => {
    const cookies = createCookieStore();
    assert.match(textOf(await get('/foreign-frame', { cookies })), /<iframe.*<li>row 1/s);
    assert.match(textOf(await get('/rows', { cookies })), /<li>row 1/);
  });

  test('cookies without a store end with the page', async () => {
    await get('/cookie');
    await get('/plain');
    assert.doesNotMatch(site.requests.at(-1)?.head ?? '', /^cookie:/im);
  });

  test('pages at once bring each its own, in one job and in many', async () => {
    const cookies = createCookieStore();
    const names = ['/plain', '/rows', '/missing', '/shadow', '/frame', '/text'];
    const pages = await Promise.all([...names, ...names].map((path, at) => get(path, at < names.length ? { cookies } : {})));
    assert.deepEqual(
      pages.map(({ url }) => url),
      [...names, ...names].map((path) => site.origin + path),
    );
    const bodies = pages.map(textOf);
    assert.deepEqual(bodies.slice(0, names.length), bodies.slice(names.length));
    assert.equal(new Set(bodies).size, names.length);
  });

  test('a screenshot is a PNG and a PDF is a PDF', async () => {
    const page = await get('/long', { browser: { screenshot: 'full', pdf: true } });
    assert.equal(Buffer.from(page.screenshot ?? []).toString('latin1', 1, 4), 'PNG');
    assert.equal(Buffer.from(page.pdf ?? []).toString('latin1', 0, 4), '%PDF');
  });

  test('what is hidden is black in a screenshot, and not in a PDF, wherever it stands', async () => {
    const hide = ['swordfish', 's3k'];
    const page = await get('/told', { browser: { screenshot: 'viewport', pdf: true, hide } });
    const { width, data } = PNG.sync.read(Buffer.from(page.screenshot ?? []));
    const at = (x: number, y: number) => data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3).join();
    for (const top of [10, 40, 70, 100])
      for (let y = top; y < top + 20; y++) for (let x = 50; x < 350; x++) assert.equal(at(x, y), '0,0,0', `${x},${y}`);
    // Inline elements are as wide as their words.
    for (const [left, top] of [
      [50, 130],
      [400, 10],
    ] as const)
      for (let y = top; y < top + 15; y++) for (let x = left; x < left + 40; x++) assert.equal(at(x, y), '0,0,0', `${x},${y}`);
    assert.equal(at(700, 180), '255,255,255');
    const print = async (more: object) =>
      JSON.stringify(await readPdf((await get('/told', { browser: { pdf: true, ...more } })).pdf ?? new Uint8Array()));
    assert.match(await print({}), /An account[^]*swordfish/);
    const hidden = await print({ hide });
    assert.match(hidden, /An account/);
    assert.match(hidden, /your code is \\*\[masked/);
    assert.doesNotMatch(hidden, /sword|fish|s3k/);
  });

  test('headers that would reach other origins are named, not sent', async () => {
    const page = await get('/plain', { headers: { Authorization: 'Bearer x', Referer: 'https://from.example/' } });
    assert.deepEqual(page.optionsIgnored, ['headers.authorization']);
    assert.doesNotMatch(site.requests.at(-1)?.head ?? '', /Bearer/);
  });
});

suite('a browser that dies', { timeout: 600_000 }, () => {
  test('a killed browser fails its page with a reason, and the next page gets a new one', async () => {
    const lane = await startLane();
    try {
      await lane.get('/plain');
      const killed = lane.fetcher.running()?.pid ?? 0;
      const fetched = assert.rejects(lane.get('/silent'), failsWith('browser'));
      await asked(lane.site, '/silent');
      process.kill(killed, 'SIGKILL');
      await fetched;
      assert.match(textOf(await lane.get('/plain')), /plain text/);
      assert.notEqual(lane.fetcher.running()?.pid, killed);
    } finally {
      await lane.close();
    }
  });

  test('a killed tab fails its page with a reason, and the next page works', { skip: process.platform !== 'linux' }, async () => {
    const lane = await startLane();
    try {
      await lane.get('/plain');
      const pid = lane.fetcher.running()?.pid ?? 0;
      const fetched = assert.rejects(lane.get('/listens', { browser: { waitMs: 15_000 } }), failsWith('browser'));
      await asked(lane.site, '/sse');
      for (const tab of groupOf(pid).filter((each) => each.arguments.includes('--type=renderer'))) process.kill(tab.pid, 'SIGKILL');
      await fetched;
      assert.match(textOf(await lane.get('/plain')), /plain text/);
    } finally {
      await lane.close();
    }
  });

  test('nothing of the browser is left after close', { skip: process.platform !== 'linux' }, async () => {
    const lane = await startLane();
    const fetched = assert.rejects(lane.get('/busy', { timeoutMs: 5_000 }), PageError);
    await asked(lane.site, '/busy');
    const pid = lane.fetcher.running()?.pid ?? 0;
    assert.ok(groupOf(pid).length > 1);
    await fetched;
    await lane.close();
    assert.deepEqual(groupOf(pid), []);
  });

  test('nothing is left of a browser that was replaced while it had a page open', { skip: process.platform !== 'linux' }, async () => {
    const lane = await startLane({ browserPagesMax: 1 });
    const fetched = assert.rejects(lane.get('/silent'), PageError);
    await asked(lane.site, '/silent');
    const pid = lane.fetcher.running()?.pid ?? 0;
    await lane.get('/plain');
    assert.ok(groupOf(pid).length > 1);
    await lane.close();
    await fetched;
    assert.deepEqual(groupOf(pid), []);
  });

  test('a worn browser is replaced while its pages go on', async () => {
    const lane = await startLane({ browserPagesMax: 2 });
    try {
      const pids = new Set<number | undefined>();
      for (let round = 0; round < 5; round++) {
        await lane.get('/plain');
        pids.add(lane.fetcher.running()?.pid);
      }
      pids.delete(undefined);
      assert.ok(pids.size >= 2);
    } finally {
      await lane.close();
    }
  });

  test('thirty pages in a row cost the same each', async () => {
    const lane = await startLane();
    try {
      const pid = async () => (await lane.get('/rows'), lane.fetcher.running()?.pid);
      const first = await pid();
      for (let round = 0; round < 29; round++) assert.equal(await pid(), first);
    } finally {
      await lane.close();
    }
  });

  test('addresses that do not answer cost no browser', async () => {
    const lane = await startLane();
    try {
      await lane.get('/plain');
      const first = lane.fetcher.running()?.pid;
      for (let round = 0; round < 15; round++) await assert.rejects(lane.get('/reset'), failsWith('connect'));
      assert.equal(lane.fetcher.running()?.pid, first);
    } finally {
      await lane.close();
    }
  });

  test('a browser that is none says how to get one', async () => {
    const lane = await startLane({ chromePath: '/nowhere/chrome' });
    try {
      await assert.rejects(
        lane.get('/plain'),
        (error) => failsWith('browser')(error) && /weft browser install/.test((error as Error).message),
      );
    } finally {
      await lane.close();
    }
  });
});

/** Resolves when the site has been asked for `path`. */
async function asked(site: RawServer, path: string): Promise<void> {
  while (!site.requests.some((request) => request.path === path)) await new Promise((resolve) => setImmediate(resolve));
}

/** The live processes of the group that `leader` leads. */
function groupOf(leader: number): readonly { readonly pid: number; readonly arguments: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [state, , group] = readFileSync(`/proc/${name}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        if (Number(group) !== leader || state === 'Z') return [];
        return [{ pid: Number(name), arguments: readFileSync(`/proc/${name}/cmdline`, 'utf8') }];
      } catch {
        return [];
      }
    });
}
