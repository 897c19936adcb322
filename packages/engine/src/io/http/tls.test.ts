import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { TlsOptions } from 'node:tls';
import { createAuthority, issueCertificate } from '../../../../../tests/sites/certificates.ts';
import type { Authority } from '../../../../../tests/sites/certificates.ts';
import { redirect, reply, startRawServer } from '../../../../../tests/sites/raw-server.ts';
import type { RawServer } from '../../../../../tests/sites/raw-server.ts';
import { createAddressGate } from '../gate/gate.ts';
import { createHttpFetcher } from './fetcher.ts';

describe('S22 TLS', () => {
  const sites = new Map<string, RawServer>();
  let authority: Authority;
  const close: (() => Promise<void>)[] = [];
  const fetchFrom = (site: { readonly port: number } | undefined, path: string, trust: boolean) => {
    const fetcher = createHttpFetcher({
      gate: createAddressGate({ mode: 'public', resolve: () => Promise.resolve(['93.184.215.14']) }),
      dialTo: (_address, port) => ({ address: '127.0.0.1', port: (port === 80 ? sites.get('http') : site)?.port ?? 0 }),
      ...(trust ? { trustedCertificates: [authority.pem] } : {}),
    });
    close.push(() => fetcher.close());
    return fetcher.fetch({ url: `https://site.example${path}` }, AbortSignal.timeout(600_000));
  };

  before(async () => {
    authority = createAuthority();
    const routes = { '/': reply({ body: 'secure' }), '/down': redirect('http://site.example/') };
    const valid = issueCertificate(authority, 'site.example', 10);
    const options: Readonly<Record<string, TlsOptions | undefined>> = {
      valid,
      'other name': issueCertificate(authority, 'other.example', 10),
      expired: issueCertificate(authority, 'site.example', -1),
      'TLS 1.1': { ...valid, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
      http: undefined,
    };
    for (const [name, tls] of Object.entries(options)) sites.set(name, await startRawServer(routes, tls));
  });
  after(async () => {
    await Promise.all(close.map((each) => each()));
    await Promise.all([...sites.values()].map((site) => site.close()));
  });

  test('a good certificate of a trusted authority is accepted', async () => {
    assert.equal(new TextDecoder().decode((await fetchFrom(sites.get('valid'), '/', true)).body), 'secure');
  });

  for (const [name, trust] of [
    ['valid', false],
    ['other name', true],
    ['expired', true],
    ['TLS 1.1', true],
  ] as const) {
    test(`${trust ? name : 'an unknown authority'} ends as tls, without a second try over http`, async () => {
      const requestsBefore = sites.get('http')?.requests.length;
      await assert.rejects(fetchFrom(sites.get(name), '/', trust), { code: 'tls', next: 'drop' });
      assert.equal(sites.get('http')?.requests.length, requestsBefore);
    });
  }

  test('a server that speaks no TLS ends as tls', async (t) => {
    const plain = createServer((socket) => socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    t.after(() => plain.close());
    const { port } = plain.address() as AddressInfo;
    await assert.rejects(fetchFrom({ port }, '/', true), { code: 'tls', next: 'drop' });
  });

  test('S12 a redirect from https to http is followed and reported', async () => {
    const page = await fetchFrom(sites.get('valid'), '/down', true);
    assert.deepEqual([page.url, page.warnings], ['http://site.example/', ['insecure_redirect']]);
  });
});
