import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JSON_DEPTH_MAX, parseLooseJson, readLooseValue } from './loose-json.ts';

const CASES: readonly (readonly [promise: string, text: string, values: readonly unknown[]])[] = [
  ['strict JSON', '{"a":[1,2.5,-3e2,true,null,"x"]}', [{ a: [1, 2.5, -300, true, null, 'x'] }]],
  ['a byte order mark', '\ufeff{"a":1}', [{ a: 1 }]],
  ['trailing commas', '{"a":[1,2,],"b":3,}', [{ a: [1, 2], b: 3 }]],
  ['doubled commas', '[1,,2]', [[1, 2]]],
  ['line comments', '{"a":1, // one\n"b":2}', [{ a: 1, b: 2 }]],
  ['block comments', '/* data */ {"a":/* one */1}', [{ a: 1 }]],
  ['an HTML comment around it', '<!-- {"a":1} -->', [{ a: 1 }]],
  ['a CDATA section around it', '//<![CDATA[\n{"a":1}\n//]]>', [{ a: 1 }]],
  ['raw line breaks in strings', '{"a":"x\ny\tz"}', [{ a: 'x\ny\tz' }]],
  ['control characters in strings', '{"a":"x\u0001y"}', [{ a: 'x\u0001y' }]],
  ['escapes that JSON does not know', String.raw`{"a":"it\'s \x41 \u0042 \q"}`, [{ a: "it's A B q" }]],
  ['single quotes and bare keys', "{a:'x', $b_1: 'y', @type: 'z'}", [{ a: 'x', $b_1: 'y', '@type': 'z' }]],
  ['JavaScript constants', '[undefined, NaN, !0, !1]', [[null, null, true, false]]],
  ['several values', '{"a":1}\n{"b":2}', [{ a: 1 }, { b: 2 }]],
  ['a statement around it', 'var x = {"a":1};', [{ a: 1 }]],
  ['slashes inside strings', '{"url":"http://x.test//a", }', [{ url: 'http://x.test//a' }]],
  ['nothing', '', []],
  ['a cut object', '{"a":1,', []],
  ['the name of an inherited member', '{"a": toString}', []],
  ['a function call', '{"a": f(1)}', []],
  ['what comes before the broken value', '{"a":1} {"b":', [{ a: 1 }]],
];

describe('parseLooseJson', () => {
  for (const [promise, text, values] of CASES) it(`reads ${promise}`, () => assert.deepEqual(parseLooseJson(text), values));

  it('gives up on deep nesting instead of overflowing the stack', () => {
    assert.deepEqual(parseLooseJson(`${'['.repeat(JSON_DEPTH_MAX + 2)},`), []);
    assert.deepEqual(parseLooseJson(`{'a':${'['.repeat(100_000)}`), []);
  });

  it('keeps __proto__ as an ordinary member', () => {
    const [value] = parseLooseJson('{"__proto__":{"polluted":true},}') as [object];
    assert.equal(Object.hasOwn(value, '__proto__'), true);
    assert.equal('polluted' in {}, false);
  });
});

describe('readLooseValue', () => {
  it('says where the value ends', () => {
    assert.deepEqual(readLooseValue('x = {"a":1}; y', 4), { value: { a: 1 }, end: 11 });
  });
});
