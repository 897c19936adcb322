import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { PageError } from '../../errors.ts';
import { classifyAddress } from '../../url/address.ts';
import { targetsNamedBy } from '../../url/named-targets.ts';
import { createAddressGate } from './gate.ts';
import type { AddressGate, AddressPolicy, CheckedTarget, Visit } from './gate.ts';

const PUBLIC_V4 = '93.184.215.14';
const PUBLIC_V6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c';

/** The DNS of these tests; any other name is public. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'intranet.example': ['10.1.2.3'],
  'mixed.example': [PUBLIC_V4, '192.168.0.1'],
  'mixed6.example': [PUBLIC_V6, '::1'],
  'mapped.example': ['::ffff:10.0.0.1'],
  'meta.example': ['169.254.169.254'],
  'nothing.example': [],
  'cname-chain.example': ['127.0.0.1'],
  'both.example': [PUBLIC_V4, PUBLIC_V6],
};

function gateWith(policy: Partial<AddressPolicy> = {}): { readonly gate: AddressGate; readonly asked: readonly string[] } {
  const asked: string[] = [];
  const resolve = (host: string) => {
    asked.push(host);
    return Promise.resolve(NAMES[host] ?? [PUBLIC_V4]);
  };
  return { gate: createAddressGate({ mode: 'agent', resolve, ...policy }), asked };
}

const check = (url: string, visit: Visit = {}, policy: Partial<AddressPolicy> = {}): Promise<CheckedTarget> =>
  gateWith(policy).gate.check(url, visit, AbortSignal.timeout(600_000));

const refused = (url: string, visit: Visit = {}, policy: Partial<AddressPolicy> = {}) =>
  assert.rejects(check(url, visit, policy), (error) => error instanceof PageError && error.code === 'address' && error.next === 'drop');

const BLOCKED: Readonly<Record<string, readonly string[]>> = {
  'S1 a spelling of 127.0.0.1': [
    'http://127.0.0.1/',
    'http://127.1/',
    'http://127.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0x7f000001/',
    'http://0X7F.0.0.0x1/',
    'http://017700000001/',
    'http://0177.0.0.1/',
    'http://0177.0.0.01/',
    'http://%31%32%37.0.0.1/',
    'http://127.0.0.1./',
    'http://127.0.0.%31/',
    'http://１２７.０.０.１/',
    'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/',
    'http://127．0．0．1/',
    'http://127｡0｡0｡1/',
    'http://127.255.255.254/',
    'https://127.0.0.1/',
    'http:127.0.0.1/',
    'http:/127.0.0.1/',
    'http:\\\\127.0.0.1\\',
    ' http://127.0.0.1/ ',
    'HTTP://127.0.0.1/',
  ],
  'S2 this host': [
    'http://0.0.0.0/',
    'http://0/',
    'http://0x0/',
    'http://0.1.2.3/',
    'http://[::]/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[0000::0001]/',
    'http://localhost/',
    'http://LOCALHOST/',
    'http://localhost./',
    'http://x.localhost/',
    'http://a.b.localhost./',
    'http://ｌocalhost/',
    'http://%6cocalhost/',
  ],
  'S3 an IPv4 range that is not public': [
    'http://10.0.0.1/',
    'http://10.255.255.255/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.0.1/',
    'http://192.168.255.255/',
    'http://169.254.0.1/',
    'http://169.254.255.255/',
    'http://100.64.0.1/',
    'http://100.127.255.255/',
    'http://192.0.0.1/',
    'http://192.0.2.1/',
    'http://192.88.99.1/',
    'http://198.18.0.1/',
    'http://198.19.255.255/',
    'http://198.51.100.1/',
    'http://203.0.113.1/',
    'http://224.0.0.1/',
    'http://239.255.255.255/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
    'http://3232235521/',
    'http://0xa000001/',
    'http://012.0.0.1/',
  ],
  'S4 an IPv6 range that is not public': [
    'http://[fc00::1]/',
    'http://[fdff:ffff::1]/',
    'http://[fe80::1]/',
    'http://[fe81::1]/',
    'http://[febf::1]/',
    'http://[fec0::1]/',
    'http://[ff02::1]/',
    'http://[ff00::]/',
    'http://[2001:db8::1]/',
    'http://[3fff::1]/',
    'http://[3fff:fff::1]/',
    'http://[100::1]/',
    'http://[5f00::1]/',
    'http://[4000::1]/',
    'http://[1::1]/',
    'http://[2001:2::1]/',
    'http://[2001:10::1]/',
    'http://[2001:20::1]/',
  ],
  'S5 IPv4 inside IPv6': [
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[0:0:0:0:0:ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:FFFF:7f00:0001]/',
    'http://[::FFFF:10.0.0.1]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[::127.0.0.1]/',
    'http://[::7f00:1]/',
    'http://[::8.8.8.8]/',
    'http://[::ffff:0:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://[64:ff9b::8.8.8.8]/',
    'http://[64:ff9b:1::a00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2002:808:808::1]/',
    'http://[2001::1]/',
    'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  ],
  'S6 a metadata service': [
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://169.254.170.2/',
    'http://169.254.170.23/',
    'http://[fd00:ec2::254]/',
    'http://[fd00:ec2:0:0:0:0:0:254]/',
    'http://[fd00:ec2::23]/',
    'http://[fd20:ce::254]/',
    'http://168.63.129.16/',
    'http://100.100.100.200/',
    'http://192.0.0.192/',
    'http://metadata.google.internal/',
    'http://METADATA.google.internal./',
    'http://metadata/',
    'http://metadata.goog/',
    'http://instance-data/',
    'http://meta.example/',
  ],
  'S7, S9 a name that leads to a private address': [
    'http://intranet.example/',
    'http://mixed.example/',
    'http://mixed6.example/',
    'http://mapped.example/',
    'http://nothing.example/',
    'http://cname-chain.example/',
    'https://intranet.example./',
  ],
  'S12 another scheme': [
    'file:///etc/passwd',
    'gopher://example.com/',
    'ftp://example.com/',
    'data:text/html,x',
    'javascript:alert(1)',
    'blob:http://example.com/1',
    'view-source:http://example.com/',
    'chrome://version/',
    'about:blank',
    'ws://example.com/',
    'dict://example.com:2628/',
    'ldap://example.com/',
    'mailto:a@example.com',
    'tel:123',
    'jar:http://example.com!/x',
    'netdoc:///etc/passwd',
  ],
  'S13 a URL that hides its host': [
    'http://a@127.0.0.1/',
    'http://example.com@127.0.0.1/',
    'http://example.com:80@127.0.0.1/',
    'http://127.0.0.1\\@example.com/',
    'http://127.0.0.1#@example.com/',
    'http://127.0.0.1?@example.com/',
    'http:///127.0.0.1/',
    'http:////127.0.0.1/',
    'http://127.0\t.0.1/',
    'http://127.0\n.0.1/',
    'ht\ntp://127.0.0.1/',
    'http://127.0.0.1:80\\@example.com/',
    'http://user:secret@example.com/',
    'http://user@example.com/',
    'http://:secret@example.com/',
  ],
  'S14 a port that is not for web pages': [
    'http://example.com:0/',
    'http://example.com:1/',
    'http://example.com:21/',
    'http://example.com:22/',
    'http://example.com:23/',
    'http://example.com:25/',
    'http://example.com:53/',
    'http://example.com:110/',
    'http://example.com:143/',
    'http://example.com:389/',
    'http://example.com:445/',
    'http://example.com:465/',
    'http://example.com:587/',
    'http://example.com:993/',
    'http://example.com:1023/',
    'http://example.com:2049/',
    'http://example.com:2375/',
    'http://example.com:3306/',
    'http://example.com:5432/',
    'http://example.com:5060/',
    'http://example.com:6000/',
    'http://example.com:6379/',
    'http://example.com:6667/',
    'http://example.com:9200/',
    'http://example.com:10250/',
    'http://example.com:11211/',
    'http://example.com:27017/',
    'http://example.com:65536/',
    'http://example.com:-1/',
    'http://example.com:80x/',
    'https://example.com:22/',
  ],
  'S20 a host that is none': [
    '',
    'example.com',
    '//example.com/',
    '/path',
    'http://',
    'http:// /',
    'http://[::1/',
    'http://[::g]/',
    'http://exa mple.com/',
    'http://exam<ple.com/',
    'http://%00/',
    'http://a\u{0}b/',
    'http://999.1.1.1/',
    'http://1.2.3.4.5/',
    'http://0x100000000/',
    'http://example.com:99999999999/',
  ],
};

describe('the gate refuses', () => {
  for (const [name, urls] of Object.entries(BLOCKED)) {
    for (const url of urls) {
      for (const mode of ['agent', 'public'] as const) {
        test(`${name}: ${JSON.stringify(url)} (${mode})`, () => refused(url, {}, { mode }));
      }
    }
  }

  test('at least 150 spellings', () => {
    assert.ok(new Set(Object.values(BLOCKED).flat()).size >= 150);
  });
});

describe('S20 an odd host name', () => {
  const label = 'a'.repeat(63);
  const hosts = [
    'xn--',
    'xn--999999999999.example',
    `${label}a.example`,
    `${label}.${label}.${label}.${label}.example`,
    'a..b',
    '.example',
    '-a.example',
    '*',
    'a,b',
  ];
  for (const host of hosts) {
    test(`is refused or looked up as it is: ${host.slice(0, 40)}`, async () => {
      const outcome = await check(`http://${host}/`).catch((error: unknown) => error);
      assert.ok(
        outcome instanceof PageError ? outcome.code === 'address' : (outcome as CheckedTarget).host === new URL(`http://${host}/`).hostname,
      );
    });
  }
});

describe('the gate lets through', () => {
  const rows: readonly (readonly [url: string, host: string, port: number])[] = [
    ['http://example.com/', 'example.com', 80],
    ['https://example.com/', 'example.com', 443],
    ['https://EXAMPLE.com.:8443/a#b', 'example.com', 8443],
    ['http://example.com:8080/', 'example.com', 8080],
    ['http://example.com:49152/', 'example.com', 49_152],
    ['http://8.8.8.8/', '8.8.8.8', 80],
    ['http://134744072/', '8.8.8.8', 80],
    [`http://[${PUBLIC_V6}]/`, PUBLIC_V6, 80],
    ['http://172.15.255.255/', '172.15.255.255', 80],
    ['http://172.32.0.1/', '172.32.0.1', 80],
    ['http://100.63.255.255/', '100.63.255.255', 80],
    ['http://100.128.0.1/', '100.128.0.1', 80],
    ['http://11.0.0.1/', '11.0.0.1', 80],
    ['http://223.255.255.255/', '223.255.255.255', 80],
    ['http://under_score.example/', 'under_score.example', 80],
    ['http://bücher.example/', 'xn--bcher-kva.example', 80],
    ['http://раура1.example/', 'xn--1-7sba6dbr.example', 80],
    ['http://good.example#@127.0.0.1', 'good.example', 80],
    ['http://good.example\\@127.0.0.1', 'good.example', 80],
    ['http://good.example/?u=http://127.0.0.1/', 'good.example', 80],
    ['http://127.0.0.1.nip.example/', '127.0.0.1.nip.example', 80],
    ['http://localhost.example/', 'localhost.example', 80],
    ['http://notlocalhost/', 'notlocalhost', 80],
  ];
  for (const [url, host, port] of rows) {
    test(`${url} as ${host}:${port}`, async () => {
      const target = await check(url, {}, { mode: 'public' });
      assert.deepEqual([target.host, target.port, target.reach], [host, port, 'public']);
    });
  }

  test('every public address of a name, in the order of the resolver', async () => {
    assert.deepEqual((await check('http://both.example/')).addresses, [PUBLIC_V4, PUBLIC_V6]);
  });
});

describe('a private target that is named', () => {
  const local: Visit = { privateTargets: ['127.0.0.1:8080', 'localhost:3000', '[::1]:8080', 'intranet.example:80', '10.0.0.7:443'] };
  const reached = [
    'http://127.0.0.1:8080/',
    'http://127.1:8080/',
    'http://localhost:3000/',
    'http://[::1]:8080/',
    'http://intranet.example/',
    'https://10.0.0.7/',
  ];
  for (const url of reached) {
    test(`is reached by the caller's own URL: ${url}`, async () => assert.equal((await check(url, local)).reach, 'private'));
    test(`is not reached once a public page leads there: ${url}`, () => refused(url, { ...local, from: 'public' }));
    test(`is not reached on the hosted service: ${url}`, () => refused(url, local, { mode: 'public' }));
  }
  for (const url of [
    'http://127.0.0.1:8081/',
    'http://127.0.0.2:8080/',
    'http://localhost/',
    'http://10.0.0.7/',
    'http://x.localhost:3000/',
  ]) {
    test(`does not open another one: ${url}`, () => refused(url, local));
  }
  test('http at the default port names https at the default port of its host, and nothing else does', async () => {
    const named = (url: string): Visit => ({ privateTargets: targetsNamedBy(url) });
    for (const url of ['http://intranet.example/', 'https://intranet.example/', 'http://intranet.example:443/'])
      assert.equal((await check(url, named('http://intranet.example/a'))).reach, 'private');
    for (const [url, by] of [
      ['https://cname-chain.example/', 'http://intranet.example/'],
      ['https://intranet.example:8443/', 'http://intranet.example/'],
      ['http://intranet.example:8080/', 'http://intranet.example/'],
      ['http://intranet.example/', 'https://intranet.example/'],
      ['https://intranet.example/', 'http://intranet.example:8080/'],
      ['https://10.1.2.3/', 'http://intranet.example/'],
    ] as const)
      await refused(url, named(by));
    await refused('https://intranet.example/', { ...named('http://intranet.example/'), from: 'public' });
  });

  const never = [
    '169.254.169.254:80',
    '0.0.0.0:8080',
    'metadata.google.internal:80',
    '[::ffff:127.0.0.1]:8080',
    '[64:ff9b::7f00:1]:80',
    '224.0.0.1:80',
    '127.0.0.1:6379',
  ];
  for (const target of never) {
    test(`is never ${target}`, () => refused(`http://${target}/`, { privateTargets: [target] }));
  }

  test('the hosted service reaches what its operator lists, and no neighbour', async () => {
    const policy = { mode: 'public', privateTargets: ['127.0.0.1:8080'] } as const;
    assert.equal((await check('http://127.0.0.1:8080/', {}, policy)).reach, 'private');
    await refused('http://127.0.0.1:8081/', {}, policy);
  });

  test('a public target that is named stays public', async () => {
    assert.equal((await check('http://example.com/', { privateTargets: ['example.com:80'] })).reach, 'public');
  });

  for (const url of ['http://127.0.0.1:8131/', 'http://localhost:8132/', 'http://intranet.example:8131/']) {
    test(`S23 our own port is refused, whoever names it: ${url}`, () => {
      const { host } = new URL(url);
      return refused(url, { privateTargets: [host] }, { ownPorts: [8131, 8132], privateTargets: [host] });
    });
  }

  test('S14 a list of allowed ports allows no other', async () => {
    await refused('http://example.com:8080/', {}, { allowedPorts: [80, 443] });
    assert.equal((await check('http://example.com/', {}, { allowedPorts: [80, 443] })).port, 80);
  });
});

describe('what a refusal tells', () => {
  test('S19 all internal targets get one sentence', async () => {
    const messages = await Promise.all(
      ['http://127.0.0.1:9/x', 'http://10.0.0.1:8080/', 'http://intranet.example/', 'http://169.254.169.254/', 'http://localhost/'].map(
        async (url) => {
          const error = await check(url).catch((caught: unknown) => caught);
          return error instanceof PageError ? error.message.replace(/^\S+/, 'URL') : String(error);
        },
      ),
    );
    // The first has a refused port, which its URL shows already.
    assert.equal(new Set(messages.slice(1)).size, 1);
  });

  test('S13, S15 the normalised URL is shown, without user info', async () => {
    const error = await check('http://me:secret@EXAMPLE.com/a').catch((caught: unknown) => caught);
    assert.ok(error instanceof PageError);
    assert.match(error.message, /^http:\/\/example\.com\/a is not fetched/);
    assert.doesNotMatch(error.message + error.url, /secret/);
  });

  test('a very long URL is cut', async () => {
    const error = await check(`ftp://example.com/${'a'.repeat(5_000)}`).catch((caught: unknown) => caught);
    assert.ok(error instanceof PageError && error.message.length < 500);
  });
});

describe('look-ups', () => {
  test('S8 a name is looked up once for a check', async () => {
    const { gate, asked } = gateWith();
    await gate.check('http://example.com/', {}, AbortSignal.timeout(600_000));
    assert.deepEqual(asked, ['example.com']);
  });

  test('literals and local names are not looked up', async () => {
    const { gate, asked } = gateWith();
    await gate.check('http://8.8.8.8/', {}, AbortSignal.timeout(600_000));
    await gate.check('http://localhost:81/', { privateTargets: ['localhost:81'] }, AbortSignal.timeout(600_000));
    assert.deepEqual(asked, []);
  });
});

/** The web platform tests' URL table, where the public data is unpacked. */
const URL_TABLE = join(tmpdir(), 'weft-data', 'corpora', 'url', 'urltestdata.json');

interface UrlRow {
  readonly input: string;
  readonly base?: string | null;
  readonly failure?: boolean;
  readonly hostname?: string;
}

test(
  'S21 every URL of the web platform tests is refused, or checked under the host that the standard gives it',
  { skip: existsSync(URL_TABLE) ? false : 'the corpora are absent' },
  async () => {
    const rows = (JSON.parse(readFileSync(URL_TABLE, 'utf8')) as (UrlRow | string)[]).filter((row) => typeof row !== 'string');
    for (const row of rows) {
      const url = row.base ? (URL.parse(row.input, row.base)?.href ?? row.input) : row.input;
      const target = await check(url, {}, { mode: 'public' }).catch((error: unknown) => error);
      if (target instanceof PageError) {
        assert.equal(target.code, 'address', row.input);
        continue;
      }
      assert.ok(!row.failure || row.base, row.input);
      const { host, addresses } = target as CheckedTarget;
      assert.equal(host, row.hostname?.replace(/^\[|\]$/g, '').replace(/\.$/, ''), row.input);
      assert.ok(
        addresses.every((address) => classifyAddress(address) === 'public'),
        row.input,
      );
    }
  },
);
