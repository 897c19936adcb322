import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWithinHidden } from './hidden.ts';
import { blockText } from './text.ts';
import { parseTree } from './tree.ts';

const LONG = 'Many more words of the page itself, so that what is hidden is never nearly all of it. '.repeat(3).trim();

/** What is read of `html` on a page that shows other text too. */
function shownOf(html: string, includeHidden = false): string {
  const { body } = parseTree(`${html}<p>${LONG}</p>`, 'https://x.test/', { includeHidden });
  return blockText([body]).replace(LONG, '').trim();
}

const CASES: readonly (readonly [promise: string, html: string, shown: string])[] = [
  ['what `hidden` hides', '<p hidden>a</p><p>b</p>', 'b'],
  ['what is hidden until found', '<p hidden="until-found">a</p><p>b</p>', 'b'],
  ['what a style does not display', '<p style="color:red; display : NONE">a</p><p>b</p>', 'b'],
  ['what a style makes invisible', '<p style="visibility:hidden">a</p><table><tr style="visibility: collapse"><td>c</table><p>b</p>', 'b'],
  ['a popover', '<div popover>a</div><p>b</p>', 'b'],
  ['a closed dialog', '<dialog>a</dialog><dialog open>b</dialog>', 'b'],
  ['closed details but for their summary', '<details>a<summary>b</summary>c<p>d</p><summary>e</summary></details>', 'b'],
  ['nothing of open details', '<details open><summary>a</summary><p>b</p></details>', 'a\nb'],
  ['closed details inside open ones', '<details open><summary>a</summary><details><summary>b</summary>c</details></details>', 'a\nb'],
  ['decoration', '<h2>a <a href="#a" aria-hidden="true">#</a></h2>', 'a'],
  [
    'no amount of a sale that is told to screen readers in words',
    '<p><del aria-hidden="true">$9</del> <span class="sr">was $9</span> <ins aria-hidden="true">$7</ins></p>',
    '$9 was $9 $7',
  ],
  ['a muted box', '<div aria-hidden="true"><p>a</p></div><p>b</p>', 'b'],
  ['what a script shows by a style of its own', '<p hidden style="display: block">a</p>', 'a'],
  ['what only names of classes hide', '<p class="sr-only visually-hidden">a</p>', 'a'],
  ['a style that only names the property', '<p style="transition: display 1s; --x: none">a</p>', 'a'],
  ['what React streams', '<template id="B:0"></template><div hidden id="S:0"><p>a</p></div>', 'a'],
  ['a tab that is not chosen', '<div role="tabpanel" hidden>a</div>', 'a'],
  [
    'a fold whose heading opens it',
    '<h3><button aria-controls="p" aria-expanded="false">q</button></h3><div id="p" style="display:none">a</div>',
    'q\na',
  ],
  ['a menu that a button opens', '<button aria-controls="m">q</button><div id="m" style="display:none">a</div>', 'q'],
  ['what holds the only main heading', '<div style="display:none"><h1>a</h1></div>', 'a'],
  ['a dialog with the only main heading', '<div role="dialog" style="display:none"><h1>a</h1></div>', ''],
  ['a main heading that is hidden itself', '<h1 hidden>a</h1><p>b</p>', 'b'],
  ['a page that an open dialog covers', '<main aria-hidden="true"><p>a</p></main><div role="dialog" aria-modal="true">b</div>', 'a\nb'],
  [
    'a page round the branch of an open dialog',
    '<div aria-hidden="true"><p>a</p></div><div><div><div role="dialog">b</div></div></div>',
    'a\nb',
  ],
  ['a muted dialog on an open page', '<main><p>a</p></main><div role="dialog" aria-hidden="true"><p>b</p></div>', 'a'],
];
for (const [promise, html, shown] of CASES) test(`hides as told: ${promise}`, () => assert.equal(shownOf(html), shown));

test('reads all of it when asked to', () => {
  const html =
    '<p hidden>a</p><p style="display:none">b</p><details><summary>c</summary>d</details><dialog>e</dialog><i aria-hidden=true>f</i>';
  assert.equal(shownOf(html, true), 'a\nb\nc\nd\ne\nf');
});

test('shows a page that hides itself until a script has run', () => {
  for (const html of [
    '<body style="visibility:hidden"><p>a</p>',
    '<div style="display:none"><p>a</p></div>',
    '<body style="display:none"><div hidden><p>a</p></div><p hidden>b</p>',
  ]) {
    assert.match(blockText([parseTree(html.replaceAll('a<', `${LONG}<`), 'https://x.test/').body]), /^Many[^b]*$/, html);
  }
});

test('knows what lies below something hidden', () => {
  const { hidden, body } = parseTree('<div hidden><p>a <b>b</b></p></div><p>c and more</p>', 'https://x.test/');
  const [div] = hidden;
  assert.equal(hidden.length, 1);
  assert.ok(div && 'children' in div);
  assert.ok(div.children.every(isWithinHidden));
  assert.ok(!isWithinHidden(body.children.at(-1) ?? body));
});

test('lists the outermost nodes in document order', () => {
  const { hidden } = parseTree(
    '<details><summary>s</summary>t<p hidden>a</p></details><p hidden>b<i hidden>c</i></p><p>d and more</p>',
    'https://x.test/',
  );
  assert.deepEqual(
    hidden.map((node) => ('name' in node ? node.name : node.type)),
    ['text', 'p', 'p'],
  );
});
