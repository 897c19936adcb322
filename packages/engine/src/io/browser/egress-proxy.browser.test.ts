// S17: whatever a page in the browser tries, nothing reaches an address that its caller has not named.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { findBrowser } from '../../../../../tests/browser.ts';
import { redirect, reply } from '../../../../../tests/sites/raw-server.ts';
import type { RawAnswer } from '../../../../../tests/sites/raw-server.ts';
import { startTwoNetworks } from '../../../../../tests/sites/two-networks.ts';
import type { TwoNetworks } from '../../../../../tests/sites/two-networks.ts';
import { PageError } from '../../errors.ts';
import type { FetchRequest } from '../../ports.ts';
import { createCookieStore } from '../cookies.ts';
import { createBrowserFetcher } from './lane.ts';
import type { BrowserFetcher } from './lane.ts';

/** Scripts of a public page; each resolves once the attempt has ended. `TO` is the victim's host and port. */
const ATTEMPTS: Readonly<Record<string, string>> = {
  'a fetch': `fetch('http://' + TO + '/')`,
  'a fetch by another name for the address': `fetch('http://inner.test:' + TO.split(':')[1] + '/')`,
  'a fetch of localhost': `fetch('http://localhost:' + TO.split(':')[1] + '/')`,
  'a fetch of a decimal address': `fetch('http://2130706433:' + TO.split(':')[1] + '/')`,
  'a fetch over https': `fetch('https://' + TO + '/')`,
  'a fetch that is redirected': `fetch('/to-victim', { mode: 'no-cors' })`,
  'an XMLHttpRequest': `new Promise((done) => { const x = new XMLHttpRequest(); x.open('GET', 'http://' + TO + '/'); x.onloadend = done; x.send(); })`,
  'a WebSocket': `new Promise((done) => { const w = new WebSocket('ws://' + TO + '/'); w.onclose = done; w.onopen = done; })`,
  'an EventSource': `new Promise((done) => { const e = new EventSource('http://' + TO + '/'); e.onopen = e.onerror = () => { e.close(); done(); }; })`,
  'a beacon': `new Promise((done) => { navigator.sendBeacon('http://' + TO + '/', 'x'); setTimeout(done, 300); })`,
  'a frame': `new Promise((done) => { const f = document.createElement('iframe'); f.src = 'http://' + TO + '/'; f.onload = f.onerror = done; document.body.append(f); })`,
  'a frame that is redirected': `new Promise((done) => { const f = document.createElement('iframe'); f.src = '/to-victim'; f.onload = f.onerror = done; document.body.append(f); })`,
  'an image': `new Promise((done) => { const i = new Image(); i.onload = i.onerror = done; i.src = 'http://' + TO + '/pixel'; })`,
  'a script': `new Promise((done) => { const s = document.createElement('script'); s.onload = s.onerror = done; s.src = 'http://' + TO + '/'; document.body.append(s); })`,
  'a style sheet': `new Promise((done) => { const l = document.createElement('link'); l.rel = 'stylesheet'; l.onload = l.onerror = done; l.href = 'http://' + TO + '/'; document.head.append(l); })`,
  'a preconnect and a DNS prefetch': `new Promise((done) => { for (const rel of ['dns-prefetch', 'preconnect', 'prefetch']) { const l = document.createElement('link'); l.rel = rel; l.href = 'http://' + TO + '/'; document.head.append(l); } setTimeout(done, 300); })`,
  'a worker': `new Promise((done) => { const w = new Worker(URL.createObjectURL(new Blob(["fetch('http://" + TO + "/').catch(() => 0).then(() => postMessage(1))"]))); w.onmessage = w.onerror = done; })`,
  'a form': `new Promise((done) => { const i = document.createElement('iframe'); i.name = 'sink'; document.body.append(i); const f = document.createElement('form'); f.method = 'POST'; f.action = 'http://' + TO + '/'; f.target = 'sink'; document.body.append(f); i.onload = done; f.submit(); })`,
  'a window': `new Promise((done) => { window.open('http://' + TO + '/'); setTimeout(done, 300); })`,
  WebRTC: `new Promise((done) => { const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:' + UDP }, { urls: 'turn:' + TO + '?transport=tcp', username: 'a', credential: 'b' }] }); c.createDataChannel('x'); c.onicegatheringstatechange = () => c.iceGatheringState === 'complete' && done(); c.createOffer().then((offer) => c.setLocalDescription(offer)); setTimeout(done, 2000); })`,
  WebTransport: `Promise.resolve().then(() => new WebTransport('https://127.0.0.1:' + UDP + '/').ready)`,
};

const html = (body: string) => reply({ headers: { 'Content-Type': 'text/html' }, body });

suite('S17 the browser reaches nothing that the gate refuses', { timeout: 600_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-egress-'));
  let networks: TwoNetworks;
  let fetcher: BrowserFetcher;
  const get = (url: string, more: Partial<FetchRequest> = {}) =>
    fetcher.fetch({ url, timeoutMs: 20_000, ...more }, AbortSignal.timeout(600_000));

  before(async () => {
    networks = await startTwoNetworks((victimPort, udpPort) => {
      const to = `127.0.0.1:${victimPort}`;
      const attempt = (script: string) =>
        html(
          `<body><script>const TO = '${to}', UDP = ${udpPort}; Promise.resolve().then(() => ${script}).catch(() => 0).then(() => { document.body.insertAdjacentHTML('beforeend', '<p id=done>') })</script>`,
        );
      const routes: Record<string, RawAnswer> = {
        '/to-victim': redirect(`http://${to}/`),
        '/to-inner': redirect(`http://inner.test:${victimPort}/`),
        '/refresh': html(`<meta http-equiv=refresh content="0;url=http://${to}/">`),
        '/assign': html(`<script>location = 'http://${to}/'</script>`),
        '/plain': html('<p>public'),
      };
      for (const [name, script] of Object.entries(ATTEMPTS)) routes[`/${encodeURIComponent(name)}`] = attempt(script);
      return routes;
    });
    fetcher = createBrowserFetcher({ home, chromePath: await findBrowser(), gate: networks.gate, dialTo: networks.dialTo });
  });
  after(async () => {
    await fetcher.close();
    await networks.close();
    rmSync(home, { recursive: true });
  });

  for (const name of Object.keys(ATTEMPTS))
    test(`${name} of a public page sends no packet to a private address`, async () => {
      const page = await get(networks.publicUrl(`/${encodeURIComponent(name)}`), {
        browser: { waitFor: 'domcontentloaded', waitForSelector: '#done', block: [] },
      });
      assert.equal(page.status, 200);
      assert.deepEqual([networks.victim.connectionCount(), networks.victim.datagramCount()], [0, 0]);
    });

  for (const path of ['/to-victim', '/to-inner', '/refresh', '/assign'])
    test(`a public page that leads to a private address by ${path} is refused as a whole`, async () => {
      await assert.rejects(get(networks.publicUrl(path)), (error) => error instanceof PageError && error.code === 'address');
      assert.equal(networks.victim.connectionCount(), 0);
    });

  test('a name that turns to a private address after its first answer is not followed there', async () => {
    await assert.rejects(get(`http://rebind.test:${networks.victim.port}/plain`), PageError);
    assert.equal(networks.victim.connectionCount(), 0);
  });

  test('an address that the caller has not named is refused before a tab is opened', async () => {
    await assert.rejects(get(`${networks.victim.origin}/`), { code: 'address' });
    assert.equal(networks.victim.connectionCount(), 0);
  });

  test('a name that does not exist is a dns error', async () => {
    await assert.rejects(get('http://missing.invalid/'), { code: 'dns' });
  });
});

suite('S17 what one fetch may reach stays with it', { timeout: 600_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-egress-'));
  let networks: TwoNetworks;
  let fetcher: BrowserFetcher;
  let target: string;
  const get = (url: string, more: Partial<FetchRequest> = {}) =>
    fetcher.fetch({ url, timeoutMs: 20_000, privateTargets: [target], ...more }, AbortSignal.timeout(600_000));

  before(async () => {
    networks = await startTwoNetworks((victimPort) => {
      const secret = `http://127.0.0.1:${victimPort}/secret`;
      return {
        '/steal': html(
          `<body><script>fetch('${secret}', { mode: 'no-cors' }).then(() => 'got', () => 'none').then((how) => { document.body.append(how) })</script>`,
        ),
        '/frame': html(`<body><iframe src="${secret}"></iframe>`),
      };
    });
    target = `127.0.0.1:${networks.victim.port}`;
    fetcher = createBrowserFetcher({ home, chromePath: await findBrowser(), gate: networks.gate, dialTo: networks.dialTo });
  });
  after(async () => {
    await fetcher.close();
    await networks.close();
    rmSync(home, { recursive: true });
  });

  test('a private page that its caller names is brought', async () => {
    const page = await get(`http://${target}/`);
    assert.match(new TextDecoder().decode(page.body), /secret/);
  });

  const secretsTaken = () => networks.victim.requests.filter(({ path }) => path === '/secret').length;

  for (const path of ['/steal', '/frame'])
    test(`a public page reaches no private address by ${path}, although the caller names one`, async () => {
      const page = await get(networks.publicUrl(path), { browser: { waitFor: 'networkidle' } });
      assert.doesNotMatch(new TextDecoder().decode(page.body), /<p>secret/);
      assert.equal(secretsTaken(), 0);
    });

  for (const path of ['/redirect', '/move'])
    test(`a private page that hands over to a public one by ${path} takes what it may reach with it`, async () => {
      const page = await get(`http://${target}${path}`, { browser: { waitFor: 'networkidle' } });
      assert.equal(page.url, networks.publicUrl('/steal'));
      assert.equal(secretsTaken(), 0);
    });

  test('a private page may read its own address', async () => {
    const page = await get(`http://${target}/frame`, { browser: { waitFor: 'networkidle' } });
    assert.match(new TextDecoder().decode(page.body), /<p>secret/);
  });

  test('a context that is shared with a private page gives a public one nothing of it', async () => {
    const cookies = createCookieStore();
    await get(`http://${target}/`, { cookies });
    await get(networks.publicUrl('/steal'), { cookies, browser: { waitFor: 'networkidle' } });
    assert.equal(secretsTaken(), 0);
  });
});
