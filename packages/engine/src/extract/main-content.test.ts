import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnyNode } from 'domhandler';
import fc from 'fast-check';
import { blockText } from '../html/text.ts';
import { parseTree } from '../html/tree.ts';
import { BLOCKS_JUDGED_MAX } from './content/judge.ts';
import { findMainContent } from './main-content.ts';
import { FIXTURE_PAGES, paragraph } from './main-content.fixtures.ts';

const contentOf = (html: string, url = 'https://x.test/') => findMainContent(parseTree(html, url));
const textOf = (html: string) => contentOf(html).text;
const paragraphs = (count: number) => Array.from({ length: count }, (_, i) => `<p>${paragraph(i)}</p>`).join('');

for (const { type, html, url, wanted, unwanted } of FIXTURE_PAGES) {
  test(`keeps the content of a ${type} page and leaves its surroundings out`, () => {
    const { text } = contentOf(html, url);
    for (const piece of wanted) assert.ok(text.includes(piece), `lost: ${piece}`);
    for (const piece of unwanted) assert.ok(!text.includes(piece), `kept: ${piece}`);
  });
}

const NAMES = ['sidebar', 'widget', 'footer', 'top', 'side', 'popup', 'ad banner', 'comments', 'related', 'nav', 'hidden'];
for (const name of NAMES) {
  test(`a page whose whole content sits in a div called ${name} keeps it`, () => {
    const text = textOf(`<body><div id="${name.split(' ')[0]}" class="${name}"><h1>The bridge</h1>${paragraphs(6)}</div>`);
    for (let i = 0; i < 6; i++) assert.ok(text.includes(paragraph(i)), `lost paragraph ${i}`);
  });
}

const WHOLE: readonly (readonly [promise: string, html: string, text: string])[] = [
  ['keeps the only sentence of a page', '<p>Back soon.</p>', 'Back soon.'],
  ['keeps a page that is nothing but navigation', '<nav><a href="/a">One</a> <a href="/b">Two</a></nav>', 'One Two'],
  [
    'keeps a page whose text is all hidden',
    '<div style="display:none"><p>Loaded later by a script.</p></div>',
    'Loaded later by a script.',
  ],
  ['keeps what a reader without scripts is shown', '<div id="app"></div><noscript><p>The whole story.</p></noscript>', 'The whole story.'],
  ['gives empty text for an empty page', '', ''],
];
for (const [promise, html, text] of WHOLE) test(promise, () => assert.equal(textOf(html), text));

test('keeps closed folds only when the page is read with what is hidden', () => {
  const panel = (i: number) => `<div hidden><h3>Part ${i}</h3><p>${paragraph(i)}</p></div>`;
  const html = `<body><nav><a href="/">Home</a></nav><main><h1>The bridge</h1>${paragraphs(4)}${panel(5)}${panel(6)}</main>`;
  for (const includeHidden of [false, true]) {
    const { text } = findMainContent(parseTree(html, 'https://x.test/', { includeHidden }));
    assert.equal(text.includes(paragraph(5)), includeHidden);
  }
});

test('leaves out words that are hidden in the middle of a line', () => {
  const text = textOf(
    `<main><h1>The bridge</h1>${paragraphs(4)}<p>Seen <span style="display:none">UNSEEN</span> words, in a line of their own, end here.</p></main>`,
  );
  assert.ok(text.includes('Seen words'), text);
});

test('its text is the block text of its roots without the excluded nodes', () => {
  for (const { html, url } of FIXTURE_PAGES) {
    const { roots, excluded, text } = contentOf(html, url);
    assert.equal(blockText(roots, { excluded }), text);
  }
});

test('excludes the largest nodes possible, all of them below a root', () => {
  for (const { html, url } of FIXTURE_PAGES) {
    const { roots, excluded } = contentOf(html, url);
    for (const node of excluded) {
      const above: AnyNode[] = [];
      for (let parent = node.parent; parent; parent = parent.parent) above.push(parent);
      assert.ok(roots.some((root) => above.includes(root)));
      assert.ok(!above.some((parent) => excluded.has(parent)));
    }
  }
});

test('gives the same answer twice and leaves the tree as it was', () => {
  const tree = parseTree(FIXTURE_PAGES[0]?.html ?? '', 'https://x.test/');
  const before = blockText([tree.root]);
  assert.deepEqual(findMainContent(tree).text, findMainContent(tree).text);
  assert.equal(blockText([tree.root]), before);
});

test('is surer of an article than of a page of links', () => {
  const [article] = FIXTURE_PAGES;
  const links = Array.from({ length: 30 }, (_, i) => `<a href="/${i}">Link ${i}</a> `).join('');
  assert.ok(contentOf(article?.html ?? '', article?.url).confidence > contentOf(`<body><div>${links}</div>`).confidence);
});

test('a page with any shown text has content, whatever its markup', () => {
  const piece = fc.constantFrom(
    'word',
    '<div class="ad">',
    '</div>',
    '<nav>',
    '</nav>',
    '<p>some words here',
    '<aside>',
    '<table><tr><td>',
    '<form>',
    '<span hidden>',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const tree = parseTree(`<body>${pieces.join('')}`, 'https://x.test/');
      const { text, confidence } = findMainContent(tree);
      assert.ok(confidence >= 0 && confidence <= 1);
      if (blockText([tree.body]) !== '') assert.notEqual(text, '');
    }),
  );
});

test('reads 20,000 nested and repeated boxes without exhausting the stack', () => {
  assert.ok(textOf(`${'<div><a href="/x">'.repeat(10_000)}<p>${paragraph(1)}</p>`).includes(paragraph(1)));
});

test('reads a page of more blocks than it judges one by one', () => {
  const html = `<body><main>${Array.from({ length: BLOCKS_JUDGED_MAX + 500 }, (_, i) => `<p>Line ${i} of a very long log, kept in full.</p>`).join('')}</main>`;
  assert.ok(textOf(html).includes(`Line ${BLOCKS_JUDGED_MAX + 100} `));
});

test('takes no form of a menu for the content of a page that has another', () => {
  const settings = Array.from(
    { length: 12 },
    (_, i) => `<tr><th><label>Setting ${i}</label><small>${paragraph(i)}</small></th><td><input></td></tr>`,
  );
  const rows = ['Collation', 'Engine', 'Charset'].map((name) => `<tr><td>${name}</td><td>utf8mb4</td></tr>`).join('');
  const text = textOf(
    `<body><div id="app_navigation"><form method="post" action="/save"><table>${settings.join('')}</table></form></div>
     <div id="page"><h2>Databases</h2><table><tr><th>Name</th><th>Value</th></tr>${rows}</table></div></body>`,
  );
  assert.ok(text.includes('Collation'));
  assert.ok(!text.includes('Setting 3'));
});
