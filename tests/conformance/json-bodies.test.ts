// What the kernel takes as a JSON body: RFC 8259 case by case, and where we are stricter because a value would be changed or lost.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { LIMITS, formatToken } from '@weft/contract';
import type { Operation } from '@weft/contract';
import { z } from 'zod';
import { findDataset } from '../../bench/quality/dataset.ts';
import { callKernel, kernelOf } from './kernel.ts';

const ECHO: Operation = {
  id: 'test.row',
  method: 'POST',
  path: '/v1/echo',
  summary: 'answers its body',
  scopes: ['read'],
  body: z.unknown(),
  replies: { 200: { description: 'the body', content: { 'application/json': z.unknown() } } },
};
let nowMs = 0;
const kernel = kernelOf(ECHO, ({ body }) => ({ status: 200, body }), { now: () => (nowMs += 1000) });
const token = formatToken('wlt', 'A'.repeat(43));

const depth = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** Accepted, and answered with the same value. */
const ACCEPTED: readonly string[] = [
  ['{}', '[]', 'null', 'true', 'false', '0', '""', ' {} ', '\n\t\r {}\r\n', '[null]', '[[]]', '{"":0}', '[1,2]', '[ 1 , 2 ]'],
  ['-0', '-1', '1.5', '-1.5e3', '1E5', '1e-5', '1e+5', '0.0', '0e0', '0E+1', '123456789', '9007199254740991', '-9007199254740991'],
  ['1.0', '20e1', '0.1', '1e308', '5e-324', '1e-400', '0.00000000000000000000001', '3.141592653589793238462643'],
  ['"a"', '"\\""', '"\\\\"', '"\\/"', '"/"', '"\\b\\f\\n\\r\\t"', '"\\u0041"', '"\\u00e9"', '"\u00e9"', '"\\u20AC"', '"\u20ac"'],
  ['"\\ud834\\udd1e"', '"\u{1d11e}"', '"\\uD83D\\uDE00"', '"\\u0000"', '"\\u001f"', '"\u007f"', '"\u2028\u2029"', '"\ufeff"', '"\ufffe"'],
  ['"\\u2028"', '"\\uFFFF"', '"{[]}"', '"[[[["', '"a,b:c"', '"\\\\\\""', '"// no comment"', '"/* nor */"', '"\\u005C"', '"\u0308a"'],
  ['{"a":1}', '{"a":{"a":1}}', '{"a":1,"b":1}', '{"a":[{"a":1},{"a":2}]}', '{"\\u0061":1,"b":2}', '{"a b":1}', '{"constructor":1}'],
  ['{"toString":1}', '{"hasOwnProperty":1}', '{"prototype":{}}', '{"proto":1}', '["__proto__"]', '{"a":"__proto__"}', '{"\u00e9":1}'],
  [
    '{"a":"b","c":{"a":"b"}}',
    '{"0":1,"00":2}',
    '{"A":1,"a":2}',
    '{"\u00e9":1,"e\u0301":2}',
    '{ "a" : 1 }',
    '{"a"\n:1}',
    '[true,false,null]',
  ],
  [depth(LIMITS.jsonDepthMax), `"${'a'.repeat(100_000)}"`, `[${'0,'.repeat(9999)}0]`, '[1e1,2E2,-3.0e-1]', '"\\u0022\\u005c"'],
].flat();

/** Refused, with what is wrong. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'no value': ['', ' ', '\n', '\t\r\n'],
  'not closed': [
    '{',
    '[',
    '"',
    '{"a"',
    '{"a":',
    '{"a":1',
    '[1',
    '[1,',
    '["a',
    '{"a":"b',
    '"\\',
    '"\\u',
    '"\\u00',
    '[[]',
    '{"a":{}',
    'tru',
    'nul',
    '-',
  ],
  'closed twice': ['{}}', '[]]', '{}{}', '[] []', '1 2', '""""', '{"a":1}}', ']', '}', ',', ':', 'null null', '[1]x', '{} x'],
  commas: ['[,]', '[1,,2]', '[1,]', '[,1]', '{,}', '{"a":1,}', '{,"a":1}', '{"a":1,,"b":2}', '[1 2]', '{"a":1 "b":2}', '[1;2]', '{"a":1;}'],
  names: [
    '{a:1}',
    "{'a':1}",
    '{1:1}',
    '{null:1}',
    '{[]:1}',
    '{"a"}',
    '{"a" 1}',
    '{"a"::1}',
    '{"a"=1}',
    '{:1}',
    '{"a":}',
    '{"a":1:2}',
    '{{}:1}',
  ],
  words: [
    'True',
    'NULL',
    'nil',
    'undefined',
    'NaN',
    'Infinity',
    '-Infinity',
    'truefalse',
    'nulll',
    'tRue',
    '[NaN]',
    '[a]',
    'abc',
    'void 0',
  ],
  numbers: [
    '01',
    '-01',
    '+1',
    '.5',
    '-.5',
    '1.',
    '1.e5',
    '1e',
    '1e+',
    '1ee2',
    '--1',
    '-',
    '0x10',
    '0b1',
    '0o7',
    '1_000',
    '1,000',
    '١',
    '１',
    '1.2.3',
    '0e',
    '1 e2',
    '- 1',
    '1f',
    '-a',
    '2.e3',
    '00',
    '0.',
    '[-]',
    '9.e+',
  ],
  'numbers that a double can not hold': [
    '1e400',
    '-1e400',
    '9007199254740992',
    '-9007199254740992',
    '123456789012345678901234567890',
    `1${'0'.repeat(400)}`,
    '[1e999]',
    '{"a":18446744073709551616}',
  ],
  strings: [
    "'a'",
    '`a`',
    '"a',
    'a"',
    '"\n"',
    '"\t"',
    '"\r"',
    '"\u0000"',
    '"\u001f"',
    '"\\x41"',
    '"\\a"',
    '"\\v"',
    '"\\0"',
    '"\\\'"',
    '"\\u00g0"',
    '"\\u{41}"',
    '"\\U0041"',
    '"\\ "',
    '"\\\n"',
    '"a""b"',
    '["\\u00A"]',
    '"\\u 041"',
  ],
  'half a surrogate pair': [
    '"\\ud800"',
    '"\\udc00"',
    '"\\ud800x"',
    '"\\udc00\\ud800"',
    '{"\\ud800":1}',
    '["\\uD83D"]',
    '"\\ud800\\ud800\\udc00"',
    '"x\\udfff"',
  ],
  comments: ['// a\n{}', '/* a */{}', '{}// a', '{/**/}', '[1/*,*/]', '# a\n{}', '{"a":1}#', '<!-- -->{}'],
  'other white space': [
    '\u00a0{}',
    '\u2028{}',
    '\f{}',
    '\v{}',
    '\u0085{}',
    '\ufeff{}',
    '[\u00a01]',
    '\u2060{}',
    '[1\f]',
    '{}\u0000',
    '\u3000{}',
    '\u0000',
  ],
  'other languages': [
    'a=1',
    '<a/>',
    '---\na: 1',
    '{"a":1}\n{"b":2}',
    "{'a':'b'}",
    '(1)',
    '()=>1',
    '{"a":b}',
    '[1..2]',
    '["a"+"b"]',
    '$',
    '{"a":`b`}',
    '@',
    '*',
    '{"a":/x/}',
    '{"a":new Date()}',
    '[0..]',
    '%7B%7D',
    '{\\"a\\":1}',
    '\\u007B}',
  ],
  'a name that stands twice': [
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"b":{"a":1,"c":2,"a":3}}',
    '[{"x":1},{"y":1,"y":2}]',
    '{"":1,"":2}',
    '{"a":{},"b":[],"a":0}',
  ],
  'the name __proto__': ['{"__proto__":1}', '{"a":{"__proto__":{"b":1}}}', '{"\\u005f_proto__":1}', '[{"__proto__":null}]'],
  'too deep': [
    depth(LIMITS.jsonDepthMax + 1),
    depth(20_000),
    '['.repeat(200_000),
    '{"a":'.repeat(LIMITS.jsonDepthMax + 1),
    `{"a":${depth(LIMITS.jsonDepthMax)}}`,
    depth(200_000),
  ],
};

const BYTES: readonly (readonly [name: string, bytes: Uint8Array<ArrayBuffer>])[] = [
  ['a byte order mark', Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d)],
  ['UTF-16 little-endian', Uint8Array.of(0x7b, 0, 0x7d, 0)],
  ['UTF-16 big-endian', Uint8Array.of(0, 0x7b, 0, 0x7d)],
  ['UTF-16 with its mark', Uint8Array.of(0xff, 0xfe, 0x7b, 0, 0x7d, 0)],
  ['UTF-32', Uint8Array.of(0x7b, 0, 0, 0, 0x7d, 0, 0, 0)],
  ['Latin-1', Uint8Array.of(0x22, 0xe9, 0x22)],
  ['a lone continuation byte', Uint8Array.of(0x22, 0x80, 0x22)],
  ['a sequence that ends early', Uint8Array.of(0x22, 0xe2, 0x82, 0x22)],
  ['an overlong slash', Uint8Array.of(0x22, 0xc0, 0xaf, 0x22)],
  ['a surrogate in UTF-8', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)],
  ['a character beyond Unicode', Uint8Array.of(0x22, 0xf4, 0x90, 0x80, 0x80, 0x22)],
  ['a byte that UTF-8 never has', Uint8Array.of(0x22, 0xff, 0x22)],
];

suite('JSON bodies', () => {
  for (const text of ACCEPTED)
    test(`accepts ${shown(text)}`, async () => {
      const response = await send(text);
      const answered = await response.text();
      assert.equal(response.status, 200, answered);
      // JSON.stringify writes -0 as 0.
      assert.equal(answered, JSON.stringify(JSON.parse(text)));
    });

  for (const [why, texts] of Object.entries(REFUSED))
    for (const text of texts) test(`refuses ${shown(text)} (${why})`, async () => await assertRefused(await send(text)));

  for (const [name, bytes] of BYTES) test(`refuses ${name}`, async () => await assertRefused(await send(bytes)));

  test('there are more than 150 cases', () => assert.ok(ACCEPTED.length + Object.values(REFUSED).flat().length + BYTES.length > 300));

  test('F24 no body changes what every object inherits', () =>
    assert.deepEqual([Object.keys(Object.prototype), 'polluted' in {}], [[], false]));

  test('an empty body that is called JSON is none where none is needed, and refused elsewhere', async () => {
    const optional = kernelOf({ ...ECHO, isBodyOptional: true }, ({ body }) => ({ status: 200, body }), { now: () => (nowMs += 1000) });
    const headers = ['Content-Type', 'application/json'];
    const response = await callKernel(optional, { method: 'POST', target: '/v1/echo', token, headers });
    assert.deepEqual([response.status, await response.text()], [200, '{}']);
    await assertRefused(await callKernel(kernel, { method: 'POST', target: '/v1/echo', token, headers }));
  });

  test('a body of exactly the limit is read, one byte more is 413', async () => {
    const body = (bytes: number) => `"${'a'.repeat(bytes - 2)}"`;
    assert.equal((await send(body(LIMITS.bodyBytesMax))).status, 200);
    const over = await send(body(LIMITS.bodyBytesMax + 1));
    assert.deepEqual([over.status, over.headers.get('connection')], [413, 'close']);
  });
});

const SUITE = join(findDataset('corpora') ?? '', 'json', 'test_parsing');
/** Accepted by the suite's author, refused here: values that would be lost. */
const STRICTER: ReadonlySet<string> = new Set(['y_object_duplicated_key.json', 'y_object_duplicated_key_and_value.json']);

suite('F21 JSONTestSuite', { skip: existsSync(SUITE) ? false : 'the corpora are not here' }, () => {
  for (const name of existsSync(SUITE) ? readdirSync(SUITE).sort() : [])
    test(name, async () => {
      const { status } = await send(Uint8Array.from(readFileSync(join(SUITE, name))));
      if (name.startsWith('n_') || STRICTER.has(name)) assert.equal(status, 400);
      else if (name.startsWith('y_')) assert.equal(status, 200);
      else assert.ok(status === 200 || status === 400, String(status));
    });
});

function send(body: string | Uint8Array): Promise<Response> {
  return callKernel(kernel, { method: 'POST', target: '/v1/echo', token, body });
}

async function assertRefused(response: Response): Promise<void> {
  const body = (await response.json()) as { error: string; code: string };
  assert.deepEqual([response.status, body.code], [400, 'bad_request'], JSON.stringify(body));
  assert.ok(body.error.length < 400, 'the sentence is short');
}

function shown(text: string): string {
  return `${JSON.stringify(text).slice(0, 50)}${text.length > 50 ? ` (${text.length} characters)` : ''}`;
}
