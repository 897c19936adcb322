import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanHtml } from './serialize.ts';
import { parseTree } from './tree.ts';

function clean(html: string): string {
  const { body, baseUrl } = parseTree(html, 'https://x.test/a/');
  return cleanHtml(body.children, { baseUrl });
}

const CLEAN: readonly (readonly [promise: string, html: string, expected: string])[] = [
  ['keeps text and structure', '<h1>A</h1><p>b <b>c</b></p>', '<h1>A</h1><p>b <b>c</b></p>'],
  ['drops what acts', '<script>1</script><style>2</style><iframe src="/x"></iframe><p>a</p>', '<p>a</p>'],
  ['drops comments', 'a<!-- b -->c', 'ac'],
  ['drops event handlers and styles', '<p onclick="x()" style="color:red" class="y">a</p>', '<p>a</p>'],
  [
    'makes addresses absolute',
    '<a href="../b">c</a><img src="d.png" alt="e">',
    '<a href="https://x.test/b">c</a><img src="https://x.test/a/d.png" alt="e">',
  ],
  ['takes the address from a link that runs code', '<a href="java\nscript:x()">a</a>', '<a>a</a>'],
  ['drops pictures given as data', '<img src="data:image/png;base64,AA">', '<img>'],
  ['makes every source absolute', '<img srcset="/a 1x, b 2x">', '<img srcset="https://x.test/a 1x, https://x.test/a/b 2x">'],
  ['keeps spans of cells', '<table><tr><td colspan="2">a</table>', '<table><tbody><tr><td colspan="2">a</td></tr></tbody></table>'],
  ['keeps the language of code', '<pre class="x language-js">a</pre>', '<pre class="language-js">a</pre>'],
  ['keeps the content of unknown elements', '<x-box><form><p>a</p></form></x-box>', '<p>a</p>'],
  ['escapes', '<p title="&quot;&lt;">a &lt;b> &amp; c</p>', '<p title="&quot;&lt;">a &lt;b&gt; &amp; c</p>'],
  ['disarms what breaks out of a drawing', '<svg><style><img src=x onerror=y></style></svg>a', '<img src="https://x.test/a/x">a'],
];

for (const [promise, html, expected] of CLEAN) {
  test(promise, () => assert.equal(clean(html), expected));
}

test('keeps formulas, and leaves out what the page hides', () => {
  const math = '<math display="block"><mfrac><mn>1</mn><mn>2</mn></mfrac></math>';
  assert.equal(
    clean(`<p>a</p>${math}<p hidden>b</p><dialog>c</dialog><details><summary>d</summary>e</details>`),
    `<p>a</p>${math}<details><summary>d</summary></details>`,
  );
});

test('cleaned HTML stays the same when it is cleaned again', () => {
  const once = clean('<div><p>a<table><tr><td>b</table><a href="/c?d=1&e=2">f</a>&lt;script></div>');
  assert.equal(clean(once), once);
});

test('leaves excluded nodes out', () => {
  const { body, baseUrl } = parseTree('<nav>a</nav><p>b</p>', 'https://x.test/');
  assert.equal(cleanHtml([body], { baseUrl, excluded: new Set(body.children.slice(0, 1)) }), '<p>b</p>');
});
