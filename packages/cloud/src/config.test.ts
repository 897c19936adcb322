import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from './config.ts';

test('says what is usual for what is left out', () => {
  const { role, listening, internal, drainSeconds, blobs, traces, turnSeconds, crawlsAtOnce } = readConfig([], {});
  assert.deepEqual(
    { role, listening, internal, drainSeconds, blobs, traces, turnSeconds, crawlsAtOnce },
    {
      role: 'all',
      listening: { address: '127.0.0.1', tls: undefined, trustedProxies: [], publicUrls: [] },
      internal: undefined,
      drainSeconds: 0,
      blobs: { kind: 'files' },
      traces: undefined,
      turnSeconds: 30,
      crawlsAtOnce: 8,
    },
  );
});

const AWS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
const refused: readonly (readonly [args: readonly string[], env: Record<string, string>, says: RegExp])[] = [
  [['--role', 'boss'], {}, /--role is "boss"; it must be api, worker or all/],
  [['--listen', 'localhost'], {}, /--listen is "localhost"; it must be an address/],
  [['--listen', '0.0.0.0'], {}, /keys would pass in the open/],
  [['--listen', '::', '--public-url', 'https://cloud.test'], {}, /Name --tls-cert and --tls-key/],
  [['--tls-cert', 'x.pem'], {}, /belong together/],
  [['--tls-cert', '/nowhere/x.pem', '--tls-key', '/nowhere/y.pem'], {}, /\/nowhere\/x.pem, which can't be read/],
  [['--trusted-proxy', 'proxy.test'], {}, /must be the address that the proxy calls from/],
  [['--public-url', 'https://cloud.test/path'], {}, /must be an origin/],
  [['--internal', '9464'], {}, /such as 127.0.0.1:9464/],
  [['--crawls-at-once', '0'], {}, /must be a whole number from 1 to 1000 \(8 unless said\)/],
  [['--turn-seconds', 'x'], {}, /must be a number from 0.05 to 3600/],
  [['--blobs', 'https://s3.test/pictures'], {}, /AWS_ACCESS_KEY_ID/],
  [['--blobs', 'https://s3.test'], AWS, /a bucket such as/],
  [['--wrong'], {}, /What there is: --port N, .*--turn-seconds N/],
  [[], { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /must be an http or https address/],
];
for (const [args, env, says] of refused)
  test(`refuses ${JSON.stringify([...args, ...Object.keys(env)])} in words`, () =>
    assert.throws(
      () => readConfig(args, env),
      (error) => error instanceof ConfigError && says.test(error.message),
    ));

test('listens beyond this machine behind a proxy, and knows a bucket and a collector', () => {
  const args = [
    '--listen',
    '0.0.0.0',
    '--trusted-proxy',
    '10.0.0.2',
    '--public-url',
    'https://cloud.test',
    '--blobs',
    'https://s3.test/pictures/',
  ];
  const { listening, blobs, traces } = readConfig(args, {
    ...AWS,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.test:4318/',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b',
  });
  assert.deepEqual(listening, { address: '0.0.0.0', tls: undefined, trustedProxies: ['10.0.0.2'], publicUrls: ['https://cloud.test'] });
  assert.equal(blobs.kind === 's3' && blobs.url, 'https://s3.test/pictures');
  assert.deepEqual(traces, { url: 'http://collector.test:4318/v1/traces', headers: { 'x-key': 'a b' } });
});
