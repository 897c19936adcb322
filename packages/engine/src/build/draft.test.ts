import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { acceptDraft, draftSchema } from './draft.ts';
import { EMPTY_CATALOGUE } from './evidence/catalogue.ts';
import type { Candidate, Catalogue } from './evidence/catalogue.ts';
import { mechanicalDraft } from './mechanical-draft.ts';

const candidate = (number: number, match: number): Candidate => ({
  id: `C${number}`,
  kind: 'search',
  name: `search_goods_${number}`,
  description: 'Rows of shop.test.',
  from: [`F${number}`],
  provenance: { via: 'crawl', rung: 'static', lane: 'http', url: 'https://shop.test/', atMs: 0 },
  lane: 'http',
  way: { kind: 'address', url: `https://shop.test/${number}?q={P${number}}` },
  reading: { from: 'json', path: '$[*]', fields: { [`V${number}`]: "$['name']" } },
  parameters: [
    {
      id: `P${number}`,
      name: 'q',
      role: 'input',
      type: 'string',
      required: true,
      examples: [{ id: `X${number}`, value: 'lamp', seenIn: 'row' }],
    },
  ],
  fields: [{ id: `V${number}`, name: 'name', type: 'text', many: false, filled: 1, samples: ['Lamp'] }],
  samples: ['Lamp'],
  match,
});
const catalogue: Catalogue = { ...EMPTY_CATALOGUE, candidates: [candidate(1, 0.5), candidate(2, 0)] };
const whole = {
  candidate_id: 'C1',
  name: 'find_lamps',
  description: 'Lamps.',
  inputs: [{ param_id: 'P1', name: 'word', required: true, example_id: 'X1' }],
  fields: [{ field_id: 'V1', name: 'title' }],
};

suite('a draft made of ids', () => {
  test('takes what was found, under the names that were given', () => {
    const { draft, droppedCount } = acceptDraft({ functions: [whole], none_match: false }, catalogue);
    assert.deepEqual(draft?.functions, [whole]);
    assert.equal(droppedCount, 0);
  });

  for (const [what, given] of [
    ['an address for a candidate', { ...whole, candidate_id: 'https://evil.test/' }],
    ['a candidate of another kind of id', { ...whole, candidate_id: 'P1' }],
    ['a candidate that was not found', { ...whole, candidate_id: 'C99' }],
    ['no object', 'C1'],
  ] as const)
    test(`leaves out a function with ${what}, and says so`, () => {
      const { draft, dropped } = acceptDraft({ functions: [given], none_match: false }, catalogue);
      assert.deepEqual(draft?.functions, []);
      assert.equal(dropped.length, 1);
    });

  for (const [what, member] of [
    ['a parameter of another candidate', { inputs: [{ param_id: 'P2', name: 'word', required: true, example_id: 'X2' }] }],
    ['an example that nobody saw', { inputs: [{ param_id: 'P1', name: 'word', required: true, example_id: 'rm -rf' }] }],
    ['a field of another candidate', { fields: [{ field_id: 'V2', name: 'title' }] }],
    ['a name with a break in it', { name: 'drop\ntable' }],
    ['a list that is none', { inputs: 'P1', fields: 7 }],
  ] as const)
    test(`keeps a function as it was found for ${what}`, () => {
      const { draft } = acceptDraft({ functions: [{ ...whole, ...member }], none_match: false }, catalogue);
      const [made] = draft?.functions ?? [];
      assert.deepEqual(
        made?.inputs.map(({ param_id: id, example_id: example }) => [id, example]),
        [['P1', 'X1']],
      );
      assert.deepEqual(
        made?.fields.map(({ field_id: id }) => id),
        ['V1'],
      );
      assert.match(made?.name ?? '', /^[a-z][a-z0-9_]{2,40}$/);
    });

  test('is none for what is no draft, and counts each candidate once', () => {
    for (const given of [undefined, null, 'x', [], { functions: {} }, 7]) assert.equal(acceptDraft(given, catalogue).draft, undefined);
    const twice = acceptDraft({ functions: [whole, whole], none_match: false }, catalogue);
    assert.equal(twice.draft?.functions.length, 1);
    assert.equal(twice.droppedCount, 1);
  });

  test('drops functions where it says that nothing matches', () => {
    assert.deepEqual(acceptDraft({ functions: [whole], none_match: true }, catalogue).draft, { functions: [], none_match: true });
  });

  test('has a schema that names the ids of its own candidate, and no others', () => {
    const text = JSON.stringify(draftSchema(catalogue));
    for (const id of ['C1', 'C2', 'P1', 'P2', 'X1', 'X2', 'V1', 'V2']) assert.ok(text.includes(`"${id}"`), id);
    assert.ok(!text.includes('shop.test') && !text.includes('lamp'));
  });

  test('without anybody takes what has a word of the objective, and everything without an objective', () => {
    assert.deepEqual(
      mechanicalDraft(catalogue, 'goods').functions.map(({ candidate_id: id }) => id),
      ['C1'],
    );
    assert.deepEqual(
      mechanicalDraft(catalogue, '').functions.map(({ candidate_id: id }) => id),
      ['C1', 'C2'],
    );
  });
});
