import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ProofRule } from './certificate.ts';
import { RULES, decideProof } from './rules.ts';
import type { ProofFacts } from './rules.ts';

const rows = (word: string, count = 6, from = 0) =>
  Array.from({ length: count }, (_, i) => ({ name: `${word} no ${from + i}`, price: `${from + i}.50`, maker: `${word}works` }));
const honest: ProofFacts = {
  kind: 'search',
  hasInput: true,
  isWord: true,
  hasChoices: false,
  isSeen: true,
  otherWords: ['lamp', 'chair', 'table'],
  hasPages: true,
  required: ['name', 'price', 'maker'],
  rows: {
    recorded: rows('lamp'),
    second: rows('chair', 6, 20),
    repeat: rows('lamp').toReversed(),
    negative: [],
    page_2: rows('lamp', 4, 50),
  },
  words: { recorded: 'lamp', second: 'chair', repeat: 'lamp', negative: 'qxzvwq', page_2: 'lamp' },
};
const names = (list: ReturnType<typeof rows>) => list.map(({ name }) => ({ name }));

const DETAIL = { kind: 'detail', isWord: false, hasPages: false } as const;
const ONE = { recorded: rows('lamp', 1), second: rows('chair', 1, 20), repeat: rows('lamp', 1), negative: [] };

const LIES: readonly (readonly [rule: ProofRule, what: string, lie: Partial<ProofFacts['rows']>, facts?: Partial<ProofFacts>])[] = [
  ['answers', 'one row', { recorded: rows('lamp', 1), repeat: rows('lamp', 1) }],
  ['answers', 'one row for what was not seen', { ...ONE }, { hasPages: false, isSeen: false, madeRows: 1 }],
  [
    'word_in_rows',
    'one row that does not speak of the word',
    { ...ONE, recorded: rows('desk', 1), repeat: rows('desk', 1) },
    { hasPages: false, madeRows: 1, otherWords: [] },
  ],
  [
    'filled',
    'empty fields',
    { recorded: names(rows('lamp')), second: names(rows('chair', 6, 20)), repeat: names(rows('lamp')), page_2: names(rows('lamp', 4, 50)) },
  ],
  ['repeats', 'other rows each time', { repeat: rows('lamp', 6, 90) }],
  ['second_differs', 'the same rows for each choice', { second: rows('lamp') }, { isWord: false, hasChoices: true, words: {} }],
  ['second_shape', 'another kind of rows', { second: names(rows('chair', 6, 20)) }],
  [
    'word_in_rows',
    'rows about something else',
    { recorded: rows('desk'), second: rows('bench', 6, 20), repeat: rows('desk'), page_2: rows('lamp', 4, 50) },
  ],
  [
    'word_tells',
    'rows about another word as well',
    {
      recorded: rows('lamp table').map((row, i) => (i < 4 ? row : { ...row, name: `table ${i}`, maker: 'table' })),
      repeat: rows('lamp table').map((row, i) => (i < 4 ? row : { ...row, name: `table ${i}`, maker: 'table' })),
    },
  ],
  ['negative_differs', 'known rows for what nobody knows', { negative: rows('lamp') }, { isWord: false, words: {} }],
  ['negative_fewer', 'as many rows for what nobody knows', { negative: rows('sofa', 6, 70) }],
  ['negative_none', 'a record for a key that nobody knows', { ...ONE, negative: rows('sofa', 1, 70) }, DETAIL],
  ['page_2_differs', 'the first page again', { page_2: rows('lamp') }],
  ['page_2_shape', 'a second page of another kind', { page_2: names(rows('lamp', 4, 50)) }],
  ['page_2_word', 'a second page that forgets the word', { page_2: rows('desk', 4, 50) }],
];

suite('the rules of a proof', () => {
  test('prove an honest function, in whichever order its rows come', () => {
    const { state, rules } = decideProof(honest);
    assert.equal(state, 'proved');
    assert.deepEqual(
      RULES.filter(({ rule }) => !rules.some((each) => each.rule === rule)).map(({ rule }) => rule),
      ['negative_none'],
    );
  });

  test('prove one record by another, by itself again, and by none for a key that nobody knows', () => {
    const { state, rules } = decideProof({ ...honest, ...DETAIL, rows: ONE });
    assert.equal(state, 'proved');
    assert.deepEqual(
      rules.map(({ rule }) => rule),
      ['filled', 'repeats', 'second_differs', 'second_shape', 'negative_none'],
    );
  });

  for (const [rule, what, lie, facts = {}] of LIES)
    test(`${rule} is what holds back ${what}`, () => {
      const lying = { ...honest, ...facts, rows: { ...honest.rows, ...lie } };
      const { state, rules } = decideProof(lying);
      assert.equal(state, 'failed');
      assert.equal(rules.find((each) => each.rule === rule)?.verdict, 'broken');
      const others = RULES.filter((each) => each.rule !== rule);
      assert.notEqual(decideProof(lying, others).state, 'failed', 'another rule holds it back as well');
    });

  test('prove a search that was made from one row by what the one row of each word says', () => {
    const { state, reason } = decideProof({ ...honest, rows: ONE, hasPages: false, madeRows: 1 });
    assert.equal(state, 'proved', reason);
  });

  test('let a few rows of the frame stand in all answers, and not most of them', () => {
    const frame = [{ name: 'our guarantee', price: '', maker: '' }];
    const framed = (count: number): ProofFacts['rows'] => ({
      ...honest.rows,
      recorded: [...rows('lamp', count), ...frame],
      repeat: [...rows('lamp', count), ...frame],
      negative: frame,
    });
    const { state, reason } = decideProof({ ...honest, rows: framed(19) });
    assert.equal(state, 'proved', reason);
    const { rules } = decideProof({ ...honest, rows: framed(1) });
    assert.equal(rules.find(({ rule }) => rule === 'negative_differs')?.verdict, 'broken');
  });

  test('leave unproved what could not be tried', () => {
    const { negative: _none, ...without } = honest.rows;
    assert.equal(decideProof({ ...honest, rows: without }).state, 'unproved');
    assert.equal(decideProof({ ...honest, rows: { ...honest.rows, second: [] } }).state, 'unproved');
  });

  test('let an empty page stand behind one that is not full, and not the first page again', () => {
    const short = { ...honest, pageRows: 20 };
    assert.equal(decideProof({ ...short, rows: { ...honest.rows, page_2: [] } }).state, 'proved');
    assert.equal(decideProof({ ...short, rows: { ...honest.rows, page_2: rows('lamp') } }).state, 'failed');
    assert.equal(decideProof({ ...honest, rows: { ...honest.rows, page_2: [] } }).state, 'failed');
  });

  test('ask of words that were only offered that rows speak of no other one more', () => {
    const offered = {
      ...honest,
      isSeen: false,
      rows: { ...honest.rows, recorded: rows('desk'), second: rows('bench', 6, 20), repeat: rows('desk') },
    };
    const { rules } = decideProof(offered);
    assert.equal(
      rules.some(({ rule }) => rule === 'word_in_rows'),
      false,
    );
    assert.equal(rules.find(({ rule }) => rule === 'word_tells')?.verdict, 'holds');
  });
});
