import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type ConnectionOptions, type Server, type TLSSocket, connect, createServer } from 'node:tls';
import { AuthorityError, ensureAuthority } from './authority.ts';
import { DAY_MS } from './certificate.ts';
import { type SecureOptions, issueLeaf, leafSource } from './leaf.ts';

const scratch = mkdtempSync(join(tmpdir(), 'weft-tls-'));
after(() => rmSync(scratch, { recursive: true }));
const NOW_MS = Date.now();
const clock = { now: () => NOW_MS };
const home = join(scratch, 'home');
const authority = await ensureAuthority(home, clock);
const leaf = await issueLeaf(authority, NOW_MS);
const leafPath = join(scratch, 'leaf.pem');
writeFileSync(leafPath, leaf.certPem);

test('keeps its files to their owner and makes the authority once', async () => {
  assert.deepEqual(readdirSync(join(home, 'tls')).sort(), ['ca.key', 'ca.pem']);
  assert.equal(statSync(join(home, 'tls')).mode & 0o777, 0o700);
  for (const file of ['ca.key', 'ca.pem']) assert.equal(statSync(join(home, 'tls', file)).mode & 0o777, 0o600);
  assert.equal((await ensureAuthority(home, clock)).certPem, authority.certPem);
});

test('an authority is P-256, good for ten years and one step, and critical in what it limits', () => {
  const cert = new X509Certificate(authority.certPem);
  assert.equal(cert.ca, true);
  assert.equal(cert.publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1');
  assert.equal(Math.round((cert.validToDate.getTime() - NOW_MS) / DAY_MS / 365), 10);
  const text = openssl('x509', '-in', authority.certPath, '-noout', '-text').output;
  assert.match(text, /Basic Constraints: critical\n\s+CA:TRUE, pathlen:0/);
  assert.match(text, /Name Constraints: critical\n\s+Permitted:\n\s+IP:127\.0\.0\.1\/255\.255\.255\.255\n/);
  assert.match(text, /Key Usage: critical\n\s+Certificate Sign, CRL Sign/);
});

test('two installations have different authorities', async () => {
  const other = await ensureAuthority(join(scratch, 'other'), clock);
  assert.notEqual(new X509Certificate(other.certPem).subject, new X509Certificate(authority.certPem).subject);
  assert.notEqual(openssl('verify', '-CAfile', other.certPath, leafPath).status, 0);
});

test('a leaf names 127.0.0.1 alone, for servers, for 90 days from a day ago', () => {
  const cert = new X509Certificate(leaf.certPem);
  assert.equal(cert.subject, 'CN=Weft local agent');
  assert.equal(cert.subjectAltName, 'IP Address:127.0.0.1');
  assert.deepEqual(cert.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  assert.equal(Math.round((leaf.notAfterMs - NOW_MS) / DAY_MS), 90);
  assert.equal(Math.round((NOW_MS - leaf.notBeforeMs) / DAY_MS), 1);
});

test('each leaf has its own serial and key', async () => {
  const other = await issueLeaf(authority, NOW_MS);
  assert.notEqual(new X509Certificate(other.certPem).serialNumber, new X509Certificate(leaf.certPem).serialNumber);
  assert.notEqual(other.keyPem, leaf.keyPem);
});

test('openssl takes a leaf at its address and refuses it after its end', () => {
  const verify = (...args: string[]) =>
    openssl('verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', authority.certPath, ...args, leafPath);
  assert.equal(verify('-verify_ip', '127.0.0.1').status, 0, verify('-verify_ip', '127.0.0.1').output);
  assert.match(verify('-verify_ip', '127.0.0.2').output, /IP address mismatch/);
  assert.match(verify('-attime', String(leaf.notAfterMs / 1000 + 1)).output, /certificate has expired/);
});

const LEAF = 'basicConstraints=CA:FALSE';
const ROGUES: readonly (readonly [what: string, name: string, refusal: RegExp])[] = [
  ['another address', 'IP:10.0.0.1', /permitted subtree violation/],
  ['its neighbour', 'IP:127.0.0.2', /permitted subtree violation/],
  ['an IPv6 address', 'IP:::1', /(permitted|excluded) subtree violation/],
  ['a DNS name', 'DNS:example.com', /permitted subtree violation/],
  ['localhost', 'DNS:localhost', /permitted subtree violation/],
  ['an e-mail address', 'email:a@example.com', /permitted subtree violation/],
  ['a URI', 'URI:https://example.com/', /permitted subtree violation/],
  ['the name that only fills its kind', 'DNS:weft.invalid', /excluded subtree violation/],
];
for (const [what, name, refusal] of ROGUES) {
  test(`whoever steals the key can't speak for ${what}`, () => {
    const path = signRogue([`subjectAltName=${name}`, LEAF]);
    const { status, output } = openssl('verify', '-CAfile', authority.certPath, path);
    assert.notEqual(status, 0);
    assert.match(output, refusal);
  });
}

test("whoever steals the key can't make another authority", () => {
  const below = signRogue(['basicConstraints=critical,CA:TRUE', 'keyUsage=keyCertSign']);
  const path = signRogue(['subjectAltName=IP:127.0.0.1', LEAF], { cert: below, key: join(scratch, 'rogue.key') });
  assert.match(openssl('verify', '-CAfile', authority.certPath, '-untrusted', below, path).output, /path length constraint exceeded/);
});

for (const [purpose, usage] of [
  ['sslclient', 'clientAuth'],
  ['smimesign', 'emailProtection'],
] as const) {
  test(`whoever steals the key can sign nothing for ${usage}`, () => {
    const path = signRogue([`extendedKeyUsage=${usage}`, 'keyUsage=critical,digitalSignature', LEAF]);
    const { status, output } = openssl('verify', '-purpose', purpose, '-CAfile', authority.certPath, path);
    assert.notEqual(status, 0);
    assert.match(output, /(invalid CA certificate|unsupported certificate purpose|unsuitable certificate purpose)/);
  });
}

test('a client that trusts the authority connects, one that does not is refused', async () => {
  await using server = await listen({ cert: leaf.certPem, key: leaf.keyPem, minVersion: 'TLSv1.2' });
  using socket = await secure(server.port, { ca: authority.certPem });
  assert.equal(socket.authorized, true);
  await assert.rejects(secure(server.port, {}), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
});

test('a leaf is renewed at two thirds of its life while the server runs', async () => {
  const time = { nowMs: NOW_MS, tick: () => {} };
  const renewed = Promise.withResolvers<void>();
  await using server = await listen({});
  const source = await leafSource({
    authority,
    clock: { now: () => time.nowMs },
    every: (_intervalMs, run) => {
      time.tick = run;
      return () => (time.tick = () => {});
    },
    onRenewed: (options) => {
      server.setSecureContext(options);
      renewed.resolve();
    },
    onError: (error) => renewed.reject(error),
  });
  server.setSecureContext(source.secureOptions());
  using before = await secure(server.port, { ca: authority.certPem });

  const first = source.secureOptions();
  time.nowMs = NOW_MS + 59.9 * DAY_MS;
  time.tick();
  assert.deepEqual(source.secureOptions(), first);
  time.nowMs = NOW_MS + 60.1 * DAY_MS;
  time.tick();
  await renewed.promise;
  source.close();

  assert.notDeepEqual(source.secureOptions(), first);
  assert.equal(new X509Certificate(source.secureOptions().cert).serialNumber, await serialOfNext(server.port, time.nowMs));
  before.write('still here');
  assert.equal(String(await once(before, 'data')), 'still here');
});

test('a leaf is kept for the next start, for its owner alone, until it is due', async () => {
  const folder = copyOfHome('kept');
  const start = async (nowMs: number) => {
    const kept = await ensureAuthority(folder, { now: () => nowMs });
    const quiet = {
      every: () => () => {},
      onRenewed: () => assert.fail('renewed'),
      onError: (error: unknown) => assert.fail(String(error)),
    };
    return (await leafSource({ authority: kept, clock: { now: () => nowMs }, ...quiet })).secureOptions();
  };
  const path = join(folder, 'tls', 'leaf.pem');
  const first = await start(NOW_MS);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(await start(NOW_MS + 59.9 * DAY_MS), first);
  await using server = await listen(first);
  using socket = await secure(server.port, { ca: authority.certPem });
  assert.equal(socket.authorized, true);

  const foreign = await issueLeaf(await ensureAuthority(join(scratch, 'foreign'), clock), NOW_MS);
  const spoiled: readonly (readonly [what: string, spoil: () => void])[] = [
    ['cut short', () => writeFileSync(path, first.cert)],
    ['of another key', () => writeFileSync(path, first.cert + leaf.keyPem)],
    ['of another authority', () => writeFileSync(path, foreign.certPem + foreign.keyPem)],
    ['open to others', () => chmodSync(path, 0o644)],
  ];
  for (const [what, spoil] of spoiled) {
    const before = await start(NOW_MS);
    spoil();
    assert.notDeepEqual(await start(NOW_MS), before, what);
  }
  const last = await start(NOW_MS);
  assert.notDeepEqual(await start(NOW_MS + 60.1 * DAY_MS), last);
});

test('a leaf is renewed when the clock was set back before its beginning', async () => {
  const time = { nowMs: NOW_MS, tick: () => {} };
  const renewed = Promise.withResolvers<SecureOptions>();
  const every = (_intervalMs: number, run: () => void) => {
    time.tick = run;
    return () => {};
  };
  await leafSource({ authority, clock: { now: () => time.nowMs }, every, onRenewed: renewed.resolve, onError: renewed.reject });
  time.nowMs = NOW_MS - 2 * DAY_MS;
  time.tick();
  assert.ok(new X509Certificate((await renewed.promise).cert).validFromDate.getTime() <= time.nowMs);
});

test('a renewal that fails is reported and tried again', async () => {
  const time = { nowMs: NOW_MS, tick: () => {} };
  const faults: unknown[] = [];
  const failed = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const every = (_intervalMs: number, run: () => void) => {
    time.tick = run;
    return () => {};
  };
  const onError = (error: unknown) => failed[faults.push(error) - 1]?.resolve();
  await leafSource({ authority, clock: { now: () => time.nowMs }, every, onRenewed: () => assert.fail('renewed'), onError });
  time.nowMs = authority.notAfterMs + DAY_MS;
  time.tick();
  await failed[0]?.promise;
  time.tick();
  await failed[1]?.promise;
  assert.ok(faults.every((fault) => fault instanceof AuthorityError && fault.fault === 'expired'));
});

test('a lost ca.pem is made again, and copies of the old one go on working', async () => {
  const folder = copyOfHome('lost');
  rmSync(join(folder, 'tls', 'ca.pem'));
  const again = await ensureAuthority(folder, clock);
  assert.notEqual(again.certPem, authority.certPem);
  writeFileSync(join(scratch, 'again.pem'), (await issueLeaf(again, NOW_MS)).certPem);
  assert.equal(openssl('verify', '-CAfile', authority.certPath, join(scratch, 'again.pem')).status, 0);
});

const FAULTS: readonly (readonly [what: string, fault: string, spoil: (tls: string) => void])[] = [
  ['a key of another authority', 'mismatch', (tls) => cpSync(anotherKey(), join(tls, 'ca.key'))],
  ['no key', 'key_missing', (tls) => rmSync(join(tls, 'ca.key'))],
  ['a key that others may read', 'key_exposed', (tls) => chmodSync(join(tls, 'ca.key'), 0o640)],
  ['a key that is cut short', 'unreadable', (tls) => writeFileSync(join(tls, 'ca.key'), '-----BEGIN PRIVATE KEY-----\nMIG')],
  ['a key behind a symbolic link', 'unreadable', (tls) => relink(join(tls, 'ca.key'))],
  ['an empty certificate', 'unreadable', (tls) => writeFileSync(join(tls, 'ca.pem'), '')],
  ['a leaf for a certificate', 'not_ours', (tls) => cpSync(leafPath, join(tls, 'ca.pem'))],
  ['a key for a certificate', 'unreadable', (tls) => cpSync(join(tls, 'ca.key'), join(tls, 'ca.pem'))],
];
for (const [what, fault, spoil] of FAULTS) {
  test(`refuses ${what} and changes nothing`, async () => {
    const folder = copyOfHome(what);
    const tls = join(folder, 'tls');
    spoil(tls);
    const before = contentsOf(tls);
    await assert.rejects(ensureAuthority(folder, clock), (error) => {
      assert.ok(error instanceof AuthorityError);
      assert.equal(error.fault, fault);
      assert.ok(error.message.startsWith(tls), error.message);
      return true;
    });
    assert.deepEqual(contentsOf(tls), before);
  });
}

test('refuses an authority that has expired', async () => {
  await assert.rejects(ensureAuthority(home, { now: () => authority.notAfterMs }), { fault: 'expired' });
});

function openssl(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

/** A certificate with these extensions, signed by the authority's own key unless by another: what a thief could make. */
function signRogue(extensions: readonly string[], signer = { cert: authority.certPath, key: join(home, 'tls', 'ca.key') }): string {
  const path = join(scratch, `rogue-${readdirSync(scratch).length}.pem`);
  const rogueKey = join(scratch, 'rogue.key.new');
  const request = 'req -x509 -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=Rogue -days 1'.split(' ');
  const files = ['-CA', signer.cert, '-CAkey', signer.key, '-keyout', rogueKey, '-out', path];
  const made = openssl(...request, ...files, ...extensions.flatMap((extension) => ['-addext', extension]));
  assert.equal(made.status, 0, made.output);
  cpSync(rogueKey, join(scratch, 'rogue.key'));
  return path;
}

function anotherKey(): string {
  const path = join(scratch, 'another.key');
  writeFileSync(path, leaf.keyPem, { mode: 0o600 });
  return path;
}

function relink(path: string): void {
  cpSync(path, `${path}.real`);
  rmSync(path);
  symlinkSync(`${path}.real`, path);
}

function copyOfHome(name: string): string {
  const folder = join(scratch, `home of ${name}`);
  cpSync(home, folder, { recursive: true });
  return folder;
}

function contentsOf(folder: string): Record<string, string> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** An echo server on a free port. */
async function listen(
  options: Partial<SecureOptions>,
): Promise<AsyncDisposable & { port: number; setSecureContext: Server['setSecureContext'] }> {
  const server = createServer(options, (socket) => socket.on('error', () => {}).pipe(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.close();
    await once(server, 'close');
  };
  return { port, setSecureContext: (context) => server.setSecureContext(context), [Symbol.asyncDispose]: close };
}

async function secure(port: number, options: ConnectionOptions): Promise<TLSSocket & Disposable> {
  const socket = connect({ host: '127.0.0.1', port, ...options });
  await once(socket, 'secureConnect');
  return Object.assign(socket, { [Symbol.dispose]: () => void socket.destroy() });
}

/** The serial that the server now shows; not verified, because a leaf of the future is not valid yet. */
async function serialOfNext(port: number, nowMs: number): Promise<string> {
  using socket = await secure(port, { rejectUnauthorized: false });
  const cert = socket.getPeerX509Certificate();
  assert.ok(cert && cert.validFromDate.getTime() <= nowMs && cert.verify(new X509Certificate(authority.certPem).publicKey));
  return cert.serialNumber;
}
