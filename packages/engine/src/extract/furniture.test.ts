import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockText } from '../html/text.ts';
import { parseTree } from '../html/tree.ts';
import { furnitureOf } from './furniture.ts';

/** What is left of the text of `html`, its lines divided by bars. */
function textOf(html: string): string {
  const tree = parseTree(html, 'https://x.test/');
  const { nodes, contents } = furnitureOf(tree);
  return blockText([tree.body], { excluded: new Set([...nodes, ...contents]) }).replaceAll('\n', ' | ');
}

const CASES: readonly (readonly [promise: string, html: string, text: string])[] = [
  // permalinks
  ['a pilcrow behind a heading (Sphinx, MkDocs)', '<h2>A<a class="headerlink" href="#a" title="Permalink">¶</a></h2>', 'A'],
  ['a number sign in an element (rustdoc, AnchorJS)', '<h2>A <a href="#a"><span>#</span></a></h2>', 'A'],
  ['a link of no width (VitePress)', '<h1 id="a">A <a class="header-anchor" href="#a" aria-label="Permalink">&#8203;</a></h1>', 'A'],
  ['a permalink in words in the heading', '<h2 id="a">A <a href="#a">Permalink</a></h2>', 'A'],
  [
    'a permalink in words behind the heading (Starlight)',
    '<div><h2 id="a">A</h2><a href="#a"><span class="sr-only">Section titled A</span></a></div>',
    'A',
  ],
  ['a permalink behind a term', '<dl><dt id="f">f()<a href="#f">link to this</a></dt><dd>B</dd></dl>', 'f() | B'],
  [
    'no word of a heading (Sphinx)',
    '<h1 id="m"><a href="#m"><code>ast</code></a> trees<a class="headerlink" href="#m">¶</a></h1>',
    'ast trees',
  ],
  ['no heading that is a link to itself', '<h2 id="a"><a href="#a">A</a></h2>', 'A'],
  ['no link to another place', '<h2 id="a">A <a href="#b">B</a></h2>', 'A B'],
  ['no link that is a word', '<p><a href="/c#x">C#</a></p>', 'C#'],
  // wikis
  [
    'edit links (MediaWiki)',
    '<h2><span>History</span><span class="mw-editsection"><span>[</span><a href="/e">edit</a><span>]</span></span></h2>',
    'History',
  ],
  ['what stays off paper', '<div class="noprint">From Garden wiki</div><p>A <span class="d-print-none">Copy link</span></p>', 'A'],
  ['no text that stays off paper', '<div class="no-print"><p>A</p></div><h2 class="hidden-print">B</h2>', 'A | B'],
  [
    'a panel of settings that stays off paper (phpMyAdmin)',
    '<p>A</p><div class="d-print-none"><img src="i.gif"><span>Console</span><label><input type="checkbox">Always expand all of the messages that were sent before, and the others</label></div>',
    'A',
  ],
  ['no picture that stays off paper by itself', '<p>A</p><div class="d-print-none"><img src="i.png" alt="B"> C</div>', 'A | C'],
  ['jump links (MediaWiki)', '<a class="mw-jump-link" href="#mw-head">Jump to navigation</a><p>A</p>', 'A'],
  ['edit buttons (DokuWiki)', '<p>A</p><div class="secedit editbutton_section"><form><button>Edit</button></form></div>', 'A'],
  [
    'the address for print (MediaWiki)',
    '<p>A</p><div class="printfooter">Retrieved from "<a href="https://x.test/w?oldid=9">https://x.test/w?oldid=9</a>"</div>',
    'A',
  ],
  ['no text that is called after print', '<div class="printfooter">Bring <a href="/a">a pen</a>.</div>', 'Bring a pen.'],
  [
    'a table of contents',
    '<div id="toc" class="toc"><h2>Contents</h2><ul><li><a href="#a">1 A</a></li><li><a href="#b">2 B</a></li></ul></div><p>C</p>',
    'C',
  ],
  [
    'a table of contents that shows its title alone',
    '<div id="dw__toc"><h3>Table of Contents</h3><div><ul><li><a href="#a">A</a></li></ul></div></div><p>B</p>',
    'B',
  ],
  ['the title over a table of contents', '<h2>Contents</h2><div class="toc"><ul><li><a href="#a">A</a></li></ul></div><p>B</p>', 'B'],
  [
    'no heading of a section that begins with a table of contents',
    '<h2>Tools</h2><div class="toc"><ul><li><a href="#a">A</a></li></ul></div><p>B</p>',
    'Tools | B',
  ],
  ['no list of chapters', '<div class="toc"><p>Contents</p><ul><li><a href="/a">A</a></li></ul></div>', 'Contents | A'],
  [
    'no box with text of its own',
    `<div class="toc"><a href="#a">A</a><p>${'words '.repeat(40)}</p></div>`,
    `A | ${'words '.repeat(40).trim()}`,
  ],
  // code
  ['a copy button in the frame of code', '<div class="language-js"><button class="copy">Copy</button><pre>x</pre></div>', 'x'],
  ['a copy button a box further', '<div><div><button>Copy</button></div><pre>x</pre></div>', 'x'],
  [
    'a copy element (GitHub)',
    '<div><pre>x</pre><div class="zeroclipboard-container"><clipboard-copy>Copy</clipboard-copy></div></div>',
    'x',
  ],
  [
    'a link that runs the code beside it (rustdoc)',
    '<div><pre>let a = [1];\na.len();</pre><a href="https://play.test/?code=fn%20main()%20%7B%0A%20%20let%20a%20%3D%20%5B1%5D%3B%0A%20%20a.len()%3B%0A%7D&amp;edition=2021">Run</a></div>',
    'let a = [1]; | a.len();',
  ],
  [
    'no link beside code to another place',
    '<div><pre>let a = [1];</pre><a href="/docs?code=other">Read on</a></div>',
    'let a = [1]; | Read on',
  ],
  ['a button without words in a heading', '<h1><span>A<button title="Copy"><img src="c.svg" alt="Copy path"></button></span></h1>', 'A'],
  ['no button in words in a heading', '<h2><button>A</button></h2>', 'A'],
  ['a sign that a script answers to', '<p>A <a href="javascript:void(0)">[<span>−</span>]</a></p>', 'A'],
  ['no button elsewhere', '<div><button>Buy</button><p>x</p></div>', 'Buy | x'],
  ['the name of the language before code', '<div class="language-js"><span class="lang">js</span><pre><code>x</code></pre></div>', 'x'],
  [
    'the language beside a copy button',
    '<div><div><span>Python</span><button>Copy</button></div><pre><code class="language-python">x</code></pre></div>',
    'x',
  ],
  ['no name of a file before code', '<div class="language-js"><span>a.js</span><pre>x</pre></div>', 'a.js | x'],
  ['no paragraph before code', '<p>js</p><pre class="language-js">x</pre>', 'js | x'],
  [
    'line numbers in a cell (Pygments)',
    '<table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>1\n2</pre></div></td><td class="code"><div><pre>x\ny</pre></div></td></tr></table>',
    'x | y',
  ],
  [
    'line numbers in a cell without a name',
    '<table><tr><td><pre>9\n10\n11</pre></td><td><pre>x\ny\nz</pre></td></tr></table>',
    'x | y | z',
  ],
  ['line numbers row by row (GitHub)', '<table><tr><td class="blob-num">1</td><td class="blob-code">x</td></tr></table>', 'x'],
  ['line numbers in the code (Chroma)', '<pre><span class="ln">1</span>x\n<span class="ln">2</span>y</pre>', 'x | y'],
  ['line numbers of sources (Doxygen)', '<div class="fragment"><div class="line"><span class="lineno">    1</span>x</div></div>', 'x'],
  [
    'no cell that only looks so',
    '<table><tr><td class="line-number">7a</td><td>x</td></tr><tr><td>1</td><td>2</td></tr></table>',
    '7a\tx | 1\t2',
  ],
];
for (const [promise, html, text] of CASES) test(`leaves out as told: ${promise}`, () => assert.equal(textOf(html), text));
