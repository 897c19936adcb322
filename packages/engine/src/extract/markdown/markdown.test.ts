import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnyNode } from 'domhandler';
import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { parseTree } from '../../html/tree.ts';
import { footnotesOf } from '../footnotes.ts';
import { furnitureOf } from '../furniture.ts';
import { toMarkdown } from './markdown.ts';
import { formulasIn } from './handlers/math.ts';

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
  readonly label?: string | null | undefined;
  readonly title?: string | null | undefined;
  readonly align?: readonly (string | null)[] | null | undefined;
}

function markdownOf(html: string): string {
  const tree = parseTree(html, 'https://x.test/a/b');
  return toMarkdown([tree.body], { baseUrl: tree.baseUrl, excluded: furnitureOf(tree).nodes, notes: footnotesOf(tree) });
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
      return `img(${node.url}${node.title ? ` "${node.title}"` : ''})[${node.alt}]`;
    case 'list':
      return `${node.ordered ? `ol${node.start}` : 'ul'}${node.spread || node.children?.some((item) => item.spread) ? '+' : ''}[${inner}]`;
    case 'listItem':
      return `${typeof node.checked === 'boolean' ? (node.checked ? 'done' : 'todo') : 'li'}[${inner}]`;
    case 'footnoteReference':
      return `^${node.label}`;
    case 'footnoteDefinition':
      return `note:${node.label}[${inner}]`;
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
  ['headings of every level', '<h1>A</h1><h2>B</h2><h6>F</h6>', 'h1[A] h2[B] h6[F]'],
  ['a heading on one line', '<h2>A<br>B<div>C</div></h2>', 'h2[A B C]'],
  ['no heading without text', '<h2> <span></span></h2><p>x</p>', 'p[x]'],
  ['a heading that ends in marks', '<h2>A #</h2><h3>C#</h3>', 'h2[A #] h3[C#]'],
  ['paragraphs, white space folded', '<p> a \n  b</p>\n<p>c</p>', 'p[a b] p[c]'],
  [
    'the lines of a letter in one paragraph',
    '<p>Hello,\n\nthe rake\nleans.\n\n<a href="/1">/1</a>\n\nAda</p>',
    'p[Hello,] p[the rakebrleans.] p[a(https://x.test/1)[/1]] p[Ada]',
  ],
  ['a paragraph that its source wraps', '<p>the rake\nleans\n\n</p>', 'p[the rake leans]'],
  ['text beside blocks as paragraphs', 'a<div>b</div>c', 'p[a] p[b] p[c]'],
  ['a rule', '<p>a</p><hr><p>b</p>', 'p[a] hr p[b]'],
  ['rules between blocks alone', '<hr><hr><p>a</p><hr><div><hr></div><p>b</p><hr>', 'p[a] hr p[b]'],
  ['a rule as an item', '<ul><li><hr></li></ul>', 'ul[li[hr]]'],
  [
    'values that touch each other as words',
    '<p><span class="a">SKU-1001</span><span class="b">Category</span></p>',
    'p[SKU-1001 Category]',
  ],
  [
    'links that touch each other as words',
    '<p><a href="/a">Aa</a><a href="/b">Bb</a></p>',
    'p[a(https://x.test/a)[Aa] a(https://x.test/b)[Bb]]',
  ],
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
  [
    'a picture without an address beside its words',
    '<p><img src="data:image/png;base64,R0" alt="Ada Byron"><span>AB</span></p>',
    'p[Ada Byron AB]',
  ],
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
  [
    'definitions as items below their term',
    '<dl><dt>a</dt><dd>b</dd><dd>c</dd><dt>d<dt>e<dd><p>f</p><p>g</p></dl>',
    'p[b[a]] ul[li[p[b]] li[p[c]]] p[b[d]] p[b[e]] ul+[li[p[f] p[g]]]',
  ],
  ['definitions in definitions', '<dl><dt>a<dd>b<dl><dt>c<dd>d</dl></dl>', 'p[b[a]] ul+[li[p[b] p[b[c]] ul[li[p[d]]]]]'],
  ['code in terms', '<dl><dt><code>a_b</code></dt><dd>c</dd></dl>', 'p[b[c[a_b]]] ul[li[p[c]]]'],
  ['details as their summary in bold', '<details open><summary>a</summary><p>b</p></details>', 'p[b[a]] p[b]'],
  ['details that a heading opens', '<details open><summary><h2>a</h2>b</summary><p>c</p></details>', 'h2[a] p[b] p[c]'],
  ['a figure with its caption', '<figure><img src="/i"><figcaption>a</figcaption></figure>', 'p[img(https://x.test/i)[]] p[a]'],
  ['nothing hidden', '<p hidden>a</p><p style="display: none">b</p><script>c</script><style>d</style><!-- e --><p>f</p>', 'p[f]'],
  ['no form fields', '<p>a <select><option>b</select><textarea>c</textarea></p>', 'p[a]'],
  [
    'a formula as its source',
    '<p>a <math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math></p>',
    'p[a $x^2$]',
  ],
  [
    'an abbreviation with what it stands for, once',
    '<p><abbr title="World Health Organization">WHO</abbr> and <abbr title="World Health Organization">WHO</abbr></p>',
    'p[WHO (World Health Organization) and WHO]',
  ],
  ['the title of a picture', '<p><img src="/i" alt="a" title="A &quot;b&quot;"></p>', 'p[img(https://x.test/i "A "b"")[a]]'],
  // admonitions
  [
    'an admonition (Sphinx, MkDocs)',
    '<div class="admonition note"><p class="admonition-title">Note</p><p>a</p><pre>b</pre></div>',
    'q[p[b[Note]] p[a] pre[b]]',
  ],
  [
    'an admonition (Docusaurus)',
    '<div class="theme-admonition theme-admonition-tip admonition_x alert alert--success"><div class="admonitionHeading_y"><span><svg></svg></span>tip</div><div class="admonitionContent_z"><p>a</p></div></div>',
    'q[p[b[tip]] p[a]]',
  ],
  ['an admonition (VitePress)', '<div class="tip custom-block"><p class="custom-block-title">TIP</p><p>a</p></div>', 'q[p[b[TIP]] p[a]]'],
  [
    'an admonition (GitHub)',
    '<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title"><svg></svg>Note</p><p>a</p></div>',
    'q[p[b[Note]] p[a]]',
  ],
  [
    'an admonition (AsciiDoctor)',
    '<div class="admonitionblock note"><table><tr><td class="icon"><i class="fa icon-note" title="Note"></i></td><td class="content">a</td></tr></table></div>',
    'q[p[b[Note]] p[a]]',
  ],
  ['an admonition (DocBook)', '<div class="note"><h3 class="title">Note</h3><p>a</p></div>', 'q[p[b[Note]] p[a]]'],
  [
    'an admonition in a table (DocBook)',
    '<div class="warning"><table><tr><td rowspan="2"><img alt="[Warning]" src="/w"></td><th>Warning</th></tr><tr><td><p>a</p></td></tr></table></div>',
    'q[p[b[Warning]] p[img(https://x.test/w)[[Warning]]] p[a]]',
  ],
  ['an alert (Bootstrap)', '<div class="alert alert-info" role="alert"><h4 class="alert-heading">A</h4><p>b</p></div>', 'q[p[b[A]] p[b]]'],
  ['no admonition of a box that is only called so', '<div class="note"><p>a</p></div><div class="alerts">b</div>', 'p[a] p[b]'],
  // nested tables
  [
    'a data table with a table in a cell',
    '<table><tr><th>a<th>b<tr><td>c<td><table><tr><th>d<th>e<tr><td>f<td>g</table></table>',
    'table(--)[tr[td[a] td[b]] tr[td[c] td[d | e<br>f | g]]]',
  ],
  // languages
  [
    'the language of Sphinx',
    '<div class="highlight-python3 notranslate"><div class="highlight"><pre>a</pre></div></div>',
    'pre:python3[a]',
  ],
  ['the language of MediaWiki', '<div class="mw-highlight mw-highlight-lang-lua mw-content-ltr"><pre>a</pre></div>', 'pre:lua[a]'],
  ['the language of highlight.js', '<pre><code class="hljs javascript">a</code></pre>', 'pre:javascript[a]'],
  [
    'the language of pandoc',
    '<div class="sourceCode"><pre class="sourceCode haskell"><code class="sourceCode haskell">a</code></pre></div>',
    'pre:haskell[a]',
  ],
  ['the language of DokuWiki', '<pre class="code bash">a</pre>', 'pre:bash[a]'],
  ['the language of an attribute', '<pre data-lang="go"><code>a</code></pre>', 'pre:go[a]'],
  ['the language of SyntaxHighlighter', '<pre class="brush: php; gutter: false">a</pre>', 'pre:php[a]'],
  [
    'the language round a table of line numbers',
    '<div class="language-rust"><div><table class="rouge-table"><tr><td class="rouge-gutter gl"><pre>1\n</pre></td><td class="rouge-code"><pre>a</pre></td></tr></table></div></div>',
    'pre:rust[a]',
  ],
  ['the language of rustdoc', '<pre class="rust rust-example-rendered"><code>a</code></pre>', 'pre:rust[a]'],
  ['the language of RDoc', '<pre class="ruby"><span class="ruby-keyword">a</span></pre>', 'pre:ruby[a]'],
  ['no language of a token that looks like one', '<pre><span class="go">a</span></pre>', 'pre[a]'],
  ['no language of a class beside others', '<pre class="console wide">a</pre>', 'pre[a]'],
  ['no language of plain text', '<pre><code class="language-text hljs">a</code></pre>', 'pre[a]'],
  [
    'code in lines of its own elements (Doxygen)',
    '<div class="fragment"><div class="line"><span class="lineno">    1</span>a</div><div class="line">  b</div></div>',
    'pre[a\n  b]',
  ],
];

for (const [promise, html, expected] of CASES) {
  test(`writes ${promise}`, () => {
    const markdown = markdownOf(html);
    assert.equal(outline(readBack(markdown)), expected, markdown);
  });
}

const FORMULAS: readonly (readonly [promise: string, html: string, markdown: string])[] = [
  [
    'KaTeX',
    '<p>a <span class="katex"><span class="katex-mathml"><math><semantics><mi>E</mi><annotation encoding="application/x-tex">E=mc^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">E=mc2</span></span></p>',
    'a $E=mc^2$\n',
  ],
  [
    'KaTeX on its own line',
    '<p>a</p><span class="katex-display"><span class="katex"><span class="katex-mathml"><math display="block"><semantics><mi>x</mi><annotation encoding="application/x-tex">\\sum_{i}</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x</span></span></span>',
    'a\n\n$$\\sum_{i}$$\n',
  ],
  [
    'MathJax 2',
    '<p>a <span class="MathJax_Preview">p</span><span class="MathJax"><nobr>x2</nobr></span><script type="math/tex">x_1^2</script></p>',
    'a $x_1^2$\n',
  ],
  ['MathJax 2 on its own line', '<p>a</p><script type="math/tex; mode=display">a * b * c</script>', 'a\n\n$$a * b * c$$\n'],
  [
    'MathJax 3',
    '<p>a <mjx-container class="MathJax" jax="CHTML"><mjx-math aria-hidden="true"></mjx-math><mjx-assistive-mml><math><msup><mi>x</mi><mn>2</mn></msup></math></mjx-assistive-mml></mjx-container></p>',
    'a $x^2$\n',
  ],
  [
    'MathJax 3 on its own line',
    '<mjx-container class="MathJax" display="true"><mjx-assistive-mml display="block"><math display="block"><mi>x</mi></math></mjx-assistive-mml></mjx-container>',
    '$$x$$\n',
  ],
  ['MathML without a source', '<p><math><mfrac><mn>1</mn><mn>2</mn></mfrac></math></p>', '$\\frac{1}{2}$\n'],
  ['MathML with alttext', '<p><math alttext="a_b"><mi>a</mi></math></p>', '$a_b$\n'],
  [
    'MediaWiki',
    '<p>a <span class="mwe-math-element"><span class="mwe-math-mathml-inline" style="display: none;"><math alttext="{\\displaystyle E_0}"><mi>E</mi></math></span><img src="/m.svg" class="mwe-math-fallback-image-inline" aria-hidden="true" alt="{\\displaystyle E_0}"></span></p>',
    'a $E_0$\n',
  ],
  [
    'Sphinx and pandoc',
    '<p><span class="math notranslate nohighlight">\\(a_i*b_i\\)</span></p><div class="math notranslate">\\[\\sum_{i} x_i\\]</div>',
    '$a_i*b_i$\n\n$$\\sum_{i} x_i$$\n',
  ],
  ['pandoc without a script', '<p><span class="math inline"><em>E</em> = <em>mc</em><sup>2</sup></span></p>', '*E* = *mc*<sup>2</sup>\n'],
  ['a picture of a formula', '<p><img class="latex" src="/f.png" alt="x_1*y"></p>', '$x_1*y$\n'],
  ['raw source', '<p>a $$\\sum_{i}$$ b</p>', 'a\n\n$$\\sum_{i}$$\n\nb\n'],
  ['raw source between brackets', '<p>a \\(x_1*y_1\\), b \\[\\frac{a}{b}\\]</p>', 'a $x_1*y_1$, b\n\n$$\\frac{a}{b}$$\n'],
  ['raw source between dollars', '<p>a $\\alpha_1$ b</p>', 'a $\\alpha_1$ b\n'],
  ['no prices', '<p>from $5_000 to $6_000</p>', 'from $5_000 to $6_000\n'],
  ['no brackets of expressions', '<p>grep \\( and \\)</p>', 'grep \\\\( and \\\\)\n'],
  ['a formula in a cell', '<table><tr><th>a<tr><td><math alttext="|x|"></math></table>', '| a |\n| --- |\n| $\\|x\\|$ |\n'],
];
for (const [promise, html, markdown] of FORMULAS)
  test(`writes a formula once and unescaped: ${promise}`, () => assert.equal(markdownOf(html), markdown));

const NOTES: readonly (readonly [engine: string, html: string, outline: string])[] = [
  [
    'GitHub',
    '<p>a<sup><a href="#user-content-fn-1" id="user-content-fnref-1" data-footnote-ref>1</a></sup></p><section data-footnotes class="footnotes"><ol><li id="user-content-fn-1"><p>b <a href="#user-content-fnref-1" data-footnote-backref>↩</a></p></li></ol></section>',
    'p[a^1] note:1[p[b]]',
  ],
  [
    'pandoc',
    '<p>a<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a> c</p><section class="footnotes" role="doc-endnotes"><hr><ol><li id="fn1"><p>b<a href="#fnref1" class="footnote-back">↩︎</a></p></li></ol></section>',
    'p[a^1 c] hr note:1[p[b]]',
  ],
  [
    'MediaWiki',
    '<p>a<sup id="cite_ref-x_1-0" class="reference"><a href="#cite_note-x-1"><span>[</span>1<span>]</span></a></sup> c<sup id="cite_ref-x_1-1" class="reference"><a href="#cite_note-x-1">[1]</a></sup></p><ol class="references"><li id="cite_note-x-1"><span class="mw-cite-backlink">^ <a href="#cite_ref-x_1-0"><sup><i><b>a</b></i></sup></a> <a href="#cite_ref-x_1-1"><sup>b</sup></a></span> <span class="reference-text">b</span></li></ol>',
    'p[a^1 c^1] note:1[p[b]]',
  ],
  [
    'Sphinx',
    '<p>a <a class="footnote-reference brackets" href="#id2" id="id1" role="doc-noteref"><span class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a></p><aside class="footnote brackets" id="id2" role="doc-footnote"><span class="label"><span class="fn-bracket">[</span><a role="doc-backlink" href="#id1">1</a><span class="fn-bracket">]</span></span><p>b</p></aside>',
    'p[a ^1] note:1[p[b]]',
  ],
  [
    'old Sphinx',
    '<p>a <a class="footnote-reference brackets" href="#id2" id="id1">1</a></p><dl class="footnote brackets"><dt class="label" id="id2"><span class="brackets"><a class="fn-backref" href="#id1">1</a></span></dt><dd><p>b</p></dd></dl>',
    'p[a ^1] note:1[p[b]]',
  ],
  [
    'docutils',
    '<p>a <a class="footnote-reference" href="#id2" id="id1">[1]</a></p><table class="docutils footnote" id="id2"><tr><td class="label"><a class="fn-backref" href="#id1">[1]</a></td><td>b</td></tr></table>',
    'p[a ^1] note:1[p[b]]',
  ],
  [
    'WordPress',
    '<p>a<sup data-fn="u" class="fn"><a href="#u" id="u-link">1</a></sup></p><ol class="wp-block-footnotes"><li id="u">b <a href="#u-link">↩︎</a></li></ol>',
    'p[a^1] note:1[p[b]]',
  ],
  [
    'DokuWiki',
    '<p>a <sup><a href="#fn__1" id="fnt__1" class="fn_top">1)</a></sup></p><div class="footnotes"><div class="fn"><sup><a href="#fnt__1" id="fn__1" class="fn_bot">1)</a></sup> <div class="content">b</div></div></div>',
    'p[a ^1] note:1[p[b]]',
  ],
  [
    'Python-Markdown',
    '<p>a<sup id="fnref:1"><a class="footnote-ref" href="#fn:1">1</a></sup></p><div class="footnote"><hr><ol><li id="fn:1"><p>b&#160;<a class="footnote-backref" href="#fnref:1">↩</a></p></li></ol></div>',
    'p[a^1] hr note:1[p[b\u00a0]]',
  ],
  [
    'DocBook',
    '<p>a<a href="#ftn.x" class="footnote" id="x"><sup class="footnote">[a]</sup></a></p><div class="footnotes"><div id="ftn.x" class="footnote"><p><a href="#x" class="para"><sup class="para">[a] </sup></a>b</p></div></div>',
    'p[a^a] note:a[p[b]]',
  ],
  [
    'two notes, of several blocks',
    '<p>a<a id="r1" href="#n1">1</a> b<a id="r2" href="#n2">2</a></p><ol><li id="n1"><p>c <a href="#r1">^</a></p><pre>d</pre></li><li id="n2">e <a href="#r2">^</a></li></ol>',
    'p[a^1 b^2] note:1[p[c] pre[d]] note:2[p[e]]',
  ],
  [
    'none of a table of contents',
    '<p><a id="t" href="#a">1</a></p><h2 id="a">A</h2><p><a href="#t">top</a></p>',
    'p[a(https://x.test/a/b#a)[1]] h2[A] p[a(https://x.test/a/b#t)[top]]',
  ],
];
for (const [engine, html, expected] of NOTES) {
  test(`writes footnotes of ${engine}`, () => {
    const markdown = markdownOf(html);
    assert.equal(outline(readBack(markdown)), expected, markdown);
  });
}

test('leaves a mark a link where its note is not wanted', () => {
  const tree = parseTree('<p>a<sup><a id="r" href="#n">1</a></sup></p><ol><li id="n">b <a href="#r">^</a></li></ol>', 'https://x.test/');
  const excluded = new Set(tree.body.children.slice(1));
  assert.equal(
    toMarkdown([tree.body], { baseUrl: tree.baseUrl, excluded, notes: footnotesOf(tree) }),
    'a<sup>[1](https://x.test/#n)</sup>\n',
  );
});

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
  if (formulasIn(text).length > 0) return;
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
  // The lines of a letter are another promise.
  const folded = text.filter((one) => !/\S\n\n\S/.test(one));
  fc.assert(fc.property(folded, assertReadsBack), { numRuns: 1000 });
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
      fc.pre(!parts.some(([, piece]) => formulasIn(piece).length > 0));
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
        { includeHidden: true },
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
  const html = '<div hidden><p>Tab</p></div><ul><li style="display:none">Item</ul><p>Shown';
  for (const [includeHidden, expected] of [
    [false, 'Shown\n'],
    [true, 'Tab\n\n- Item\n\nShown\n'],
  ] as const) {
    const { body, baseUrl } = parseTree(html, 'https://x.test/', { includeHidden });
    assert.equal(toMarkdown([body], { baseUrl }), expected);
  }
});

for (const [html, markdown] of [
  ['<h2 id="a"><a href="#a">A</a></h2>', '## A\n'],
  ['<h2 id="a"><a href="/a/b#a"><span>A</span></a></h2>', '## A\n'],
  ['<h2><a name="a" href="#a">A</a></h2>', '## A\n'],
  ['<h2 id="a"><a href="#/?id=a">A</a></h2>', '## A\n'],
  ['<h2 id="Ä"><a href="#%C3%84">A</a></h2>', '## A\n'],
  ['<h2 id="a"><a href="/c#a">A</a></h2>', '## [A](https://x.test/c#a)\n'],
  ['<h2 id="a"><a href="#/guide?id=a">A</a></h2>', '## [A](https://x.test/a/b#/guide?id=a)\n'],
  ['<h2 id="a"><a href="#b">A</a></h2>', '## [A](https://x.test/a/b#b)\n'],
  ['<h2 id="a"><a href="#/guide?id=b">A</a></h2>', '## [A](https://x.test/a/b#/guide?id=b)\n'],
  ['<p><a href="#a" id="a">A</a></p>', '[A](https://x.test/a/b#a)\n'],
] as const)
  test(`writes ${html} as ${markdown.trim()}`, () => assert.equal(markdownOf(html), markdown));
