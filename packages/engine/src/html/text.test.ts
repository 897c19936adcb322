import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isTag } from 'domhandler';
import { blockText } from './text.ts';
import { parseTree } from './tree.ts';

const textOf = (html: string) => blockText([parseTree(html, 'https://x.test/').body]);

const CASES: readonly (readonly [promise: string, html: string, text: string])[] = [
  ['puts blocks on their own lines', '<h1>A</h1><p>b</p>c<div>d</div>e', 'A\nb\nc\nd\ne'],
  ['folds white space across inline elements', '<p> a \n <b> b </b>\t<i>c</i> </p>', 'a b c'],
  ['joins inline elements without a blank between them', '<p>un<b>believ</b>able</p>', 'unbelievable'],
  ['treats a no-break space as a blank', '<p>a&nbsp;&nbsp;b</p>', 'a b'],
  ['removes soft hyphens', '<p>ex&shy;tract</p>', 'extract'],
  ['breaks at <br> and leaves no empty lines', 'a<br><br>b', 'a\nb'],
  ['separates cells by tabs and rows by lines', '<table><tr><td>a</td> <td>b</td></tr><tr><th>c<td>d</table>', 'a\tb\nc\td'],
  ['keeps preformatted text as written', '<p>x</p><pre>a\n  b\n\n c</pre><p>y</p>', 'x\na\n  b\n\n c\ny'],
  ['leaves script, style and template out', 'a<script>b</script><style>c</style><template>d</template>e', 'ae'],
  ['keeps what a reader without scripts is shown', 'a<noscript><p>b</p></noscript>', 'a\nb'],
  ['leaves svg and form values out', 'a<svg><text>c</text></svg><select><option>d</select>e', 'ae'],
  ['leaves out what is hidden', '<p hidden>a</p><p style="color:red; display : NONE">b</p><p>c</p>', 'c'],
  ['keeps a body that is hidden until a script has run', '<body style="visibility:hidden"><p>a</p>', 'a'],
  ['shows a dialog only when it is open', '<dialog>a</dialog><dialog open>b</dialog>', 'b'],
  ['keeps links apart that touch each other', '<a href=1>a</a><a href=2>b</a>', 'a b'],
  ['keeps values apart that touch each other', '<span class="a">SKU-1001</span><span class="b">Category</span>', 'SKU-1001 Category'],
  ['keeps parts of a word together', '<span class="a">un</span><b>certain</b><i class="c">ly</i>', 'uncertainly'],
  ['keeps a value and its unit together', '<span class="a">19.99</span><span class="b">€</span>', '19.99€'],
  ['keeps buttons apart', '<button>a</button><button>b</button>', 'a b'],
  ['gives nothing for an empty page', '', ''],
  ['reads items and definitions line by line', '<ul><li>a<li>b</ul><dl><dt>c<dd>d</dl>', 'a\nb\nc\nd'],
];

for (const [promise, html, text] of CASES) test(promise, () => assert.equal(textOf(html), text));

test('leaves excluded nodes out, with everything below them', () => {
  const { body } = parseTree('<p>a</p><div><p>b</p></div><p>c</p>', 'https://x.test/');
  const excluded = new Set(body.children.filter((node) => isTag(node) && node.name === 'div'));
  assert.equal(blockText([body], { excluded }), 'a\nc');
});

test('reads closed tabs when the page is read with what is hidden', () => {
  const { body } = parseTree('<p hidden>a</p><p style="display:none">b</p><script>c</script>', 'https://x.test/', { includeHidden: true });
  assert.equal(blockText([body]), 'a\nb');
});

test('never contains script text, wherever the script stands', () => {
  const word = fc.constantFrom(
    'alpha',
    '<b>beta</b>',
    '<p>gamma',
    '</p>',
    '<ul><li>',
    '</ul>',
    '<table><tr><td>',
    '</table>',
    '<pre>',
    '</pre>',
  );
  const script = fc.constantFrom('<script>SECRET</script>', '<style>SECRET</style>', '<template><p>SECRET</p></template>');
  fc.assert(
    fc.property(fc.array(fc.oneof(word, script)), (parts) => {
      assert.ok(!textOf(parts.join('')).includes('SECRET'));
    }),
  );
});
