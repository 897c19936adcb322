import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { DAEMON_TABLE, EXTRA_TABLE } from './index.ts';
import { buildOpenApi } from './openapi.ts';
import { nameAlternatives, plainComponent, plainSchema } from './openapi-plain.ts';

suite('schemas that generators take', () => {
  for (const [what, schema, plain] of [
    ['several types', { type: ['string', 'null'], maxLength: 3 }, { maxLength: 3, anyOf: [{ type: 'string' }, { type: 'null' }] }],
    [
      'a member that may not be there',
      { properties: { a: false, b: { type: 'string' } } },
      { properties: { b: { type: 'string' } }, not: { required: ['a'] } },
    ],
    ['two of them', { properties: { a: false, b: false } }, { not: { anyOf: [{ required: ['a'] }, { required: ['b'] }] } }],
    ['names that are any', { type: 'object', propertyNames: { type: 'string' } }, { type: 'object' }],
    ['names by a pattern', { type: 'object', propertyNames: { pattern: 'a' } }, { type: 'object', propertyNames: { pattern: 'a' } }],
    [
      'rules that are no types',
      { type: 'object', allOf: [{ oneOf: [{ required: ['a'] }, { required: ['b'] }] }] },
      {
        type: 'object',
        if: {
          allOf: [
            {
              oneOf: [
                { required: ['a'], properties: { a: {} } },
                { required: ['b'], properties: { b: {} } },
              ],
            },
          ],
        },
        else: { not: {} },
      },
    ],
    ['types that are joined', { allOf: [{ $ref: '#/a' }] }, { allOf: [{ $ref: '#/a' }] }],
    [
      'what stands deeper',
      { items: { properties: { type: { type: ['string', 'integer'] } } } },
      { items: { properties: { type: { anyOf: [{ type: 'string' }, { type: 'integer' }] } } } },
    ],
  ] as const)
    test(what, () => assert.deepEqual(plainSchema(schema), plain));

  test('a union that stands in itself is one object, of which one alternative is there', () => {
    const one = (name: string, member: object, more: object = {}) => ({
      type: 'object',
      properties: { [name]: member, ...more },
      required: [name],
      additionalProperties: false,
    });
    const self = { $ref: '#/components/schemas/Rule' };
    assert.deepEqual(plainComponent('Rule', { anyOf: [one('op', { type: 'string' }, { with: {} }), one('not', self)] }), {
      type: 'object',
      properties: { op: { type: 'string' }, with: {}, not: self },
      additionalProperties: false,
      oneOf: [
        { required: ['op'], properties: { op: {} } },
        { required: ['not'], properties: { not: {} } },
      ],
      dependentRequired: { with: ['op'] },
    });
    const plain = { anyOf: [one('op', { type: 'string' }), one('not', {})] };
    assert.deepEqual(plainComponent('Rule', plain), plain);
  });

  test('an alternative is called by its type, or by what it requires', () => {
    const run = { type: 'object', properties: { type: { type: 'string', const: 'run_workflow' } }, required: ['type'] };
    const windows = { type: 'object', properties: { windows: {} }, required: ['windows'] };
    assert.deepEqual(nameAlternatives({ Action: { oneOf: [run, windows, { type: 'string' }] } }), {
      ActionRunWorkflow: run,
      ActionWindows: windows,
      Action: {
        oneOf: [{ $ref: '#/components/schemas/ActionRunWorkflow' }, { $ref: '#/components/schemas/ActionWindows' }, { type: 'string' }],
      },
    });
  });

  for (const table of [DAEMON_TABLE, EXTRA_TABLE])
    test(`the document of ${Object.keys(table)[0]} and others has nothing that generators refuse`, () => {
      const document = buildOpenApi(table, { title: '', description: '', version: '', serverUrl: '', groups: {} });
      const { schemas } = document['components'] as { schemas: Record<string, unknown> };
      const text = JSON.stringify(document);
      assert.doesNotMatch(text, /"type":\[|"\*\/\*"|"(?:items|else|then)":(?:true|false)/);
      assert.deepEqual(
        Object.keys(schemas).filter((name) => Object.hasOwn(schemas, `New${name}`)),
        [],
        'a constructor and a schema would share a name',
      );
    });
});
