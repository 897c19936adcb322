import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnyNode } from 'domhandler';
import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { parseTree } from '../../html/tree.ts';
import { toMarkdown } from './markdown.ts';

/** A node of a read-back document, as far as the outline looks at it. */
interface ReadNode {
  readonly type: string;
  readonly children?: readonly ReadNode[] | undefined;
  readonly value?: string | undefined;
  readonly depth?: number | undefined;
  readonly url?: string | undefined;
  readonly alt?: string | null | undefined;
  readonly lang?: string | null | undefined;
  readonly ordered?: boolean | null | undefined;
  readonly start?: number | null | undefined;
  readonly spread?: boolean | null | undefined;
  readonly checked?: boolean | null | undefined;
  readonly align?: readonly (string | null)[] | null | undefined;
}

function markdownOf(html: string): string {
  const { body, baseUrl } = parseTree(html, 'https://x.test/a/b');
  return toMarkdown([body], { baseUrl });
}

function readBack(markdown: string): ReadNode {
  return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

const PLAIN_NAMES: Readonly<Record<string, string>> = {
  paragraph: 'p',
  strong: 'b',
  emphasis: 'i',
  delete: 's',
  blockquote: 'q',
  thematicBreak: 'hr',
  break: 'br',
  tableRow: 'tr',
  tableCell: 'td',
};

/** The structure that a reader of Markdown sees, in one line: `h1[A] ul[li[p[x]]]`. A loose list is `ul+`. */
function outline(node: ReadNode): string {
  const inner = (node.children ?? []).map(outline).join(['paragraph', 'heading', 'tableCell'].includes(node.type) ? '' : ' ');
  switch (node.type) {
    case 'root':
      return inner;
    case 'text':
    case 'html':
      return node.value ?? '';
    case 'heading':
      return `h${node.depth}[${inner}]`;
    case 'inlineCode':
      return `c[${node.value}]`;
    case 'code':
      return `pre${node.lang ? `:${node.lang}` : ''}[${node.value}]`;
    case 'link':
      return `a(${node.url})[${inner}]`;
    case 'image':
      return `img(${node.url})[${node.alt}]`;
    case 'list':
      return `${node.ordered ? `ol${node.start}` : 'ul'}${node.spread || node.children?.some((item) => item.spread) ? '+' : ''}[${inner}]`;
    case 'listItem':
      return `${typeof node.checked === 'boolean' ? (node.checked ? 'done' : 'todo') : 'li'}[${inner}]`;
    case 'table':
      return `table(${(node.align ?? []).map((align) => align?.[0] ?? '-').join('')})[${inner}]`;
    default: {
      const name = PLAIN_NAMES[node.type];
      assert.ok(name, `an outline for ${node.type}`);
      return inner === '' && name !== 'td' ? name : `${name}[${inner}]`;
    }
  }
}

const CASES: readonly (readonly [promise: string, html: string, outline: string])[] = [
  // CommonMark 4: leaf blocks
  ['a permalink sign behind a heading is no text of it', '<h2>Title<a class="x" href="#title">¶</a></h2>', 'h2[Title]'],
  ['a link whose text is a number sign beside other text stays', '<p><a href="/c#x">C#</a></p>', 'p[a(https://x.test/c#x)[C#]]'],
  ['headings of every level', '<h1>A</h1><h2>B</h2><h6>F</h6>', 'h1[A] h2[B] h6[F]'],
  ['a heading on one line', '<h2>A<br>B<div>C</div></h2>', 'h2[A B C]'],
  ['no heading without text', '<h2> <span></span></h2><p>x</p>', 'p[x]'],
  ['a heading that ends in marks', '<h2>A #</h2><h3>C#</h3>', 'h2[A #] h3[C#]'],
  ['paragraphs, white space folded', '<p> a \n  b</p>\n<p>c</p>', 'p[a b] p[c]'],
  ['text beside blocks as paragraphs', 'a<div>b</div>c', 'p[a] p[b] p[c]'],
  ['a rule', '<p>a</p><hr><p>b</p>', 'p[a] hr p[b]'],
  ['a rule as an item', '<ul><li><hr></li></ul>', 'ul[li[hr]]'],
  ['two breaks as a new paragraph', '<p>a<br><br>b</p>', 'p[a] p[b]'],
  ['one break as a hard break', '<p>a<br>b</p>', 'p[abrb]'],
  ['no break at the ends', '<p><br>a<br></p>', 'p[a]'],
  // CommonMark 4.5: fenced code
  ['code with its language', '<pre><code class="language-js">a\n  b\n</code></pre>', 'pre:js[a\n  b]'],
  ['code with a short class', '<pre class="lang-py">a</pre>', 'pre:py[a]'],
  ['code in a highlighter', '<div class="highlight highlight-source-rust"><pre>a</pre></div>', 'pre:rust[a]'],
  ['pre without code', '<pre>a\n\n\n b</pre>', 'pre[a\n\n\n b]'],
  ['backticks inside a fence', '<pre>```\na\n```</pre>', 'pre[```\na\n```]'],
  ['code lines made of elements', '<pre><code><div>a</div><div>b</div></code></pre>', 'pre[a\nb]'],
  ['code lines made of breaks', '<pre>a<br>b</pre>', 'pre[a\nb]'],
  ['marks in code as they are', '<pre>*a* &lt;b> \\ # x</pre>', 'pre[*a* <b> \\ # x]'],
  ['code in an item', '<ol><li>a<pre>b\n\nc</pre></li></ol>', 'ol1+[li[p[a] pre[b\n\nc]]]'],
  ['code in a quote', '<blockquote><pre>a\n\nb</pre></blockquote>', 'q[pre[a\n\nb]]'],
  // CommonMark 5: containers
  ['a quote with blocks', '<blockquote><p>a</p><p>b</p></blockquote><p>c</p>', 'q[p[a] p[b]] p[c]'],
  ['two quotes in a row', '<blockquote>a</blockquote><blockquote>b</blockquote>', 'q[p[a]] q[p[b]]'],
  ['a quote in a quote', '<blockquote>a<blockquote>b</blockquote></blockquote>', 'q[p[a] q[p[b]]]'],
  ['a tight list', '<ul><li>a</li><li>b</li></ul>', 'ul[li[p[a]] li[p[b]]]'],
  ['a list of boxes as tight', '<ul><li><div>a</div></li><li><div>b</div></li></ul>', 'ul[li[p[a]] li[p[b]]]'],
  ['a loose list', '<ul><li><p>a</p></li><li><p>b</p></li></ul>', 'ul+[li[p[a]] li[p[b]]]'],
  ['an item of several blocks', '<ul><li><p>a</p><p>b</p></li><li>c</li></ul>', 'ul+[li[p[a] p[b]] li[p[c]]]'],
  ['a list start', '<ol start="7"><li>a</li><li>b</li></ol>', 'ol7[li[p[a]] li[p[b]]]'],
  ['nested lists', '<ul><li>a<ol><li>b</li><li>c</li></ol></li><li>d</li></ul>', 'ul[li[p[a] ol1[li[p[b]] li[p[c]]]] li[p[d]]]'],
  ['a nested list in a box', '<ul><li>a<div><ul><li>b</li></ul></div></li><li>c</li></ul>', 'ul[li[p[a] ul[li[p[b]]]] li[p[c]]]'],
  ['a nested list that starts late', '<ul><li>a<ol start="3"><li>b</li></ol></li></ul>', 'ul+[li[p[a] ol3[li[p[b]]]]]'],
  ['a list in an item alone', '<ul><li><ul><li>a</li></ul></li></ul>', 'ul[li[ul[li[p[a]]]]]'],
  ['a list put beside items', '<ul><li>a</li><ul><li>b</li></ul></ul>', 'ul[li[p[a] ul[li[p[b]]]]]'],
  ['text behind a nested list', '<ul><li>a<ul><li>b</li></ul>c</li></ul>', 'ul+[li[p[a] ul[li[p[b]]] p[c]]]'],
  ['two lists in a row', '<ul><li>a</li></ul><ul><li>b</li></ul>', 'ul[li[p[a]]] ul[li[p[b]]]'],
  ['two numbered lists in a row', '<ol><li>a</li></ol><ol><li>b</li></ol>', 'ol1[li[p[a]]] ol1[li[p[b]]]'],
  ['no empty bullet', '<ul><li></li><li>a</li></ul>', 'ul[li[p[a]]]'],
  ['an empty number keeps the count', '<ol><li>a</li><li></li><li>c</li></ol>', 'ol1[li[p[a]] li[] li[p[c]]]'],
  ['a quote in an item', '<ul><li><blockquote>a</blockquote></li></ul>', 'ul[li[q[p[a]]]]'],
  ['a heading in an item', '<ul><li><h3>a</h3>b</li></ul>', 'ul+[li[h3[a] p[b]]]'],
  ['ten items', `<ol>${'<li>a<p>b</li>'.repeat(11)}</ol>`, `ol1+[${Array(11).fill('li[p[a] p[b]]').join(' ')}]`],
  ['tasks', '<ul><li><input type=checkbox checked> a</li><li><label><input type=checkbox>b</label></li></ul>', 'ul[done[p[a]] todo[p[b]]]'],
  // CommonMark 6: inlines
  ['emphasis, strong, strikethrough', '<p><em>a</em> <b>b</b> <del>c</del></p>', 'p[i[a] b[b] s[c]]'],
  ['blanks moved out of emphasis', '<p>a<b> b </b>c</p>', 'p[a b[b] c]'],
  ['no-break spaces moved out of emphasis', '<p>a<b>&nbsp;b&nbsp;</b>c</p>', 'p[a\u00a0b[b]\u00a0c]'],
  ['emphasis inside a word', '<p>a<b>b</b>c</p>', 'p[ab[b]c]'],
  ['emphasis that ends in a colon before a word', '<p><b>Price:</b>12</p>', 'p[b[Price]:12]'],
  ['emphasis that begins with a quote mark after a word', '<p>a<b>"b"</b></p>', 'p[a"b[b"]]'],
  ['halves of one emphasis', '<p><b>a</b><b>b</b></p>', 'p[b[ab]]'],
  ['emphasis in emphasis', '<p><i>a <b>b</b></i></p>', 'p[i[a  b[b]]]'],
  ['strong in strong', '<p><b>a <strong>b</strong></b></p>', 'p[b[a b]]'],
  ['no empty emphasis', '<p>a<b> </b>c<i></i></p>', 'p[a c]'],
  ['emphasis over blocks', '<b><p>a</p><p>b</p></b>', 'p[b[a]] p[b[b]]'],
  ['emphasis of marks', '<p><b>*</b> <i>_a_</i></p>', 'p[b[*] i[_a_]]'],
  ['inline code', '<p>a <code>b  c</code></p>', 'p[a c[b c]]'],
  ['inline code with backticks', '<p><code>`a`</code> <code>``</code> <code>a`b</code></p>', 'p[c[`a`] c[``] c[a`b]]'],
  ['code behind code', '<p><code>a</code><code>b</code></p>', 'p[c[ab]]'],
  ['marks in inline code', '<p><code>*a* \\</code></p>', 'p[c[*a* \\]]'],
  ['a link made absolute', '<p><a href="../c?d=1#e">f</a></p>', 'p[a(https://x.test/c?d=1#e)[f]]'],
  ['a link with parentheses', '<p><a href="/a_(b)">c</a> <a href="/a(">d</a></p>', 'p[a(https://x.test/a_(b))[c] a(https://x.test/a()[d]]'],
  ['a link with blanks', '<p><a href="/a b">c</a></p>', 'p[a(https://x.test/a%20b)[c]]'],
  ['a link with brackets', '<p><a href="/a">[1]</a></p>', 'p[a(https://x.test/a)[[1]]]'],
  ['a link round a box', '<a href="/a"><div>b</div><div>c</div></a>', 'p[a(https://x.test/a)[b]] p[c]'],
  [
    'a link round a card',
    '<a href="/a"><img src="/i"><h3>b</h3><p>c</p></a>',
    'p[img(https://x.test/i)[]] h3[a(https://x.test/a)[b]] p[c]',
  ],
  ['a link round a picture', '<a href="/a"><img src="/i" alt="b"></a>', 'p[a(https://x.test/a)[img(https://x.test/i)[b]]]'],
  ['no empty link', '<p>a<a href="/b"> <i class="icon"></i></a>c</p>', 'p[a c]'],
  ['no link that runs code', '<p><a href="javascript:x()">a</a> <a href="#">b</a></p>', 'p[a b]'],
  ['a link in strong', '<p><b><a href="/a">b</a></b></p>', 'p[b[a(https://x.test/a)[b]]]'],
  ['an exclamation before a link', '<p>a!<a href="/b">c</a></p>', 'p[a!a(https://x.test/b)[c]]'],
  ['a picture', '<p><img src="i.png" alt="a ]b"></p>', 'p[img(https://x.test/a/i.png)[a ]b]]'],
  ['a picture that loads late', '<p><img src="data:image/gif;base64,R0" data-src="/i"></p>', 'p[img(https://x.test/i)[]]'],
  ['a picture once beside its copy', '<p><img data-src="/i"><noscript><img src="/i"></noscript></p>', 'p[img(https://x.test/i)[]]'],
  ['superscript', '<p>x<sup>2</sup></p>', 'p[x<sup>2</sup>]'],
  // GFM 4.10: tables
  ['a table', '<table><tr><th>a<th>b<tr><td>c<td>d</table>', 'table(--)[tr[td[a] td[b]] tr[td[c] td[d]]]'],
  [
    'alignment',
    '<table><tr><th align=left>a<th style="text-align:center">b<th>c<tr><td>d<td>e<td align=right>f</table>',
    'table(lcr)[tr[td[a] td[b] td[c]] tr[td[d] td[e] td[f]]]',
  ],
  ['a table without header', '<table><tr><td>a<td>b<tr><td>c<td>d</table>', 'table(--)[tr[td[] td[]] tr[td[a] td[b]] tr[td[c] td[d]]]'],
  ['pipes in cells', '<table><tr><th>a|b<th><code>c|d</code><tr><td>e<td>f</table>', 'table(--)[tr[td[a|b] td[c[c|d]]] tr[td[e] td[f]]]'],
  ['blocks in cells', '<table><tr><th>a<th>b<tr><td><p>c</p><p>d</p><td>e</table>', 'table(--)[tr[td[a] td[b]] tr[td[c<br>d] td[e]]]'],
  [
    'a cell over columns',
    '<table><tr><th colspan=2>a<th>b<tr><td>c<td>d<td>e</table>',
    'table(---)[tr[td[a] td[a] td[b]] tr[td[c] td[d] td[e]]]',
  ],
  [
    'a cell over rows',
    '<table><tr><th>a<th>b<tr><td rowspan=2>c<td>d<tr><td>e</table>',
    'table(--)[tr[td[a] td[b]] tr[td[c] td[d]] tr[td[c] td[e]]]',
  ],
  ['a caption above its table', '<table><caption>x</caption><tr><th>a<tr><td>b</table>', 'p[x] table(-)[tr[td[a]] tr[td[b]]]'],
  ['a layout table as its content', '<table><tr><td>a<td><table><tr><th>b<tr><td>c</table></table>', 'p[a] table(-)[tr[td[b]] tr[td[c]]]'],
  ['a table in an item', '<ul><li>x<table><tr><th>a<tr><td>b</table></li></ul>', 'ul+[li[p[x] table(-)[tr[td[a]] tr[td[b]]]]]'],
  [
    'emphasis in cells',
    '<table><tr><th><b>a</b><th>b<tr><td><i>c</i> d<td>e</table>',
    'table(--)[tr[td[b[a]] td[b]] tr[td[i[c] d] td[e]]]',
  ],
  // HTML without a counterpart
  ['definitions as lines behind their term', '<dl><dt>a</dt><dd>b</dd></dl>', 'p[a\n: b]'],
  ['details as their summary in bold', '<details><summary>a</summary><p>b</p></details>', 'p[b[a]] p[b]'],
  ['a figure with its caption', '<figure><img src="/i"><figcaption>a</figcaption></figure>', 'p[img(https://x.test/i)[]] p[a]'],
  ['nothing hidden', '<p hidden>a</p><p style="display: none">b</p><script>c</script><style>d</style><!-- e --><p>f</p>', 'p[f]'],
  ['no form fields', '<p>a <select><option>b</select><textarea>c</textarea></p>', 'p[a]'],
  [
    'a formula as its source',
    '<p>a <math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math></p>',
    'p[a $x^2$]',
  ],
];

for (const [promise, html, expected] of CASES) {
  test(`writes ${promise}`, () => {
    const markdown = markdownOf(html);
    assert.equal(outline(readBack(markdown)), expected, markdown);
  });
}

const LITERALS: readonly string[] = [
  '*a*',
  '* a',
  '2 * 3 * 4',
  '_a_',
  '__init__',
  'snake_case_name',
  '# a',
  '#a',
  '####### a',
  '1. a',
  '1) a',
  '2024',
  '- a',
  '-5',
  '--- ',
  '+ a',
  '> a',
  '<b>',
  'a < b',
  '<!-- a -->',
  '&amp;',
  '&#65;',
  'a & b',
  '[a](b)',
  '[a]: b',
  '[ ] a',
  '![a](b)',
  '[a][b]',
  '`a`',
  '~~a~~',
  '~5 and ~6',
  '~~~',
  '```',
  '===',
  '| a | b |',
  'a | b',
  '\\',
  '\\*',
  'a\\',
  'C:\\dir',
  '**',
  '***',
  '_',
  '*',
  '1.',
  '-',
  '#',
  ': a',
  'http://x.test/a_b_c*d',
  '$a$',
  'a^b',
  '[^1]',
];

for (const literal of LITERALS) {
  test(`writes the literal ${literal} so that it reads back`, () => {
    assertReadsBack(literal);
  });
}

function assertReadsBack(text: string): void {
  const markdown = markdownOf(`<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`);
  const paragraphs = readBack(markdown).children ?? [];
  assert.ok(paragraphs.length <= 1 && (paragraphs[0]?.type ?? 'paragraph') === 'paragraph', markdown);
  const folded = text.replace(/[\t\n\f\r ]+/g, ' ').replace(/^ | $/g, '');
  assert.equal((paragraphs[0]?.children ?? []).map(plainText).join(''), folded, markdown);
}

/** Text as it is; a bare address that became a link counts as its text. */
function plainText(node: ReadNode): string {
  if (node.type === 'link') return (node.children ?? []).map(plainText).join('');
  assert.equal(node.type, 'text');
  return node.value ?? '';
}

const PIECES = [...'\\`*_{}[]()<>#+-.!|~&:;"\'=$%^/@?, ', 'a', 'b', '1', '  ', '\n', 'é', '中', '😀', '&lt;', 'http:', '**', '- ', '1. '];

test('text with any punctuation reads back as the same text', () => {
  const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 20 }).map((pieces) => pieces.join(''));
  fc.assert(fc.property(text, assertReadsBack), { numRuns: 1000 });
});

test('text in several elements reads back as the same text', () => {
  const piece = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
  const tags = fc.constantFrom('span', 'b', 'i', 'del');
  const runs = fc.array(fc.tuple(tags, piece), { maxLength: 5 });
  fc.assert(
    fc.property(runs, (parts) => {
      const html = parts.map(([tag, text]) => `<${tag}>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</${tag}>`).join('');
      const markdown = markdownOf(`<p>${html}</p>`);
      const text = parts.map(([, piece]) => piece).join('');
      const folded = text.replace(/[\t\n\f\r ]+/g, ' ').replace(/^ | $/g, '');
      assert.equal((readBack(markdown).children ?? []).map(allText).join('|'), folded, markdown);
    }),
    { numRuns: 1000 },
  );
});

function allText(node: ReadNode): string {
  assert.notEqual(node.type, 'html');
  return node.value ?? (node.children ?? []).map(allText).join('');
}

const TAGS = 'p div b i del span a code ul ol li blockquote h2 pre table tr td th br hr sup dl dt dd section q details summary'.split(' ');

test('every word of any markup is written once, in order, as text', () => {
  const node: fc.Memo<string> = fc.memo((depth) => (depth <= 1 ? word() : fc.oneof(word(), element(depth - 1))));
  const word = (): fc.Arbitrary<string> => fc.constantFrom('W', 'W ', ' W', ' ', '\n');
  const element = (depth: number): fc.Arbitrary<string> =>
    fc.tuple(fc.constantFrom(...TAGS), fc.array(node(depth), { maxLength: 4 })).map(([tag, inner]) => {
      return `<${tag}${tag === 'a' ? ' href="/x"' : ''}>${inner.join('')}</${tag}>`;
    });
  fc.assert(
    fc.property(fc.array(node(5), { maxLength: 6 }), (parts) => {
      let count = 0;
      const { body, baseUrl } = parseTree(
        parts.join('').replaceAll('W', () => `w${String(++count).padStart(3, '0')}`),
        'https://x.test/',
      );
      const markdown = toMarkdown([body], { baseUrl });
      const read =
        (readBack(markdown).children ?? [])
          .map(allWords)
          .join(' ')
          .match(/w\d{3}/g) ?? [];
      assert.deepEqual(read, wordsOf(body), markdown);
    }),
    { numRuns: 600 },
  );
});

function wordsOf(node: AnyNode): string[] {
  if (node.type === 'text') return node.data.match(/w\d{3}/g) ?? [];
  return 'children' in node ? node.children.flatMap(wordsOf) : [];
}

/** The text of a read-back node; tags are not text. */
function allWords(node: ReadNode): string {
  if (node.type === 'html') return /^<\/?(?:sup|sub|br)>$/.test(node.value ?? '') ? '' : assert.fail(node.value);
  return node.value ?? (node.children ?? []).map(allWords).join(' ');
}

test('leaves excluded nodes out', () => {
  const { body, baseUrl } = parseTree('<p>a</p><nav>b</nav><table><tr><th>c<tr><td>d</table>', 'https://x.test/');
  const excluded = new Set(body.children.filter((node) => 'name' in node && node.name !== 'p'));
  assert.equal(toMarkdown([body], { baseUrl, excluded }), 'a\n');
});

test('writes nothing for a page that shows nothing', () => {
  assert.equal(markdownOf('<div> <p>&nbsp;&#8203;</p><ul><li></li></ul><table><tr><td></td></tr></table></div>'), '');
});

test('bears the deepest tree', () => {
  assert.ok(markdownOf(`${'<div><blockquote><ul><li>'.repeat(20_000)}deep`).includes('deep'));
});

test('bears broken markup', () => {
  for (const html of [
    '<p>a<!-- b',
    '<plaintext>a</p>',
    '<svg><p>a',
    '<math><mi><p>a',
    '<template><p>b</template>a',
    '<table><p>a',
    '<li>a',
    '<td>a',
  ]) {
    assert.match(markdownOf(html), /a/, html);
  }
});

test('writes what is hidden only when it is asked to', () => {
  const { body, baseUrl } = parseTree('<div hidden><p>Tab</p></div><ul><li style="display:none">Item</ul><p>Shown', 'https://x.test/');
  assert.equal(toMarkdown([body], { baseUrl }), 'Shown\n');
  assert.equal(toMarkdown([body], { baseUrl, keepsHidden: true }), 'Tab\n\n- Item\n\nShown\n');
});
