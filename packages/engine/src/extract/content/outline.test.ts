import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTree } from '../../html/tree.ts';
import { LANDMARK } from './landmarks.ts';
import { alikeCount, isParagraph, outlineOf } from './outline.ts';

const outline = (html: string) => outlineOf(parseTree(html, 'https://x.test/'));
const textsOf = (html: string) => outline(html).blocks.map((block) => block.text);

const CASES: readonly (readonly [promise: string, html: string, texts: readonly string[]])[] = [
  ['cuts at block elements', '<p>a</p>b<div>c<h2>d</h2>e</div>', ['a', 'b', 'c', 'd', 'e']],
  ['does not cut at inline elements', '<p>a <b>b</b> <a href=x>c</a></p>', ['a b c']],
  ['reads a line break as a blank and two as a new block', 'a<br>b<br><br>c', ['a b', 'c']],
  ['makes a button a block', 'a<button>b</button>c', ['a', 'b', 'c']],
  ['skips what is hidden', '<p hidden>a</p><p>b <i style="display:none">c</i></p>', ['b']],
  ['skips what is never shown', '<script>a</script><style>b</style><p>c</p>', ['c']],
  ['has no blocks without text', '<div><img src=a> </div>', []],
];
for (const [promise, html, texts] of CASES) test(promise, () => assert.deepEqual(textsOf(html), texts));

test('sums texts and links up to the body', () => {
  const { body, chars } = outline('<div><p>four</p><p><a href="/">link</a></p></div>');
  assert.equal(chars, 8);
  assert.equal(body.chars, 8);
  assert.equal(body.linkChars, 4);
  assert.equal(body.blocks, 2);
});

test('an anchor without an address is not a link', () => {
  assert.equal(outline('<p><a name="top">text</a></p>').body.linkChars, 0);
});

test('counts boxes of one kind side by side', () => {
  const { blocks } = outline('<ul><li class="a">1</li><li class="a">2</li><li class="b">3</li></ul>');
  assert.deepEqual(
    blocks.map((block) => alikeCount(block.box)),
    [2, 2, 1],
  );
});

test('hands landmarks down', () => {
  const [block] = outline('<aside><details open><p>a</p></details></aside>').blocks;
  assert.equal(block?.box.landmarks, LANDMARK.aside | LANDMARK.details);
});

test('takes a long text for a paragraph unless it is made of links', () => {
  const words = 'word '.repeat(30);
  const { blocks } = outline(`<p>${words}</p><p><a href="/">${words}</a></p><p>short</p>`);
  assert.deepEqual(blocks.map(isParagraph), [true, false, false]);
});
