import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTree } from '../../html/tree.ts';
import { outlineOf } from './outline.ts';
import { pooled, unitsOf } from './units.ts';

const read = (html: string) => {
  const outline = outlineOf(parseTree(html, 'https://x.test/'));
  return { outline, units: unitsOf(outline) };
};
const textsOf = (html: string) =>
  read(html).units.all.map(({ box, blocks }) => `${box.element.name}: ${blocks.map((block) => block.text).join(' ')}`);

const CASES: readonly (readonly [promise: string, html: string, units: readonly string[]])[] = [
  ['takes a list with the lists in it', '<ul><li>a<ol><li>b</ol><li>c</ul>', ['ul: a b c']],
  [
    'takes a tree of lines, however long its one branch',
    `<ul><li>a<ul>${'<li><b>b</b><ul><li>c</ul>'.repeat(9)}</ul></ul>`,
    [`ul: a${' b c'.repeat(9)}`],
  ],
  ['does not take a list of sections', `<ol><li><div>${'<p>a</p>'.repeat(9)}</div></ol>`, []],
  ['takes a table, not its cells', '<table><tr><td>a<td><ul><li>b</ul></table>', ['table: a b']],
  ['takes a picture with its caption', '<figure><img src=a><figcaption>a</figcaption></figure>', ['figure: a']],
  ['takes what a role names', '<div role="alert">a</div><div role="tabpanel"><p>b</div>', ['div: a', 'div: b']],
  ['does not take a table that lays out others', '<table><tr><td><table><tr><td>a</table></table>', ['table: a']],
  ['does not take a table of presentation', '<table role="presentation"><tr><td>a</table>', []],
  ['does not take a list that holds the heading of the page', '<ul><li><h1>a</h1><li><dl><dt>b</dl></ul>', ['dl: b']],
];
for (const [promise, html, units] of CASES) test(promise, () => assert.deepEqual(textsOf(html), units));

test('judges a list of short rows as one', () => {
  const { outline, units } = read('<ul><li>a</li><li>b</li></ul><p>c</p>');
  assert.deepEqual(pooled(units, outline.blocks, [0.2, 0.6, 0.9]), [0.4, 0.4, 0.9]);
});

test('judges a row of cards by its columns', () => {
  const card = '<li><h3>a</h3><p>b</p><div>c</div></li>';
  const { outline, units } = read(`<ul>${card}${card}</ul>`);
  assert.deepEqual(pooled(units, outline.blocks, [1, 0, 0, 0, 0.5, 0]), [0.5, 0.25, 0, 0.5, 0.25, 0]);
});
