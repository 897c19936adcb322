import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTree } from '../html/tree.ts';
import { findClusters } from './group/clusters.ts';
import { findRecordLists } from './detect.ts';
import { recordListFromJson } from './json.ts';
import { Shapes } from './survey/shape.ts';
import { surveyPage } from './survey/survey.ts';

const URL_OF_PAGE = 'https://shop.test/list';
const NAV = `<nav class="menu"><ul>${['Home', 'Products', 'Company', 'Careers', 'Contact', 'Help'].map((name) => `<li><a href="/${name}">${name}</a></li>`).join('')}</ul></nav>`;
const FOOTER = `<footer><div class="col"><h4>Service</h4><a href="/s1">Returns and refunds</a><a href="/s2">Delivery times</a><a href="/s3">Payment</a></div>
<div class="col"><h4>About us</h4><a href="/a1">Our long and winding story</a><a href="/a2">Press and partners</a><a href="/a3">Jobs</a></div></footer>`;
const THINGS = ['Oak desk', 'Steel lamp', 'Wool rug', 'Glass vase', 'Pine shelf', 'Clay pot', 'Linen sofa', 'Iron bench', 'Brass clock'];

function page(main: string): string {
  return `<!doctype html><title>List</title><body>${NAV}<main>${main}</main>${FOOTER}</body>`;
}

function topTexts(html: string): string[] {
  return findRecordLists(parseTree(html, URL_OF_PAGE))[0]?.items.map(({ text }) => text) ?? [];
}

const product = (name: string, i: number, cls = 'product') =>
  `<div class="${cls}"><a href="/p/${i}"><img src="/i/${i}.jpg" alt=""></a><h3><a href="/p/${i}">${name}</a></h3><span class="price">$${i + 10}.50</span></div>`;
const productTexts = THINGS.map((name, i) => `${name} $${i + 10}.50`);

const kinds: readonly (readonly [name: string, html: string, texts: readonly string[]])[] = [
  ['a product grid', page(`<div class="grid">${THINGS.map((name, i) => product(name, i)).join('')}</div>`), productTexts],
  [
    'a product grid cut into rows',
    page(
      [0, 3, 6]
        .map(
          (from) =>
            `<div class="row">${THINGS.slice(from, from + 3)
              .map((name, i) => product(name, from + i))
              .join('')}</div>`,
        )
        .join(''),
    ),
    productTexts,
  ],
  [
    'a product grid in a layout table without classes',
    page(
      `<table>${[0, 3, 6]
        .map(
          (from) =>
            `<tr>${THINGS.slice(from, from + 3)
              .map((name, i) => `<td><a href="/p/${from + i}"><img src="/${i}.png">${name}</a><br><b>$${from + i + 10}.50</b></td>`)
              .join('')}</tr>`,
        )
        .join('')}</table>`,
    ),
    productTexts,
  ],
  [
    'one list whose first records are advertisements with classes of their own',
    page(
      `<div class="results"><div class="box-a">${product(THINGS[0] as string, 0, 'product ad-top')}${product(THINGS[1] as string, 1, 'product ad-top')}</div>${THINGS.slice(
        2,
      )
        .map((name, i) => product(name, i + 2, 'product regular'))
        .join('')}</div>`,
    ),
    productTexts,
  ],
  [
    'a news front in two sections',
    page(
      [0, 4]
        .map(
          (from) =>
            `<section><h2>Part ${from}</h2>${THINGS.slice(from, from + 4)
              .map(
                (name, i) =>
                  `<article class="story"><h3><a href="/n/${from + i}">${name} makes the news again today</a></h3><p>Why the ${name} matters to many people this week.</p></article>`,
              )
              .join('')}</section>`,
        )
        .join(''),
    ),
    THINGS.slice(0, 8).map((name) => `${name} makes the news again today Why the ${name} matters to many people this week.`),
  ],
  [
    'a job board',
    page(
      `<ul class="jobs">${THINGS.map((name, i) => `<li><a href="/job/${i}">Maker of ${name}</a><div>Workshop ${i}, Berlin</div><p>We look for someone who makes a ${name} with care.</p><time>2026-03-0${i + 1}</time></li>`).join('')}</ul>`,
    ),
    THINGS.map((name, i) => `Maker of ${name} Workshop ${i}, Berlin We look for someone who makes a ${name} with care. 2026-03-0${i + 1}`),
  ],
  [
    'a forum thread with quotes inside posts',
    page(
      THINGS.slice(0, 5)
        .map(
          (name, i) =>
            `<article class="post"><div class="who"><a href="/u/${i}">user${i}</a></div><div class="what"><blockquote>Someone said before.</blockquote><p>I think the ${name} is worth every cent, and have used it for years.</p><p>Second thought ${i}.</p></div></article>`,
        )
        .join(''),
    ),
    THINGS.slice(0, 5).map(
      (name, i) =>
        `user${i} Someone said before. I think the ${name} is worth every cent, and have used it for years. Second thought ${i}.`,
    ),
  ],
  [
    'a table with a header row, the header left out',
    page(
      `<table><tr><th>Name</th><th>Price</th><th>Stock</th></tr>${THINGS.map((name, i) => `<tr><td><a href="/p/${i}">${name}</a></td><td>$${i}.00</td><td>${i * 3}</td></tr>`).join('')}</table>`,
    ),
    THINGS.map((name, i) => `${name} $${i}.00 ${i * 3}`),
  ],
  [
    'a directory listing',
    `<body><h1>Index of /pub</h1><table>${THINGS.map((name, i) => `<tr><td><a href="${i}.tar.gz">${name.toLowerCase().replace(' ', '-')}.tar.gz</a></td><td>2026-01-0${i + 1} 10:0${i}</td><td>${i + 2}M</td></tr>`).join('')}</table></body>`,
    THINGS.map((name, i) => `${name.toLowerCase().replace(' ', '-')}.tar.gz 2026-01-0${i + 1} 10:0${i} ${i + 2}M`),
  ],
  [
    'a directory listing in lines of preformatted text',
    `<body><h1>Index of /pub</h1><pre><img src="/blank.gif"> <a href="?C=N">Name</a>   <a href="?C=M">Last modified</a>   <a href="?C=S">Size</a><hr>${THINGS.map(
      (name, i) => `<img src="/file.gif"> <a href="${i}.zip">${name.replace(' ', '-')}.zip</a>      2026-01-0${i + 1} 10:3${i}   1.${i}M\n`,
    ).join('')}</pre></body>`,
    THINGS.map((name, i) => `${name.replace(' ', '-')}.zip 2026-01-0${i + 1} 10:3${i} 1.${i}M`),
  ],
  [
    'links with a line of text behind each',
    page(
      `<div>${THINGS.map((name, i) => `<a href="/l/${i}">${name}</a><br>The story of a ${name} that stood in a house.<br><br>`).join('\n')}</div>`,
    ),
    THINGS.map((name) => `${name} The story of a ${name} that stood in a house.`),
  ],
  [
    'a plain list of links in the middle of the page',
    page(`<ul>${THINGS.map((name, i) => `<li><a href="/r/${i}">The complete guide to choosing a ${name}</a></li>`).join('')}</ul>`),
    THINGS.map((name) => `The complete guide to choosing a ${name}`),
  ],
  [
    'a definition list, term and definition together',
    page(`<dl>${THINGS.map((name) => `<dt>${name}</dt><dd>What a ${name} is good for in a house.</dd>`).join('')}</dl>`),
    THINGS.map((name) => `${name} What a ${name} is good for in a house.`),
  ],
  [
    'a definition list whose terms are of several kinds, each with its own definition',
    page(
      `<dl>${THINGS.map((name, i) => `<dt class="${i < 2 ? 'news' : i < 4 ? 'talk' : i < 7 ? 'issue' : 'wiki'}"><a href="/r/${i}">${name}</a></dt><dd>What a ${name} is good for in a house, and what not.</dd>`).join('')}</dl>`,
    ),
    THINGS.map((name) => `${name} What a ${name} is good for in a house, and what not.`),
  ],
  [
    'a flat run of heading and paragraph, without the pages below it',
    page(
      `${THINGS.map((name, i) => `<h3><a href="/b/${i}">${name}</a></h3><p>All that we know of the ${name}, in short.</p>`).join('')}<div class="pagination"><a href="?page=2">2</a><a href="?page=3">3</a></div>`,
    ),
    THINGS.map((name) => `${name} All that we know of the ${name}, in short.`),
  ],
  [
    'records with lists inside, the outer ones',
    page(
      THINGS.slice(0, 4)
        .map(
          (name, i) =>
            `<div class="recipe"><h2><a href="/c/${i}">How to build a ${name}</a></h2><ul><li>${i + 3} boards</li><li>${i + 5} screws</li><li>glue</li></ul></div>`,
        )
        .join(''),
    ),
    THINGS.slice(0, 4).map((name, i) => `How to build a ${name} ${i + 3} boards ${i + 5} screws glue`),
  ],
  [
    'search results beside facets and above pages',
    page(
      `<div class="facets"><ul>${THINGS.map((name, i) => `<li><a href="?f=${i}">${name} (${i})</a></li>`).join('')}</ul></div><ol class="results">${THINGS.map((name, i) => `<li><h3><a href="/x/${i}">${name} in detail</a></h3><cite>site.test/x/${i}</cite><p>The ${name} is described here at some length.</p></li>`).join('')}</ol><div class="pager">${[1, 2, 3, 4, 5].map((n) => `<a href="?p=${n}">${n}</a>`).join('')}</div>`,
    ),
    THINGS.map((name, i) => `${name} in detail site.test/x/${i} The ${name} is described here at some length.`),
  ],
  [
    'what a page keeps in <noscript> for readers without scripts',
    `<body><div id="app"></div><noscript>${THINGS.map((name, i) => `<div class="topic"><a href="/t/${i}">${name}</a> <span>${i} replies</span></div>`).join('')}</noscript></body>`,
    THINGS.map((name, i) => `${name} ${i} replies`),
  ],
];

for (const [name, html, texts] of kinds) {
  test(`finds ${name}`, () => {
    assert.deepEqual(topTexts(html), texts);
  });
}

test('finds a gallery without text, and takes what the pictures show as titles', () => {
  const gallery = THINGS.map((name, i) => `<a class="shot" href="/g/${i}"><img src="/t/${i}.jpg" alt="${name}"></a>`).join('');
  const [list] = findRecordLists(parseTree(page(`<div class="gallery">${gallery}</div>`), URL_OF_PAGE));
  assert.deepEqual(
    list?.items.map(({ fields }) => [fields['title']].flat()[0]?.raw),
    THINGS,
  );
});

test('leaves out what the markup hides', () => {
  const list = THINGS.map(
    (name, i) => `<li${i === 2 ? ' style="display: none"' : ''}><a href="/${i}">${name} and more of it</a></li>`,
  ).join('');
  assert.equal(topTexts(page(`<ul>${list}</ul>`)).length, THINGS.length - 1);
});

test('takes neither the cells of a single row nor the names of its columns for a list', () => {
  const cells = THINGS.map((name, i) => `<td class="col-${i} type">${name}</td>`);
  const names = cells.map((_, i) => `<th class="col-${i}">Column ${i}</th>`);
  const table = (head: string) => `<title>17</title><h1>17</h1><table>${head}<tbody><tr>${cells.join('')}</tr></tbody></table>`;
  assert.deepEqual(topTexts(table('')), THINGS);
  assert.deepEqual(topTexts(table(`<thead><tr>${names.join('')}</tr></thead>`)), []);
});

test('finds nothing where nothing repeats, and at most ten lists', () => {
  assert.deepEqual(findRecordLists(parseTree('<p>One paragraph.</p>', URL_OF_PAGE)), []);
  assert.deepEqual(findRecordLists(parseTree('', URL_OF_PAGE)), []);
  const many = Array.from(
    { length: 30 },
    (_, i) => `<ul class="${String.fromCharCode(97 + (i % 26)).repeat(3)}">${'<li>An entry of this list</li>'.repeat(5)}</ul>`,
  ).join('');
  assert.ok(findRecordLists(parseTree(many, URL_OF_PAGE)).length <= 10);
});

test('does not change the tree', () => {
  const html = page(`<div>${THINGS.map((name, i) => product(name, i)).join('')}</div>`);
  const tree = parseTree(html, URL_OF_PAGE);
  const before = tree.body.children.length;
  findRecordLists(tree)[0]?.items.at(0);
  assert.equal(tree.body.children.length, before);
});

test('gives a selector that finds the items, and none for flat runs', () => {
  const [grid] = findRecordLists(
    parseTree(page(`<div class="grid">${THINGS.map((name, i) => product(name, i)).join('')}</div>`), URL_OF_PAGE),
  );
  assert.equal(grid?.selector, 'div.product');
  const [run] = findRecordLists(
    parseTree(page(`<dl>${THINGS.map((name) => `<dt>${name}</dt><dd>Long ${name} text here.</dd>`).join('')}</dl>`), URL_OF_PAGE),
  );
  assert.equal(run?.selector, undefined);
  assert.deepEqual(
    run?.nodes[0]?.map(({ name }) => name),
    ['dt', 'dd'],
  );
});

test('survives deep nesting and thousands of siblings', () => {
  assert.ok(findRecordLists(parseTree(`${'<div>'.repeat(3000)}<p>a</p><p>b</p>`, URL_OF_PAGE)));
  const [list] = findRecordLists(parseTree(`<ul>${'<li><a href="/a">A link to read</a></li>'.repeat(20_000)}</ul>`, URL_OF_PAGE));
  assert.equal(list?.nodes.length, 20_000);
});

test('ranks a list from structured data by how much of it the page shows', () => {
  const tree = parseTree(page(`<div>${THINGS.map((name, i) => product(name, i)).join('')}</div>`), URL_OF_PAGE);
  const listOf = (names: readonly string[]) =>
    recordListFromJson(
      names.map((name, i) => ({ name, price: i, url: `/p/${i}` })),
      'state',
    );
  const shown = listOf(THINGS);
  const unseen = listOf(THINGS.map((name) => `${name} elsewhere`));
  assert.ok(shown && unseen);
  const ranked = findRecordLists(tree, { extra: [unseen, shown] }).filter(({ source }) => source === 'state');
  assert.equal(ranked[0]?.items[0]?.text, 'Oak desk 0');
  assert.ok((ranked[0]?.score ?? 0) > (ranked[1]?.score ?? -Infinity));
});

test('lines up thousands of records that share little', () => {
  const odd = Array.from(
    { length: 4000 },
    (_, i) =>
      `<li class="hit"><a href="/${i}">Entry ${i}</a><b class="u${'abcdefghij'[i % 10]}${'klmnopqrst'[((i / 10) % 10) | 0]}${'uvwxyz'[((i / 100) % 6) | 0]}">x ${i}</b></li>`,
  );
  const [list] = findRecordLists(parseTree(`<ul>${odd.join('')}</ul>`, URL_OF_PAGE));
  assert.deepEqual(
    list?.fields.map(({ name }) => name),
    ['url', 'title', 'field_3'],
  );
});

const LISTINGS: readonly (readonly [name: string, html: string])[] = [
  [
    'a table',
    `<table><tr><th><a href="?C=N">Name</a></th><th>Size</th></tr><tr><td><a href="/pub/">Parent Directory</a></td><td>-</td></tr>${['a', 'b', 'c', 'd'].map((name) => `<tr><td><a href="${name}.zip">${name}.zip</a></td><td>4K</td></tr>`).join('')}</table>`,
  ],
  [
    'lines',
    `<pre><a href="../">../</a>\n${['a', 'b', 'c', 'd'].map((name) => `<a href="${name}.zip">${name}.zip</a>      01-Jan-2026 10:00     4K\n`).join('')}</pre>`,
  ],
  [
    'a list',
    `<ul><li><a href="../">..</a></li>${['a', 'b', 'c', 'd'].map((name) => `<li><a href="./${name}.zip">${name}.zip</a></li>`).join('')}</ul>`,
  ],
];

for (const [name, html] of LISTINGS) {
  test(`leaves the folder above out of a listing in ${name}`, () => {
    const [list] = findRecordLists(parseTree(`<h1>Index of /pub/files</h1>${html}`, 'https://site.test/pub/files/'));
    assert.deepEqual(
      list?.items.map(({ text }) => text.slice(0, 5)),
      ['a.zip', 'b.zip', 'c.zip', 'd.zip'],
    );
  });
}

test('does not merge records that are equal', () => {
  const votes = '<div class="vote"><b>Rated 4 out of 5</b><p>by a customer of the shop</p></div>'.repeat(6);
  const html = `<section><h2>This year</h2>${votes}</section><section><h2>Last year</h2>${votes}</section>`;
  const clusters = findClusters(surveyPage(parseTree(page(html), URL_OF_PAGE)), new Shapes());
  assert.ok(clusters.some(({ items }) => items.length === 12));
});

test('does not call a field after the space round it', () => {
  const posts = ['Rakes', 'Hoes', 'Spades', 'Forks', 'Shears'].map(
    (name, i) =>
      `<article><h2><a href="/${i}">${name} of the year</a></h2><div class="box_x7Kq margin-vert--md">One minute, ${i} words</div></article>`,
  );
  const [list] = findRecordLists(parseTree(page(`<main>${posts.join('')}</main>`), URL_OF_PAGE));
  assert.deepEqual(
    list?.fields.map(({ name }) => name),
    ['url', 'title', 'field_3'],
  );
});
