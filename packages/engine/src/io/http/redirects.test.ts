import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PageError } from '../../errors.ts';
import type { FetchRequest } from '../../ports.ts';
import { hang, redirect, reply, startRawServer } from '../../../../../tests/sites/raw-server.ts';
import type { RawAnswer, RawRequest, RawServer } from '../../../../../tests/sites/raw-server.ts';
import { createAddressGate } from '../gate/gate.ts';
import { createHttpFetcher } from './fetcher.ts';
import { decideRedirect, redirectedMethod } from './redirects.ts';

const PUBLIC_ADDRESS = '93.184.215.14';
const INTERNAL = [
  'http://127.0.0.1/',
  'http://localhost/',
  'http://10.0.0.1/',
  'http://[fe80::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://169.254.169.254/',
  'http://intranet.example/',
  '//127.1/',
];

describe('decideRedirect', () => {
  const rows: readonly (readonly [name: string, status: number, locations: readonly string[], next: string | undefined])[] = [
    ['an absolute Location', 301, ['https://b.example/x'], 'https://b.example/x'],
    ['a relative Location', 302, ['../c?d#e'], 'http://a.example/c?d'],
    ['F36 a Location without scheme', 303, ['//b.example/x'], 'http://b.example/x'],
    ['F36 an empty Location is no redirect', 302, [''], undefined],
    ['a blank Location is no redirect', 302, ['  '], undefined],
    ['no Location is no redirect', 302, [], undefined],
    ['F36 twice the same Location', 302, ['/x', '/x'], 'http://a.example/x'],
    ['S10 300 is not followed', 300, ['/x'], undefined],
    ['304 is not followed', 304, ['/x'], undefined],
    ['S10 305 is not followed', 305, ['/x'], undefined],
    ['306 is not followed', 306, ['/x'], undefined],
    ['200 is not followed', 200, ['/x'], undefined],
    ['307 is followed', 307, ['/x'], 'http://a.example/x'],
    ['308 is followed', 308, ['/x'], 'http://a.example/x'],
  ];
  for (const [name, status, locations, next] of rows) {
    test(name, () => assert.equal(decideRedirect('http://a.example/b/', status, locations), next));
  }
  test('F36 two Locations that differ are an error', () => {
    assert.throws(() => decideRedirect('http://a.example/', 302, ['/x', '/y']), { code: 'bad_response', next: 'drop' });
  });
  test('a Location that is no URL is an error', () => {
    assert.throws(() => decideRedirect('http://a.example/', 302, ['http://[']), { code: 'bad_response', next: 'drop' });
  });
  test('POST becomes GET on 301, 302 and 303, and stays on 307 and 308', () => {
    assert.deepEqual(
      [301, 302, 303, 307, 308].map((status) => redirectedMethod('POST', status)),
      ['GET', 'GET', 'GET', 'POST', 'POST'],
    );
    assert.deepEqual([redirectedMethod('HEAD', 303), redirectedMethod('PUT', 302)], ['HEAD', 'PUT']);
  });
});

describe('redirects on the wire', () => {
  let site: RawServer;
  const names = new Map<string, readonly string[]>([['intranet.example', ['10.0.0.1']]]);
  const asked: string[] = [];
  // Every name is public and leads to the fixture server; only the gate knows that it is on loopback.
  const fetcher = createHttpFetcher({
    gate: createAddressGate({
      mode: 'agent',
      resolve: (host) => {
        asked.push(host);
        return host === 'slow.example'
          ? new Promise(() => undefined)
          : host === 'gone.example'
            ? Promise.reject(notFound())
            : Promise.resolve(names.get(host) ?? [PUBLIC_ADDRESS]);
      },
    }),
    dialTo: () => ({ address: '127.0.0.1', port: site.port }),
  });
  const get = (url: string, more: Partial<FetchRequest> = {}) => fetcher.fetch({ url, ...more }, AbortSignal.timeout(600_000));

  before(async () => {
    site = await startRawServer(route);
  });
  after(async () => {
    await fetcher.close();
    await site.close();
  });

  for (const status of [301, 302, 303, 307, 308]) {
    for (const target of INTERNAL) {
      test(`S10 ${status} to ${target} is refused at the hop`, async () => {
        const path = `/to?${status}&${encodeURIComponent(target)}`;
        const requestsBefore = site.requests.length;
        await assert.rejects(get(`http://public.example${path}`), { code: 'address' });
        assert.equal(site.requests.length, requestsBefore + 1);
      });
    }
  }

  test('S10 meta refresh and the Refresh header are refused at the hop', async () => {
    for (const path of ['/refresh', '/refresh-meta']) {
      const requestsBefore = site.requests.length;
      await assert.rejects(get(`http://public.example${path}`), { code: 'address' });
      assert.equal(site.requests.length, requestsBefore + 1);
    }
  });

  test('a public page does not lead to a target that the caller named for another URL', async () => {
    const url = `http://public.example/to?302&${encodeURIComponent('http://127.0.0.1:9999/')}`;
    await assert.rejects(get(url, { privateTargets: ['127.0.0.1:9999'] }), { code: 'address' });
  });

  test('a private page leads to itself and to public pages', async () => {
    const named = { privateTargets: ['127.0.0.1:9999'] };
    const within = await get(`http://127.0.0.1:9999/to?302&${encodeURIComponent('/page')}`, named);
    const outward = await get(`http://127.0.0.1:9999/to?302&${encodeURIComponent('http://public.example/page')}`, named);
    assert.deepEqual([within.status, outward.status], [200, 200]);
  });

  test('a private page leads out, and nobody leads back in', async () => {
    const back = `http://public.example/to?302&${encodeURIComponent('http://127.0.0.1:9999/page')}`;
    const url = `http://127.0.0.1:9999/to?302&${encodeURIComponent(back)}`;
    await assert.rejects(get(url, { privateTargets: ['127.0.0.1:9999'] }), { code: 'address' });
  });

  test('more origins than keep sockets are fetched all the same', async () => {
    for (let i = 0; i < 260; i++) assert.equal((await get(`http://h${i}.example/kept`)).status, 200);
  });

  test('a Location that is no URL is an error, and its unfinished body holds no socket', async () => {
    for (let i = 0; i < 20; i++) await assert.rejects(get('http://public.example/astray'), { code: 'bad_response' });
  });

  test('a Location in raw UTF-8 is followed as browsers follow it', async () => {
    assert.equal((await get('http://public.example/accent')).url, 'http://public.example/caf%C3%A9');
  });

  test('S11 public to public to private at the ninth hop is refused', async () => {
    await assert.rejects(get('http://public.example/count?9&private'), { code: 'address', message: /10\.0\.0\.1/ });
  });

  test('S11 ten redirects are followed, in order', async () => {
    const page = await get('http://public.example/count?10&public');
    assert.equal(page.redirects.length, 10);
    assert.equal(page.redirects[0]?.url, 'http://public.example/count?10&public');
    assert.equal(page.url, 'http://public.example/page');
  });

  test('S11, F36 an eleventh is one too many, and the error shows the chain', async () => {
    await assert.rejects(get('http://public.example/count?11&public'), {
      code: 'redirect_limit',
      next: 'drop',
      message: /More than 10 redirects: .*count\?11.* \(302\) -> .*count\?10/,
    });
  });

  test('each is told to the caller before it is followed, whose time stands still and whose error ends it', async () => {
    const told: string[] = [];
    const beforeRedirect = async (url: string, status: number) => void told.push(`${status} ${new URL(url).pathname}`);
    const page = await get('http://public.example/count?2&public', { beforeRedirect });
    assert.deepEqual([told, page.redirects.length], [['302 /count', '302 /page'], 2]);
    const stop = async () => {
      throw new PageError('robots', 'Not there.');
    };
    await assert.rejects(get('http://public.example/count?2&public', { beforeRedirect: stop }), { code: 'robots' });
    const unreachable = get(`http://public.example/to?302&${encodeURIComponent('http://10.0.0.1/')}`, { beforeRedirect: stop });
    await assert.rejects(unreachable, { code: 'address' });
  });

  test('the caller can allow fewer', async () => {
    await assert.rejects(get('http://public.example/count?2&public', { redirectsMax: 1 }), {
      code: 'redirect_limit',
      message: /More than 1 redirects/,
    });
  });

  test('S11, F36 a circle is named as one, with its chain', async () => {
    await assert.rejects(get('http://public.example/ping'), {
      code: 'redirect_loop',
      message: /\/ping \(302\) -> .*\/pong \(302\) -> .*\/ping/,
    });
  });

  test('F36 a page that sends its visitor back with a cookie is no circle', async () => {
    const page = await get('http://public.example/cookie-wall');
    assert.equal(page.status, 200);
    assert.equal(page.redirects.length, 1);
  });

  for (const target of [
    'file:///etc/passwd',
    'gopher://x.example/',
    'ftp://x.example/',
    'data:text/html,x',
    'javascript:1',
    'blob:http://x.example/1',
    'view-source:http://x.example/',
    'chrome://version/',
  ]) {
    test(`S12 a redirect to ${target} is refused`, () =>
      assert.rejects(get(`http://public.example/to?302&${encodeURIComponent(target)}`), { code: 'address', message: /scheme|URL/ }));
  }

  test('S14, S15 a redirect to a service port or with a password is refused', async () => {
    for (const target of ['http://public.example:6379/', 'http://me:secret@public.example/']) {
      await assert.rejects(get(`http://public.example/to?302&${encodeURIComponent(target)}`), { code: 'address' });
    }
  });

  test('S15 credentials stay with their origin, and the page says so', async () => {
    const headers = { Authorization: 'Bearer s', Cookie: 'sid=1', 'X-Api-Key': 'k', 'X-Other': 'o' };
    const page = await get(`http://public.example/to?302&${encodeURIComponent('http://other.example/echo')}`, { headers });
    assert.match(site.requests.at(-2)?.head ?? '', /^authorization: Bearer s/m);
    assert.doesNotMatch(site.requests.at(-1)?.head ?? '', /Bearer|sid=1|x-api-key/);
    assert.match(site.requests.at(-1)?.head ?? '', /^x-other: o/m);
    assert.deepEqual(page.warnings, ['credentials_dropped']);
  });

  test('S15 credentials go along within their origin', async () => {
    const page = await get(`http://public.example/to?302&${encodeURIComponent('/echo')}`, { headers: { Authorization: 'Bearer s' } });
    assert.match(site.requests.at(-1)?.head ?? '', /^authorization: Bearer s/m);
    assert.equal(page.warnings, undefined);
  });

  test('another port or scheme is another origin', async () => {
    await get(`http://public.example/to?302&${encodeURIComponent('http://public.example:8080/echo')}`, {
      headers: { Authorization: 'Bearer s' },
    });
    assert.doesNotMatch(site.requests.at(-1)?.head ?? '', /Bearer/);
  });

  test('a redirected POST becomes a GET without its body', async () => {
    await get(`http://public.example/to?302&${encodeURIComponent('/page')}`, { method: 'POST', body: new TextEncoder().encode('a=1') });
    assert.deepEqual([site.requests.at(-1)?.head.split(' ')[0], site.requests.at(-1)?.body], ['GET', '']);
  });

  test('S8 a name that changes between check and dial is looked up once, and the checked address is dialled', async () => {
    asked.length = 0;
    await get('http://flip.example/page');
    assert.deepEqual(asked, ['flip.example']);
  });

  test('S8 a name that turns private is refused, also where a socket of its public days is still open', async () => {
    await get('http://turning.example/kept');
    names.set('turning.example', ['10.0.0.9']);
    await assert.rejects(get('http://turning.example/kept'), { code: 'address' });
  });

  test('S9 a name that leads to a private address is refused, one that does not exist is a dns error', async () => {
    await assert.rejects(get('http://intranet.example/'), { code: 'address' });
    await assert.rejects(get('http://gone.example/'), { code: 'dns', next: 'drop', message: /does not exist/ });
  });

  test('S9 a look-up that takes too long ends with the deadline', async () => {
    await assert.rejects(get('http://slow.example/', { timeoutMs: 30 }), { code: 'timeout' });
  });

  for (const path of ['/robots.txt', '/sitemap.xml', '/feed', '/app.js.map']) {
    test(`S16 ${path} of an internal host is refused like any page`, () =>
      assert.rejects(get(`http://10.0.0.1${path}`), { code: 'address' }));
  }
});

const ok = reply({ headers: { 'Content-Type': 'text/html', Connection: 'close' }, body: '<p>ok' });

const cookieWall = reply({ status: '302 Found', headers: { Location: '/cookie-wall', 'Set-Cookie': 'seen=1; Path=/' } });

const FIXED: Readonly<Record<string, RawAnswer>> = {
  '/page': ok,
  '/echo': ok,
  '/kept': (socket) => void socket.write(reply({ body: 'kept' })),
  '/refresh': reply({
    headers: { Refresh: '0; url=http://127.0.0.1/' },
    body: '<p>Moved',
  }),
  '/refresh-meta': reply({
    headers: { 'Content-Type': 'text/html' },
    body: '<meta http-equiv=refresh content="0;url=http://10.0.0.1/">',
  }),
  '/astray': hang('HTTP/1.1 302 Found\r\nLocation: http://[\r\nContent-Length: 1000000\r\n\r\nx'),
  '/accent': redirect(Buffer.from('/café').toString('latin1')),
  '/caf%C3%A9': ok,
  '/ping': redirect('/pong'),
  '/pong': redirect('/ping'),
  '/cookie-wall': (socket, request) => void socket.end(/^cookie: seen=1/m.test(request.head) ? ok : cookieWall),
};

/** `/to?<status>&<url>` redirects there, `/count?<n>&<public|private>` n times and then to the page or to a private address. */
function route({ path }: RawRequest): RawAnswer | undefined {
  const [name, first = '', second = ''] = path.split(/[?&]/);
  if (name === '/to') return redirect(decodeURIComponent(second), Number(first));
  if (name !== '/count') return FIXED[path];
  const last = second === 'private' ? 'http://10.0.0.1/' : '/page';
  return redirect(Number(first) > 1 ? `/count?${Number(first) - 1}&${second}` : last);
}

function notFound(): Error {
  return Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
}
