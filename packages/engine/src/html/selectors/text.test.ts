import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTree } from '../tree.ts';
import { linesOf, textOf } from './text.ts';
import { absoluteUrl } from '../address.ts';
import { elementsBelow } from '../walk.ts';

const bodyOf = (html: string) => parseTree(html, 'https://shop.test/a/').body;

const TEXTS: readonly [html: string, text: string, lines: string][] = [
  ['one', 'one', 'one'],
  ['<p>one<p>two', 'one two', 'one\ntwo'],
  ['<b>one</b>two', 'onetwo', 'onetwo'],
  ['one<br>two', 'one two', 'one\ntwo'],
  ['<div><div>one</div></div>two', 'one two', 'one\ntwo'],
  [' one \n\t two ', 'one two', 'one two'],
  ['<table><tr><td>one<td>two<tr><td>three</table>', 'one two three', 'one two\nthree'],
  ['one<script>x</script><style>y</style><template>z</template>two', 'onetwo', 'onetwo'],
  ['<ul><li>one</li>\n<li>two</li></ul>', 'one two', 'one\ntwo'],
  ['<p> </p><p></p>', '', ''],
];

for (const [html, text, lines] of TEXTS) {
  test(`reads ${html} as a person would`, () => {
    assert.equal(textOf(bodyOf(html)), text);
    assert.equal(linesOf(bodyOf(html)), lines);
  });
}

test('counts characters that a person sees against the limit', () => {
  assert.equal(textOf(bodyOf(`<p>${' \n'.repeat(500)}<b>Next</b> page`), 4), 'Next');
});

test('walks in document order, outside templates, without going above its top', () => {
  const body = bodyOf('<ul><li>1</li><li><b>2</b></li></ul><template><i></i></template><p>');
  assert.deepEqual(
    [...elementsBelow(body)].map(({ name }) => name),
    ['ul', 'li', 'li', 'b', 'template', 'p'],
  );
  const [list] = [...elementsBelow(body)];
  assert.ok(list);
  assert.deepEqual(
    [...elementsBelow(list)].map(({ name }) => name),
    ['li', 'li', 'b'],
  );
});

test('makes addresses absolute, and none of what is not http', () => {
  const tree = parseTree('', 'https://shop.test/a/');
  assert.equal(absoluteUrl('b?c', tree), 'https://shop.test/a/b?c');
  assert.equal(absoluteUrl('mailto:a@b.test', tree), undefined);
  assert.equal(absoluteUrl(undefined, tree), undefined);
});
