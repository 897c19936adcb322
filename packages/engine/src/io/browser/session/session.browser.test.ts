// What a session keeps, gives and endures, beside its acts.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, suite, test } from 'node:test';
import { queryObjects } from 'node:v8';
import { findBrowser, launchBrowser } from '../../../../../../tests/browser.ts';
import { endless, reply, startRawServer } from '../../../../../../tests/sites/raw-server.ts';
import type { RawAnswer, RawServer } from '../../../../../../tests/sites/raw-server.ts';
import { until } from '../../../../../../tests/until.ts';
import { PageError } from '../../../errors.ts';
import type { ActBounds, BrowserSession, SessionOptions } from '../../../run/session.ts';
import { createAddressGate } from '../../gate/gate.ts';
import { createBrowserFetcher } from '../lane.ts';
import type { BrowserFetcher, BrowserFetcherOptions } from '../lane.ts';

const html = (body: string, headers: Record<string, string> = {}) =>
  reply({ headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers }, body: `<!doctype html>${body}` });
const script = (code: string) => html(`<body><button id=b>press</button><p>text</p><script>${code}</script>`);

const ROUTES: Readonly<Record<string, RawAnswer>> = {
  '/plain': html('<title>Plain</title><h1>Plain</h1><p hidden>hidden</p>'),
  '/form': html('<form action=/landed><label>Word<input name=w></label><button>Send</button></form>'),
  '/landed': html('<h1>Landed</h1>', { 'Set-Cookie': 'seen=1; Path=/' }),
  '/late': script(
    `setTimeout(() => { document.body.insertAdjacentHTML('beforeend', '<i class=late data-n=7>late</i><i class=late hidden>too</i>'); window.done = { deep: [1] } }, 300)`,
  ),
  '/enables': script(
    `b.disabled = true; setTimeout(() => { b.disabled = false }, 300); b.onclick = () => { window.pressed = (window.pressed ?? 0) + 1 }`,
  ),
  '/replaces': script(
    `let n = 0; const again = setInterval(() => { const next = b.cloneNode(true); next.onclick = () => { window.pressed = (window.pressed ?? 0) + 1 }; document.getElementById('b').replaceWith(next); if (++n > 20) clearInterval(again) }, 15)`,
  ),
  '/hosts': html('<p>none yet, <i>outside</i></p><div id=d></div><x-box></x-box><table><tr><td>cell</td></tr></table>'),
  '/covered': html('<button>under</button><div style="position: fixed; inset: 0">over</div>'),
  '/json': script(`b.onclick = () => fetch('/data.json?key=secret&page=1').then((r) => r.json()).then(() => { window.done = true })`),
  '/data.json': reply({ headers: { 'Content-Type': 'application/json' }, body: '{"rows":[1,2]}' }),
  '/store': script(`localStorage.setItem('word', 'kept'); document.cookie = 'mine=2; max-age=1000';
    const asked = indexedDB.open('shop', 1); asked.onupgradeneeded = () => asked.result.createObjectStore('cart').put({ sku: 'G-1' }, 'first'); asked.onsuccess = () => { asked.result.close(); window.done = true }`),
  '/recall':
    script(`const asked = indexedDB.open('shop', 1); asked.onsuccess = () => { const get = asked.result.transaction('cart').objectStore('cart').get('first');
    get.onsuccess = () => { window.done = [localStorage.getItem('word'), document.cookie, get.result.sku, navigator.language] } }`),
  '/login': html(
    '<body style="margin: 0; background: white"><input id=p type=password style="position: absolute; left: 50px; top: 40px; width: 200px; height: 30px"><input id=code style="position: absolute; left: 50px; top: 100px; width: 120px; height: 20px"><p id=echo style="position: absolute; left: 50px; top: 150px; width: 300px; height: 20px; background: yellow">word</p><b id=m style="position: absolute; left: 400px; top: 40px; width: 40px; height: 40px; background: red">x</b>',
  ),
  '/asks': script(`b.onclick = () => { window.answers = [confirm('sure?'), prompt('name?'), confirm('again?')] }`),
  '/moved': reply({ status: '302 Found', headers: { Location: '/plain' } }),
  '/opens': script(`b.onclick = () => { const w = window.open('/closes'); }`),
  '/closes': html('<button onclick="window.close()">Close</button>'),
  '/image': html('<img src=/dot.svg onload="window.done = true">'),
  '/dot.svg': reply({
    headers: { 'Content-Type': 'image/svg+xml' },
    body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>',
  }),
  '/tall': html(
    '<div style="height: 9000px">tall</div><div id=box style="height: 50px; width: 90px; overflow: scroll"><p style="height: 900px; width: 900px">inner',
  ),
  '/chooser': script(
    `b.onclick = () => { const i = document.createElement('input'); i.type = 'file'; i.multiple = true; i.onchange = () => { window.done = [...i.files].map(({ name, size }) => name + size).join() }; i.click() }`,
  ),
  '/away': script(`b.onclick = () => { location = 'http://127.0.0.77:8099/' }`),
  // F47, F48
  '/dialogs': script(`for (let i = 0; i < 50; i++) { alert(i); confirm(i); prompt(i) } window.done = true`),
  '/dialogs-forever': script(`b.onclick = () => { while (true) alert(1) }`),
  '/unload': script(`onbeforeunload = (event) => { event.preventDefault(); return 'stay' }; b.onclick = () => {}`),
  '/popups': script(`window.opened = []; b.onclick = () => { for (let i = 0; i < 40; i++) opened.push(open('/plain?' + i)) }`),
  '/endless': script(`b.onclick = () => { location = '/endless-file' }`),
  '/endless-file': endless(
    'HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="big.bin"\r\n\r\n',
    'x'.repeat(65_536),
  ),
  '/unasked': script(`const a = document.createElement('a'); a.href = '/endless-file'; a.click(); window.done = true`),
  '/camera': script(
    `Promise.allSettled([navigator.mediaDevices?.getUserMedia({ video: true }), new Promise((_, no) => navigator.geolocation.getCurrentPosition(no, no)), Notification.requestPermission()]).then(() => { window.done = true })`,
  ),
  '/mutates': script(`setInterval(() => document.body.append(document.createElement('i')), 0); b.onclick = () => { window.done = true }`),
  '/busy': script(`b.onclick = () => { while (true); }`),
  '/circles': script(`b.onclick = () => { location = '/circle' }`),
  '/circle': html(`<script>location = '/circle?' + Math.random()</script>`),
  '/eats': script(
    `b.onclick = () => { const all = []; setInterval(() => { for (let i = 0; i < 50; i++) all.push(new Uint8Array(4e6).fill(7)) }, 0) }`,
  ),
};

const failsWith = (code: string) => (error: unknown) => error instanceof PageError && error.code === code && error.message.length > 20;
const bounds = (timeoutMs = 8_000): ActBounds => ({ timeoutMs, signal: AbortSignal.timeout(600_000) });
const at = (...selectors: string[]) => ({ selectors });

/** A fetcher over the routes. */
async function startSessions(options: Partial<BrowserFetcherOptions> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'weft-session-'));
  const site = await startRawServer((request) => ROUTES[request.path.replace(/\?.*/s, '')]);
  const fetcher = createBrowserFetcher({ home, chromePath: await findBrowser(), gate: createAddressGate({ mode: 'agent' }), ...options });
  return {
    site,
    fetcher,
    open: (more: SessionOptions = {}) =>
      fetcher.sessions.open({ privateTargets: [`127.0.0.1:${site.port}`], ...more }, AbortSignal.timeout(600_000)),
    async close() {
      await fetcher.close();
      await site.close();
      rmSync(home, { recursive: true });
    },
  };
}

suite('a session', { timeout: 600_000 }, () => {
  let site: RawServer;
  let fetcher: BrowserFetcher;
  let all: Awaited<ReturnType<typeof startSessions>>;
  let session: BrowserSession | undefined;
  before(async () => {
    all = await startSessions();
    ({ site, fetcher } = all);
  });
  after(() => all.close());
  afterEach(async () => {
    await session?.close();
    session = undefined;
  });
  const begin = async (path: string, options: SessionOptions = {}) => {
    session = await all.open(options);
    await session.navigate(site.origin + path, {}, bounds());
    return session;
  };
  const ask = (from: BrowserSession, expression: string) => from.evaluate(`() => ${expression}`, [], bounds());

  test('a submitted form has landed when its step ends', async () => {
    const own = await begin('/form');
    await own.change(at('label/word'), 'tea', {}, bounds());
    assert.deepEqual(await own.click(at('.missing', 'text/send'), {}, bounds()), {
      alternative: 1,
      count: 1,
      print: { tag: 'button', role: 'button', name: 'Send' },
    });
    assert.equal(own.url(), `${site.origin}/landed?w=tea`);
    const page = await own.read(bounds());
    assert.deepEqual([page.status, page.lane, page.contentType, page.reach], [200, 'browser', 'text/html; charset=utf-8', 'private']);
    assert.match(new TextDecoder().decode(page.body), /<h1>Landed<\/h1>/);
    assert.deepEqual(own.lastRequests().at(-1), { method: 'GET', url: `${site.origin}/landed?w=…`, status: 200 });
  });

  test('nothing of a step stays behind while the session goes on', async () => {
    const own = await begin('/plain');
    const read = async (times: number) => {
      for (let time = 0; time < times; time++) await own.read(bounds());
      // Counts behind a collection of garbage.
      return queryObjects(Promise, { format: 'count' });
    };
    const before = await read(20);
    const left = (await read(100)) - before;
    assert.ok(left < 100, `${left} promises of 100 steps are held`);
  });

  test('waits for elements by number, sight, attributes and properties, and for expressions', async () => {
    const own = await begin('/late');
    await own.waitForElement(at('.late'), { operator: '==', count: 2 }, bounds());
    await own.waitForElement(at('.late'), { operator: '==', count: 1, isVisible: true }, bounds());
    await own.waitForElement(at('.late'), { operator: '>=', count: 1, isVisible: false, properties: { hidden: true } }, bounds());
    await own.waitForElement(at('.late'), { operator: '==', count: 1, attributes: { 'data-n': '7' } }, bounds());
    await own.waitForElement(at('.never'), { operator: '<=', count: 0 }, bounds());
    await own.waitForExpression('window.done.deep[0] === 1', undefined, bounds());
    await assert.rejects(own.waitForElement(at('.late'), { operator: '>=', count: 3 }, bounds(500)), failsWith('selector'));
    await assert.rejects(own.waitForExpression('false', undefined, bounds(500)), failsWith('timeout'));
    await assert.rejects(own.find(at('.never'), bounds(500)), failsWith('selector'));
    await assert.rejects(own.find(at('regex/a/'), bounds(500)), failsWith('selector'));
  });

  test('a click waits until its element is enabled, and follows it through replacements', async () => {
    for (const path of ['/enables', '/replaces']) {
      const own = await begin(path);
      await own.click(at('#b'), {}, bounds());
      assert.equal(await ask(own, 'window.pressed'), 1, path);
      await own.close();
    }
  });

  test('a shadow root that an element got since it was read is seen, of names of the page as well', async () => {
    for (const host of ['#d', 'x-box']) {
      const own = await begin('/hosts');
      await own.find(at('p'), bounds());
      await own.evaluate(
        `(host) => { document.querySelector(host).attachShadow({ mode: 'open' }).innerHTML = '<i>inside</i>' }`,
        [host],
        bounds(),
      );
      assert.equal((await own.find(at('pierce/i'), bounds())).count, 2, host);
      await own.close();
    }
  });

  test('an element that something covers is said to be so', async () => {
    const own = await begin('/covered');
    await assert.rejects(
      own.click(at('button'), {}, bounds(4_000)),
      (error) => failsWith('timeout')(error) && /covers/.test((error as Error).message),
    );
  });

  test('JSON answers are handed out once', async () => {
    const own = await begin('/json');
    await own.click(at('#b'), {}, bounds());
    await own.waitForExpression('window.done', undefined, bounds());
    const taken = await own.takeJson(bounds());
    assert.deepEqual(
      taken.map(({ url, json }) => [url, json]),
      [[`${site.origin}/data.json?key=secret&page=1`, { rows: [1, 2] }]],
    );
    assert.deepEqual(await own.takeJson(bounds()), []);
    assert.equal(own.lastRequests().at(-1)?.url, `${site.origin}/data.json?key=…&page=…`);
  });

  test('storage goes out and comes in, databases too, with the locale', async () => {
    const first = await begin('/store');
    await first.waitForExpression('window.done', undefined, bounds());
    const state = await first.state(bounds());
    await first.close();
    const second = await begin('/recall', { state, locale: 'de-CH' });
    await second.waitForExpression('window.done', undefined, bounds());
    assert.deepEqual(await ask(second, 'window.done'), ['kept', 'mine=2', 'G-1', 'de-CH']);
  });

  test('nothing secret is left in a picture', async () => {
    const own = await begin('/login', { viewport: { width: 500, height: 300 } });
    await own.change(at('#p'), 'swordfish', {}, bounds());
    await own.change(at('#code'), '4711', { isSecret: true }, bounds());
    await own.evaluate(`() => { echo.textContent = 'your code is 4711' }`, [], bounds());
    for (const isFull of [false, true]) {
      const pixels = await pixelsOf(await own.screenshot({ isFull, mask: [at('#m')] }, bounds()));
      assert.deepEqual([pixels.width, pixels.height], [500, 300]);
      for (const [x, y, width, height] of [
        [50, 40, 200, 30],
        [50, 100, 120, 20],
        [50, 166, 300, 18],
        [400, 40, 40, 40],
      ] as const)
        for (let top = y; top < y + height; top++)
          for (let left = x; left < x + width; left++) assert.equal(pixels.at(left, top), '0,0,0', `${left},${top} of ${x},${y}`);
      assert.equal(pixels.at(450, 250), '255,255,255');
    }
  });

  test('dialogs are answered as said, others dismissed', async () => {
    const own = await begin('/asks');
    own.answerDialog({ accept: true });
    own.answerDialog({ accept: true, text: 'Ada' });
    await own.click(at('#b'), {}, bounds());
    assert.deepEqual(await ask(own, 'window.answers'), [true, 'Ada', false]);
  });

  test('a pop-up that closes itself leaves the page that opened it', async () => {
    const own = await begin('/opens');
    await own.click(at('#b'), {}, bounds());
    assert.equal(own.url(), `${site.origin}/closes`);
    await own.click(at('text/close'), {}, bounds());
    await own.find(at('text/press'), bounds());
    assert.equal(own.url(), `${site.origin}/opens`);
    await own.closePage();
    assert.equal(own.url(), 'about:blank');
  });

  test('images are loaded, pages and boxes scrolled, the viewport set, the network cut', async () => {
    const own = await begin('/image');
    await own.waitForExpression('window.done', undefined, bounds());
    await own.navigate(`${site.origin}/tall`, {}, bounds());
    await own.scroll(undefined, {}, bounds());
    await own.scroll(at('#box'), { x: 20, y: 30 }, bounds());
    await own.setViewport({ width: 640, height: 480 });
    assert.deepEqual(await ask(own, '[scrollY > 8000, box.scrollLeft, box.scrollTop, innerWidth, innerHeight]'), [true, 20, 30, 640, 480]);
    await own.scroll(undefined, { y: 5 }, bounds());
    assert.equal(await ask(own, 'scrollY'), 5);
    await own.emulateNetwork({ download: 0, upload: 0, latencyMs: 0 });
    await assert.rejects(own.navigate(`${site.origin}/plain`, {}, bounds()), failsWith('connect'));
    await own.emulateNetwork(undefined);
    await own.navigate(`${site.origin}/plain`, { waitUntil: 'networkidle' }, bounds());
  });

  test('files go into the chooser that a button opens', async () => {
    const own = await begin('/chooser');
    await own.upload(
      at('#b'),
      [
        { name: 'a.txt', bytes: new Uint8Array(3) },
        { name: 'b.txt', bytes: new Uint8Array(5) },
      ],
      bounds(),
    );
    await own.waitForExpression('window.done', undefined, bounds());
    assert.equal(await ask(own, 'window.done'), 'a.txt3,b.txt5');
  });

  test('scripts get their arguments and answer JSON; those that throw say why', async () => {
    const own = await begin('/plain');
    assert.deepEqual(await own.evaluate('async (a, { b }) => ({ sum: a + b, at: location.pathname })', [1, { b: 2 }], bounds()), {
      sum: 3,
      at: '/plain',
    });
    assert.equal(await own.evaluate('() => {}', [], bounds()), null);
    await assert.rejects(
      own.evaluate('() => { throw new Error("no tea") }', [], bounds()),
      (error) => failsWith('browser')(error) && /no tea/.test((error as Error).message),
    );
    await assert.rejects(own.keyDown('NoSuchKey', bounds()), failsWith('browser'));
  });

  test('each document has its turn, and gives it back when it has come', async () => {
    const turns: string[] = [];
    const beforeDocument = (url: string) => {
      turns.push(`asks ${new URL(url).pathname}`);
      return Promise.resolve(() => void turns.push(`has ${new URL(url).pathname}`));
    };
    const own = await begin('/moved', { beforeDocument });
    await own.navigate(`${site.origin}/opens`, {}, bounds());
    assert.deepEqual(turns, ['asks /moved', 'has /moved', 'asks /plain', 'has /plain', 'asks /opens', 'has /opens']);
  });

  test('a step that waits for its turn does not lose its time', async () => {
    const turn = Promise.withResolvers<void>();
    const beforeDocument = async () => {
      await turn.promise;
      return () => undefined;
    };
    session = await all.open({ beforeDocument });
    setTimeout(() => turn.resolve(), 1_500);
    await session.navigate(`${site.origin}/plain`, {}, bounds(1_000));
    assert.equal(session.url(), `${site.origin}/plain`);
  });

  test('no private address is reached that nobody named, by a step neither', async () => {
    const own = await begin('/away');
    await assert.rejects(own.navigate('http://127.0.0.77:8099/', {}, bounds()), failsWith('address'));
    const without = await fetcher.sessions.open({}, AbortSignal.timeout(600_000));
    try {
      await assert.rejects(without.navigate(`${site.origin}/plain`, {}, bounds()), failsWith('address'));
    } finally {
      await without.close();
    }
    const before = site.requests.length;
    await assert.rejects(own.navigate(`${site.origin}/plain`, {}, bounds()), failsWith('address'), 'the way is closed behind it');
    assert.equal(site.requests.length, before);
  });

  suite('hostile pages', () => {
    const endured: readonly (readonly [path: string, isPressed?: boolean])[] = [
      ['/dialogs'],
      ['/camera'],
      ['/mutates', true],
      ['/unasked'],
    ];
    for (const [path, isPressed] of endured)
      test(`${path} is endured`, async () => {
        const own = await begin(path);
        if (isPressed === true) await own.click(at('#b'), {}, bounds());
        await own.waitForExpression('window.done', undefined, bounds());
        await own.read(bounds());
      });

    test('a page that would not be left is left', async () => {
      const own = await begin('/unload');
      await own.click(at('#b'), {}, bounds());
      await own.navigate(`${site.origin}/plain`, {}, bounds());
      assert.equal(own.url(), `${site.origin}/plain`);
    });

    test('a storm of pop-ups is bounded', async () => {
      const own = await begin('/popups');
      await own.click(at('#b'), {}, bounds());
      // The newest may be one that goes at once.
      const openCount = () =>
        own.evaluate('() => (opener ?? window).opened.filter((other) => !other.closed).length', [], bounds()).catch(() => undefined);
      await until(async () => {
        const count = await openCount();
        return typeof count === 'number' && count > 0 && count < 10;
      });
      for (let closed = 0; own.url() !== `${site.origin}/popups`; closed++) {
        assert.ok(closed < 40);
        await own.closePage();
      }
      await own.find(at('#b'), bounds());
    });

    test('a download without an end is cut at its cap', async () => {
      const own = await begin('/endless');
      await assert.rejects(own.download(at('#b'), 1_000_000, bounds()), failsWith('body_too_large'));
      await own.find(at('#b'), bounds());
    });

    for (const path of ['/busy', '/dialogs-forever'])
      test(`${path} ends its step, and the session can be closed`, async () => {
        const own = await begin(path);
        await assert.rejects(
          own.click(at('#b'), {}, bounds(1_500)).then(() => own.read(bounds(1_500))),
          failsWith('timeout'),
        );
        await own.close();
      });

    test('a page that goes on and on is stopped within its step, and the next step counts anew', async () => {
      const own = await begin('/circles');
      await assert.rejects(
        own.click(at('#b'), {}, bounds()).then(() => own.waitForExpression('false', undefined, bounds())),
        failsWith('redirect_limit'),
      );
      await own.navigate(`${site.origin}/plain`, {}, bounds());
    });
  });
});

suite('sessions in one pool', { timeout: 600_000 }, () => {
  test('no more are open than may be, pages come beside them, and a worn browser waits for its session', async () => {
    const { fetcher, site, open, close } = await startSessions({ sessionsAtOnce: 1, browserPagesMax: 1 });
    try {
      const first = await open();
      await first.navigate(`${site.origin}/plain`, {}, bounds());
      const asked = AbortSignal.timeout(500);
      await assert.rejects(fetcher.sessions.open({}, asked), failsWith('aborted'));
      const get = () =>
        fetcher.fetch({ url: `${site.origin}/plain`, privateTargets: [`127.0.0.1:${site.port}`] }, AbortSignal.timeout(600_000));
      await get();
      assert.equal(fetcher.running(), undefined, 'it is worn');
      await get();
      await first.find(at('h1'), bounds());
      await first.close();
      const second = await open();
      await second.navigate(`${site.origin}/plain`, {}, bounds());
      await second.close();
      await second.close();
    } finally {
      await close();
    }
  });

  test('a browser that dies ends its sessions with a reason, and the next one works', async () => {
    const { fetcher, site, open, close } = await startSessions();
    try {
      const own = await open();
      await own.navigate(`${site.origin}/plain`, {}, bounds());
      const pid = fetcher.running()?.pid ?? 0;
      const waiting = own.waitForExpression('false', undefined, bounds(20_000));
      process.kill(-pid, 'SIGKILL');
      await assert.rejects(waiting, failsWith('browser'));
      await assert.rejects(own.click(at('h1'), {}, bounds()), failsWith('browser'));
      await own.close();
      const next = await open();
      await next.navigate(`${site.origin}/plain`, {}, bounds());
      await next.close();
    } finally {
      await close();
    }
  });

  test('an aborted step ends at once, and a window without a screen is refused', async () => {
    const { site, open, close } = await startSessions();
    try {
      const own = await open();
      await own.navigate(`${site.origin}/plain`, {}, bounds());
      const ending = new AbortController();
      const waiting = own.find(at('.never'), { timeoutMs: 60_000, signal: ending.signal });
      ending.abort();
      await assert.rejects(waiting, failsWith('aborted'));
      await own.close();
      await assert.rejects(own.find(at('h1'), bounds()), failsWith('aborted'));
      await assert.rejects(open({ isHeaded: true }), failsWith('browser'));
    } finally {
      await close();
    }
  });
});

/** The colours of a PNG, read by a browser. */
async function pixelsOf(png: Uint8Array) {
  const browser = await launchBrowser();
  try {
    const tab = await browser.newPage();
    const [width, height, data] = (await tab.evaluate(`(async () => {
      const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,${Buffer.from(png).toString('base64')}')).blob());
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
      canvas.drawImage(bitmap, 0, 0);
      const { data } = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
      return [bitmap.width, bitmap.height, new Uint8Array(data.buffer).toBase64()];
    })()`)) as readonly [number, number, string];
    const bytes = Buffer.from(data, 'base64');
    return { width, height, at: (x: number, y: number) => bytes.subarray((y * width + x) * 4, (y * width + x) * 4 + 3).join() };
  } finally {
    await browser.close();
  }
}
