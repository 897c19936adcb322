import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TextStep } from '@weft/contract';
import { pageOf, readOne } from './reading.fixtures.ts';
import { readSteps } from './text-steps.ts';

const CASES: readonly (readonly [what: string, steps: readonly TextStep[], text: string, made: string])[] = [
  ['keeps lines that hold a phrase', [{ keep: ['VERSION', '/^\\d/'] }], 'Current version: 2\nother\n3 left', 'Current version: 2\n3 left'],
  ['drops lines that hold a phrase', [{ drop: ['ad', '/\\(x\\)/'] }], 'one\nan ad\n(x)\ntwo', 'one\ntwo'],
  ['finds whole matches, a line each', [{ find: ['/-[a-z]{3}-/'] }], 'Some-abc-things-def-on', '-abc-\n-def-'],
  ['finds the first group', [{ find: ['/v(\\d+)/'] }], 'v1 v22', '1\n22'],
  ['writes what was found with its groups', [{ find: ['/(a)(b)?/'], as: '$2$1$$$3' }], 'ab a', 'ba$\na$'],
  ['finds words that are no expression, in any case', [{ find: ['a.b'] }], 'A.B axb', 'A.B'],
  ['replaces each match', [{ replace: '/<\\/([^>]*)>/', with: '[END $1]' }], '<a>x</a></b>', '<a>x[END a][END b]'],
  ['replaces matches of nothing where they are', [{ replace: '/(?m)^/', with: '> ' }], 'a\nb', '> a\n> b'],
  ['keeps the first of equal lines', [{ unique: true }], 'b\na\nb', 'b\na'],
  ['sorts lines in any case', [{ sort: 'up' }], 'b\nC\na', 'a\nb\nC'],
  ['sorts items downwards', [{ sort: 'down', separator: '%' }], '3%2%4%1', '4%3%2%1'],
  ['turns paragraphs round', [{ reverse: true, separator: '\n\n' }], 'a\nb\n\nc', 'c\n\na\nb'],
  ['takes one after the other', [{ find: ['/on (\\S+)\\./'] }, { find: ['/\\d+/'] }], 'The next is on 2020-07-13.', '2020\n07\n13'],
];

describe('steps of a text', () => {
  for (const [what, steps, text, made] of CASES) it(what, () => assert.equal(readSteps(steps)(text), made));

  it('refuse an expression that is none', () => {
    for (const step of [{ keep: ['/(/'] }, { find: ['/(?=a)/'] }, { replace: '/a{1,2000}/', with: '' }])
      assert.throws(() => readSteps([step]), { code: 'selector' });
  });

  it('make no more of a text than can be kept', () => {
    const made = readSteps([{ replace: 'a', with: 'x'.repeat(2000) }])('a'.repeat(50_000));
    assert.equal(made.length, 10_000_000);
  });

  it('make what is shown and what is compared, of the page and of texts of selectors', async () => {
    const filter = { steps: [{ find: ['/\\d+/'] }] };
    const page = await pageOf('<p>v12 of 3</p>', { filter });
    assert.deepEqual([page.text, page.value], ['12\n3', '12\n3']);
    const value = await readOne('<p class=v>v12</p><p>9</p>', '.v', { type: 'text' }, { filter });
    assert.deepEqual([value.text, value.compared], ['12', '12']);
  });

  it('T14: read what is not ignored', async () => {
    const filter = { ignore: ['ver'], steps: [{ find: ['/\\d+/'] }] };
    const digest = async (version: number) => (await pageOf(`<p>ver ${version}</p><p>left 5</p>`, { filter })).digest;
    assert.equal(await digest(1), await digest(2));
  });
});
