// F42, F24: a user's schema says what it means, within bounds, and never on V8's own regular expressions.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { compileUserSchema } from './user-schema.ts';

const deep = (levels: number): object => (levels === 0 ? {} : { items: deep(levels - 1) });
const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

/** Schemas, a value that fits, one that does not, and where. */
const CHECKED: readonly (readonly [schema: unknown, fits: unknown, fails: unknown, path: string])[] = [
  [{ type: 'object', required: ['q'], properties: { q: { type: 'string', minLength: 2 } } }, { q: 'tea' }, { q: 't' }, '/q'],
  [{ type: 'object', required: ['constructor'] }, { ['constructor']: 1 }, {}, ''],
  [{ additionalProperties: false, properties: { a: true } }, { a: 1 }, { b: 1 }, ''],
  [{ patternProperties: { '^x-': { type: 'number' } } }, { 'x-a': 1, b: 'c' }, { 'x-a': 'c' }, '/x-a'],
  [{ pattern: '\\d{3}' }, 'no 123', 'no 12', ''],
  [{ pattern: '^\\u00e9+$' }, 'éé', 'e', ''],
  [{ pattern: '^(a+)+$' }, 'a'.repeat(50_000), `${'a'.repeat(50_000)}!`, ''],
  [{ prefixItems: [{ type: 'number' }], items: { enum: ['a', 'b'] } }, [1, 'a', 'b'], [1, 'c'], '/1'],
  [{ oneOf: [{ multipleOf: 3 }, { multipleOf: 5 }] }, 9, 15, ''],
  [
    { $ref: '#/$defs/node', $defs: { node: { properties: { next: { $ref: '#/$defs/node' } }, required: ['id'] } } },
    { id: 1, next: { id: 2 } },
    { id: 1, next: {} },
    '/next',
  ],
  [{ properties: { a: true }, unevaluatedProperties: false }, { a: 1 }, { b: 1 }, ''],
  [JSON.parse('{"if":{"properties":{"kind":{"const":"x"}}},"then":{"required":["x"]}}'), { kind: 'y' }, { kind: 'x' }, ''],
  [{ format: 'date' }, '2024-02-29', '2023-02-29', ''],
  [{ format: 'date-time' }, '2026-11-22T10:00:00Z', '2026-11-22T25:00:00Z', ''],
  [{ format: 'email' }, 'a@b.example', 'a@b@', ''],
  [{ format: 'uri' }, 'https://a.example/', 'a.example', ''],
  [{ format: 'uuid' }, '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b', '6ec0bd7f', ''],
  [true, 1, undefined, '-'],
  [{ type: 'array', items: { $ref: '#' } }, nested(50), nested(100_000), ''],
];

/** Schemas that are refused, and where. */
const REFUSED: readonly (readonly [schema: unknown, path: string, sentence: RegExp])[] = [
  [{ properties: { code: { pattern: '(?=a)b' } } }, '/properties/code/pattern', /RE2/],
  [{ pattern: '(a)\\1' }, '/pattern', /RE2/],
  [{ patternProperties: { 'a/(?<!b)': {} } }, '/patternProperties/a~1(?<!b)', /RE2/],
  [{ pattern: '((a{100}){100}){100}' }, '/pattern', /repeats 1000000 times/],
  [{ anyOf: [{ $ref: 'https://a.example/schema' }] }, '/anyOf/0/$ref', /begins with #/],
  [{ $ref: '#/$defs/none' }, '', /can't resolve reference/],
  [{ $id: 'https://a.example/' }, '/$id', /take \$id out/],
  [{ typ: 'string' }, '', /unknown keyword/],
  [{ type: 'text' }, '', /type/],
  [{ format: 'regex' }, '', /unknown format/],
  [{ $schema: 'http://json-schema.org/draft-04/schema#' }, '', /draft-04/],
  ['string', '', /an object, true or false/],
  [undefined, '', /an object/],
  [{ properties: { a: 7 } }, '/properties/a', /an object/],
  [deep(40), `${'/items'.repeat(33)}`, /nested at most 32/],
  [{ enum: ['x'.repeat(100_001)] }, '', /100,000 characters/],
  [{ allOf: Array.from({ length: 2_100 }, () => ({})) }, '', /2000 schemas/],
  [{ allOf: Array.from({ length: 300 }, () => ({ $ref: '#/$defs/a' })), $defs: { a: {} } }, '', /200 references/],
];

suite("a user's schema", () => {
  for (const [schema, fits, fails, path] of CHECKED)
    test(`${JSON.stringify(schema).slice(0, 80)} tells what fits`, () => {
      const compiled = compileUserSchema(schema);
      assert.ok('check' in compiled, JSON.stringify(compiled));
      assert.equal(compiled.check(fits), undefined);
      if (path !== '-') assert.equal(compiled.check(fails)?.path, path);
    });

  for (const [schema, path, sentence] of REFUSED)
    test(`${(JSON.stringify(schema) ?? 'nothing').slice(0, 80)} is refused`, () => {
      const compiled = compileUserSchema(schema);
      assert.ok('sentence' in compiled);
      assert.equal(compiled.path, path);
      assert.match(compiled.sentence, sentence);
    });

  test('a schema that refers to itself on the spot ends', () => {
    const compiled = compileUserSchema({ $ref: '#' });
    assert.ok('check' in compiled ? compiled.check(1) !== undefined : compiled.sentence !== '');
  });

  test('V8 is asked for no pattern', (context) => {
    const compiled = compileUserSchema({ pattern: '^(a+)+$', patternProperties: { '^(b+)+$': {} } });
    const asked = context.mock.method(RegExp.prototype, 'exec');
    assert.ok('check' in compiled);
    compiled.check('aaa!');
    compiled.check({ bbb: 1 });
    assert.deepEqual(
      asked.mock.calls.filter(({ this: regex }) => /\+\)\+/.test(String((regex as RegExp).source))),
      [],
    );
  });
});
