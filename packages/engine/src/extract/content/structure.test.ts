import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTree } from '../../html/tree.ts';
import { PageDocument } from '../../page/page-document.ts';
import { structuredPage } from '../structured-pages.fixtures.ts';
import type { Outline } from './outline.ts';
import { outlineOf } from './outline.ts';
import type { StructuredChoice } from './structure.ts';
import { completeUnits } from './structure.ts';
import type { TypeScores } from './features/type-scores.ts';
import { unitsOf } from './units.ts';
import { UNIT_RULES } from './generated/unit-rules.ts';

const documentOf = (html: string, url = 'https://x.test/') =>
  new PageDocument({ url, body: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8' });
const NAV = '<header><nav><a href="/">Home</a> <a href="/b">Beds</a></nav></header>';
const FOOTER = '<footer><p>© 2024 Garden club</p><a href="/privacy">Privacy</a></footer>';
const LEAD =
  '<p>These are the tools that every gardener needs in the first year. Keep them dry and clean, and oil the blades before winter.</p>';
const MORE =
  '<p>A good spade lasts for thirty years, and the one that was cheapest lasts for one. Look at the socket first, where the handle meets the blade.</p>' +
  '<p>Nobody needs more than six of them. What else is sold in the shops along the road is made for presents, and hangs in sheds.</p>';
const page = (content: string) => documentOf(`<title>Tools</title><body>${NAV}<main><h1>Tools</h1>${LEAD}${content}</main>${FOOTER}`);
const links = (names: string) =>
  names
    .split(' ')
    .map((name) => `<li><a href="/${name}">${name}</a></li>`)
    .join('');

const KEPT: readonly (readonly [promise: string, html: string, texts: readonly string[]])[] = [
  ['a list of links', `<ul>${links('Spade Fork Rake')}</ul>`, ['Spade', 'Fork', 'Rake']],
  [
    'a table whose names are links',
    `<table>${['Spade', 'Fork'].map((name) => `<tr><td><a href="/${name}">${name}</a><td>$9</tr>`).join('')}</table>`,
    ['Spade', 'Fork', '$9'],
  ],
  [
    'a term with its definition',
    '<dl><dt>till</dt><dd>To turn the soil.</dd><dt>hoe</dt><dd>Weed.</dd></dl>',
    ['till', 'To turn the soil.', 'hoe', 'Weed.'],
  ],
  ['a picture with its caption', '<figure><img src="a.png" alt=""><figcaption>A shed.</figcaption></figure>', ['a.png', 'A shed.']],
  ['an alert box', '<div class="alert" role="alert">Blades cut.</div>', ['Blades cut.']],
  [
    'code in a tab panel',
    '<div class="tabs"><div role="tabpanel"><pre>oil --blade</pre></div><div role="tabpanel"><pre>oil --all</pre></div></div>',
    ['oil --blade', 'oil --all'],
  ],
  [
    'a short list in an item, and code in an item',
    '<ul><li>Linux<ol><li>apt</li><li>dnf</li></ol></li><li>Mac<pre>brew</pre></li></ul>',
    ['apt', 'dnf', 'brew'],
  ],
  ['code in a cell', '<table><tr><th>Key<td><pre>x=1</pre></table>', ['x=1']],
  ['a quotation', '<blockquote>Sharp is safe.</blockquote>', ['Sharp is safe.']],
  ['the heading of a list', `<h2>Shop</h2><ul>${links('Spade Fork')}</ul>`, ['## Shop']],
];
for (const [what, html, texts] of KEPT) {
  test(`keeps ${what}`, () => {
    const markdown = page(html).markdown('main').replaceAll('\\', '');
    for (const text of texts) assert.ok(markdown.includes(text), `lost: ${text}\n${markdown}`);
  });
}

test('keeps equal rows, each of them', () => {
  const items = Array.from(
    { length: 12 },
    (_, i) => `<li><h3><a href="/${i}">Rake ${i}</a></h3><p>Rated ${3 + (i % 3)}.00 out of 5</p></li>`,
  );
  assert.equal(
    page(`<ul class="products">${items.join('')}</ul>`)
      .markdown('main')
      .match(/Rated /g)?.length,
    12,
  );
});

const LEFT: readonly (readonly [rule: string, html: string])[] = [
  ['landmark nav', `<nav><ul>${links('Spade Fork Rake')}</ul></nav>`],
  ['named related: related', `<div class="related-posts"><ul>${links('Spade Fork Rake')}</ul></div>`],
  ['language picker', '<ul><li><a href="/de" hreflang="de">Deutsch</a></li><li><a href="/fr" hreflang="fr">Français</a></li></ul>'],
];
for (const [rule, html] of LEFT) {
  test(`says why it leaves out: ${rule}`, () => {
    const { leftOut } = page(`${MORE}${html}`).content;
    assert.ok(
      leftOut.some((one) => one.rule === rule),
      JSON.stringify(leftOut.map((one) => one.rule)),
    );
  });
}

test('every unit is whole in the content or named as left out', () => {
  const { content } = page(`<ul>${links('Spade Fork')}</ul><nav><ul>${links('One Two')}</ul></nav>`);
  assert.deepEqual(
    content.leftOut.map(({ unit }) => unit.blocks.map((block) => block.text)),
    [['One', 'Two']],
  );
});

const DIALOG =
  '<x-dialog role="dialog" aria-modal="true"><h1>Welcome</h1><p>This shop is for learning how gardens grow, and it sends nothing, whatever you order here.</p><button>Close</button></x-dialog>';
const CONSENT =
  '<div id="cookie-consent"><p>We use cookies to remember what you looked at, to count visits and to show you what fits you best.</p><a href="#">Accept</a></div>';
for (const [name, html] of [
  ['a dialog', DIALOG],
  ['a consent banner', CONSENT],
] as const) {
  test(`${name} is not the content of a page that has another`, () => {
    const markdown = documentOf(
      `<body><div id="app"><h1>Log in</h1><div>Name</div><div>Word</div><a href="/new">New here?</a></div>${html}`,
    ).markdown('main');
    assert.match(markdown, /Log in/);
    assert.doesNotMatch(markdown, /Welcome|learning|cookies/);
  });
  test(`${name} is read where the page has nothing else`, () => {
    assert.match(documentOf(`<body>${html}`).text('main'), /learning|cookies/);
  });
}

test('keeps what a manual says about cookies', () => {
  const about =
    '<h1>Cookies</h1><section id="cookie-policy"><h2>CookieJar</h2><dl><dt id="jar.add_cookie_header">add_cookie_header(request)</dt><dd>Adds a header.</dd></dl></section>';
  const markdown = documentOf(`<body><div class="body">${about}${LEAD}</div>`).markdown('main').replaceAll('\\', '');
  assert.match(markdown, /add_cookie_header\(request\)/);
});

test('keeps the attributes of a product in a panel that a tab opens, though its name says tabs and not though it says comments', () => {
  const panel = (names: string) =>
    `<p>Oil it.</p><div role="tabpanel" ${names}><h2>More</h2><table><tr><td>Weight<td>2 kg</table></div><p>Dry it.</p>`;
  const types: TypeScores = { ...SURE, article: 0, product: 1 };
  const probabilities = [0.9, 0.15, 0.15, 0.9];
  for (const names of ['', 'class="shop-Tabs-panel panel" id="tab-more"', 'class="tab-content info"'])
    assert.deepEqual(completedTexts(panel(names), types, probabilities), ['Oil it.', 'More', 'Weight2 kg', 'Dry it.'], names);
  assert.deepEqual(completedTexts(panel('class="comments"'), types, probabilities), ['Oil it.', 'Dry it.']);
});

test('a product page says price, availability, article number and attributes', () => {
  const sentence = 'A washed lot from the slopes of the mountain, picked by hand and dried on raised beds for three weeks.';
  const markdown = documentOf(
    `<title>Kenya AA - Beans</title><body class="single-product">${NAV}<main><div class="product"><div class="summary"><h1>Kenya AA</h1>
    <p class="price"><span class="amount">$18.50</span></p><p>Bright and juicy.</p><p class="stock in-stock">7 in stock</p>
    <form class="cart"><button class="add_to_cart">Add to cart</button></form><div class="product_meta"><span class="sku_wrapper">SKU: <span class="sku">K-1002</span></span></div></div>
    <h2>Description</h2><p>${sentence}</p><table class="attributes"><tr><th>Weight</th><td>0.25 kg</td></tr><tr><th>Roast</th><td>Light</td></tr></table></div></main>${FOOTER}`,
    'https://beans.test/product/kenya-aa/',
  ).markdown('main');
  for (const text of ['$18.50', '7 in stock', 'K-1002', '0.25 kg', 'Light'])
    assert.ok(markdown.includes(text), `lost: ${text}\n${markdown}`);
  assert.doesNotMatch(markdown, /Privacy/);
});

const SURE: TypeScores = { article: 1, documentation: 0, service: 0, forum: 0, collection: 0, listing: 0, product: 0 };
const SECTIONS: readonly (readonly [promise: string, html: string, chosen: string, kept: readonly string[]])[] = [
  ['a heading whose section begins with what is left out', '<h2>Use</h2><p>Run</p><p>Oil it.</p>', 'Oil it.', ['Use', 'Oil it.']],
  ['the headings above it', '<h2>Use</h2><p>Run</p><h3>Oil</h3><p>Now.</p>', 'Now.', ['Use', 'Oil', 'Now.']],
  ['no heading of a section that is left out', '<h2>Ads</h2><p>Buy</p><h2>Use</h2><p>Oil.</p>', 'Oil.', ['Use', 'Oil.']],
  ['no title of a table of contents that is left out', '<h2>Contents</h2><p>Run</p><p>Oil it.</p>', 'Oil it.', ['Oil it.']],
  ['no heading of another box', '<div><h2>Ads</h2><p>Buy</p></div><p>Oil.</p>', 'Oil.', ['Oil.']],
];
for (const [promise, html, wanted, kept] of SECTIONS) {
  test(`keeps with a block ${promise}`, () => {
    const outline = outlineOf(parseTree(`<body>${html}`, 'https://x.test/'));
    const chosen = outline.blocks.map(({ text }) => text === wanted);
    const page = { outline, units: unitsOf(outline), probabilities: chosen.map(Number), types: SURE, headline: undefined };
    const { chosen: found } = completeUnits(page, chosen, UNIT_RULES);
    assert.deepEqual(
      outline.blocks.filter(({ index }) => found[index]).map(({ text }) => text),
      kept,
    );
  });
}

const MANUAL: TypeScores = { ...SURE, article: 0, documentation: 1 };
const LOOSE: readonly (readonly [promise: string, types: TypeScores, probabilities: readonly number[], kept: readonly string[]])[] = [
  ['keeps in a manual what the judges only doubt', MANUAL, [0.9, 0.2, 0.9], ['Oil it.', 'Since 2.0', 'Dry it.']],
  ['leaves out of a manual what the judges are sure of', MANUAL, [0.9, 0.05, 0.9], ['Oil it.', 'Dry it.']],
  ['leaves out of an article what the judges doubt', SURE, [0.9, 0.2, 0.9], ['Oil it.', 'Dry it.']],
];
for (const [promise, types, probabilities, kept] of LOOSE)
  test(promise, () => assert.deepEqual(completedTexts('<p>Oil it.</p><p>Since 2.0</p><p>Dry it.</p>', types, probabilities), kept));

test('a manual is content from its heading on, whatever the box of that is called', () => {
  const html = '<div class="header"><h1>Oil</h1><p>Package tools</p></div><ul><li>Part 1</li></ul><div><p>Oil it.</p><p>Dry it.</p></div>';
  const probabilities = [0.3, 0.12, 0.15, 0.9, 0.9];
  assert.deepEqual(completedTexts(html, MANUAL, probabilities), ['Oil', 'Package tools', 'Part 1', 'Oil it.', 'Dry it.']);
  assert.deepEqual(completedTexts(html, SURE, probabilities), ['Oil it.', 'Dry it.']);
});

test('keeps code between the heading of a page and its text, and no list', () => {
  const html =
    '<div><h1>Oil</h1><div><p>By Ann</p></div><h2>Synopsis</h2><pre>oil --blade</pre><ul><li>Share</li></ul><div><p>Oil it.</p><p>Dry.</p></div></div>';
  assert.deepEqual(completedTexts(html, SURE, [0.2, 0.1, 0.3, 0.16, 0.16, 0.9, 0.9]), ['Synopsis', 'oil --blade', 'Oil it.', 'Dry.']);
  const before = '<pre>logo</pre><div><h1>Oil</h1><p>Oil it.</p></div>';
  assert.deepEqual(completedTexts(before, SURE, [0.16, 0.9, 0.9]), ['Oil', 'Oil it.']);
});

test('leaves out the banner over the menu and the line of rights below the text', () => {
  const banner = '<div id="top"><table><tr><td><div>libflac 1.4</div><div>Lossless audio</div></table><div id="main-nav"></div></div>';
  const framed = (head: string, foot: string) => `${head}<div><p>Oil it.</p><p>Dry it.</p></div>${foot}`;
  const cases = [
    [framed(banner, 'Copyright (c) 2000-2009 J. Coalson'), ['Oil it.', 'Dry it.']],
    [framed('', '© 2003 The Foundation. All rights reserved.'), ['Oil it.', 'Dry it.']],
    [framed(banner.replace('main-nav', 'main'), ''), ['libflac 1.4', 'Lossless audio', 'Oil it.', 'Dry it.']],
    [framed(banner.replace('<td>', '<td><h2>Tools</h2>'), ''), ['Tools', 'libflac 1.4', 'Lossless audio', 'Oil it.', 'Dry it.']],
    [framed('', 'Copyright 1999 J. Doe. You may oil it.'), ['Oil it.', 'Dry it.', 'Copyright 1999 J. Doe. You may oil it.']],
    ['<div>Copyright 1999 J. Doe</div>', ['Copyright 1999 J. Doe']],
  ] as const;
  for (const [html, texts] of cases) {
    const likely = Array.from({ length: 6 }, () => 0.9);
    assert.deepEqual(completedTexts(html, MANUAL, likely), texts, html);
  }
  assert.deepEqual(
    completed(framed(banner, ''), MANUAL, [0.9, 0.9, 0.9, 0.9]).leftOut.map(({ rule }) => rule),
    ['banner over a menu'],
  );
});

test('keeps an aside unless the judges doubt it', () => {
  const html = '<p>Oil it.</p><aside><ul><li>A note</li></ul></aside><p>Dry it.</p>';
  assert.deepEqual(completedTexts(html, SURE, [0.9, 0.45, 0.9]), ['Oil it.', 'A note', 'Dry it.']);
  assert.deepEqual(completedTexts(html, SURE, [0.9, 0.15, 0.9]), ['Oil it.', 'Dry it.']);
});

test('keeps the heading over the heading of a manual page, which says what it is about', () => {
  const html = '<section><header><h3>Enumeration</h3><h1>Rake</h1><p>Print</p></header><p>Oil it.</p></section>';
  assert.deepEqual(completedTexts(html, MANUAL, [0.4, 0.4, 0.4, 0.9]), ['Enumeration', 'Rake', 'Oil it.']);
});

test('reads a page of a manual that is likelier a list from its heading on, and none that is likelier an article', () => {
  const html = '<div><h1>Rake</h1><p>1.0</p><p>Oil it.</p></div>';
  const likelihoods = [0.4, 0.4, 0.9];
  assert.deepEqual(completedTexts(html, { ...SURE, article: 0, documentation: 0.3, listing: 0.4 }, likelihoods), [
    'Rake',
    '1.0',
    'Oil it.',
  ]);
  assert.deepEqual(completedTexts(html, { ...SURE, article: 0.4, documentation: 0.3 }, likelihoods), ['Oil it.']);
});

/** What is kept of a page whose blocks are as likely as said, when those above a half were chosen. */
function completedTexts(html: string, types: TypeScores, probabilities: readonly number[]): readonly string[] {
  const { outline, chosen } = completed(html, types, probabilities);
  return outline.blocks.filter(({ index }) => chosen[index]).map(({ text }) => text);
}

function completed(html: string, types: TypeScores, probabilities: readonly number[]): StructuredChoice & { readonly outline: Outline } {
  const outline = outlineOf(parseTree(`<body>${html}`, 'https://x.test/'));
  const headline = outline.blocks.find(({ box }) => box.element.name === 'h1');
  const page = { outline, units: unitsOf(outline), probabilities, types, headline };
  const likely = probabilities.map((probability) => probability > 0.5);
  return { outline, ...completeUnits(page, likely, UNIT_RULES) };
}

const SEED = 8;
const PAGES = 150;
test(`generated pages of seed ${SEED} lose no row inside of main or article`, () => {
  for (let number = 0; number < PAGES; number++) {
    const { html, url, rows, isDeclared, recipe } = structuredPage(SEED, number);
    if (!isDeclared) continue;
    const markdown = documentOf(html, url).markdown('main').replaceAll('\\', '');
    const lost = rows.filter((row) => !markdown.includes(row));
    assert.deepEqual(lost, [], `page ${number}: ${recipe}`);
  }
});
