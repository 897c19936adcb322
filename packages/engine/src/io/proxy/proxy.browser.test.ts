// D52: both lanes and sessions go by the proxy that they name, and nothing private is asked of it that would not be reached without one.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { findBrowser } from '../../../../../tests/browser.ts';
import { createAuthority, issueCertificate } from '../../../../../tests/sites/certificates.ts';
import { startProxy } from '../../../../../tests/sites/proxy.ts';
import type { TestProxy } from '../../../../../tests/sites/proxy.ts';
import { reply, startRawServer } from '../../../../../tests/sites/raw-server.ts';
import type { RawServer } from '../../../../../tests/sites/raw-server.ts';
import { startTwoNetworks } from '../../../../../tests/sites/two-networks.ts';
import type { TwoNetworks } from '../../../../../tests/sites/two-networks.ts';
import { PageError } from '../../errors.ts';
import { createFetcher } from '../fetcher.ts';
import type { LaneFetcher } from '../fetcher.ts';
import type { ProxyServer } from './connect.ts';
import { connectThrough } from './connect.ts';
import { proxyFinder } from './finder.ts';

const LOGIN = 'ada:sword:fish';
const WORDS = 'Words that a reader finds on a page. '.repeat(20);
const refuses = (code: string) => (error: unknown) => error instanceof PageError && error.code === code;

suite('D52 proxies', { timeout: 600_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-proxy-'));
  const proxies = new Map<string, TestProxy>();
  let site: RawServer;
  let networks: TwoNetworks;
  let fetcher: LaneFetcher;
  let servers: Record<string, ProxyServer>;

  before(async () => {
    site = await startRawServer({ '/': reply({ headers: { 'Content-Type': 'text/html' }, body: `<h1>by proxy</h1><p>${WORDS}` }) });
    networks = await startTwoNetworks(() => ({}));
    const authority = createAuthority();
    const tls = issueCertificate(authority, 'localhost', 30);
    const to = () => site.port;
    for (const kind of ['http', 'https', 'socks5'] as const)
      for (const login of [undefined, LOGIN])
        proxies.set(login ? `${kind}-login` : kind, await startProxy(kind, to, login, kind === 'https' ? tls : undefined));
    servers = Object.fromEntries([...proxies].map(([name, { url }]) => [name, { url, trustedCertificates: [authority.pem] }]));
    servers['wrong'] = servers['http-login'] ?? { url: '' };
    servers['wrong-socks'] = servers['socks5-login'] ?? { url: '' };
    const findLogin = (name: string) =>
      Promise.resolve(
        name.endsWith('-login')
          ? { username: 'ada', password: 'sword:fish' }
          : name.startsWith('wrong')
            ? { username: 'eve', password: '' }
            : undefined,
      );
    fetcher = createFetcher({ home, chromePath: await findBrowser(), gate: networks.gate, findProxy: proxyFinder(servers, findLogin) });
  });
  after(async () => {
    await fetcher.close();
    await Promise.all([site, networks, ...proxies.values()].map((each) => each.close()));
    rmSync(home, { recursive: true });
  });
  const get = (url: string, lane: 'http' | 'browser', proxy: string) =>
    fetcher.fetch({ url, lane, proxy, timeoutMs: 10_000 }, AbortSignal.timeout(600_000));

  for (const name of ['http', 'https', 'socks5', 'http-login', 'https-login', 'socks5-login'])
    for (const lane of ['http', 'browser'] as const)
      test(`${name} brings a page by ${lane}, asked for the address that was checked`, async () => {
        const page = await get('http://site.test/', lane, name);
        assert.match(new TextDecoder().decode(page.body), /by proxy/);
        assert.equal(proxies.get(name)?.asked.at(-1), `${name.endsWith('-login') ? `${LOGIN}@` : ''}93.184.216.34:80`);
      });

  test('a session goes by its proxy', async () => {
    const session = await fetcher.sessions.open({ proxy: 'socks5' }, AbortSignal.timeout(600_000));
    try {
      const asked = proxies.get('socks5')?.asked.length ?? 0;
      await session.navigate('http://other.test/', {}, { timeoutMs: 10_000, signal: AbortSignal.timeout(600_000) });
      assert.ok((proxies.get('socks5')?.asked.length ?? 0) > asked);
    } finally {
      await session.close();
    }
  });

  for (const lane of ['http', 'browser'] as const) {
    for (const url of ['http://127.0.0.1/', 'http://inner.test/', 'http://[::1]/', 'http://2130706433/'])
      test(`${url} is refused by ${lane} before a proxy is asked`, async () => {
        const before = proxies.get('http')?.asked.length;
        await assert.rejects(get(url, lane, 'http'), refuses('address'));
        assert.equal(proxies.get('http')?.asked.length, before);
      });

    for (const name of ['wrong', 'wrong-socks', 'unknown', 'constructor'])
      test(`${name} makes no connection by ${lane}`, async () => {
        await assert.rejects(get('http://site.test/', lane, name), refuses('connect'));
      });
  }

  test('a proxy of six says so to an address of six', async () => {
    const url = proxies.get('socks5')?.url ?? '';
    const socket = await connectThrough({ url }, { address: '2001:db8::7', port: 443 }, 5_000);
    socket.destroy();
    assert.equal(proxies.get('socks5')?.asked.at(-1), '[20010db8000000000000000000000007]:443');
  });

  for (const [what, answer] of [
    ['says nothing', undefined],
    ['hangs up', ''],
    ['talks nonsense', 'hello\r\n\r\n'],
    ['never ends its head', 'HTTP/1.1 200 OK\r\n'.padEnd(40_000, 'x')],
  ] as const)
    test(`a proxy that ${what} is given up`, async () => {
      const server = createServer(
        (socket) =>
          void socket
            .on('error', () => undefined)
            .once('data', () => (answer === undefined ? 0 : answer === '' ? socket.end() : socket.write(answer))),
      );
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      try {
        for (const scheme of ['http', 'socks5'])
          await assert.rejects(
            connectThrough({ url: `${scheme}://127.0.0.1:${port}` }, { address: '93.184.216.34', port: 80 }, 400),
            refuses('connect'),
          );
      } finally {
        server.close();
      }
    });
});
