import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTree } from '../../html/tree.ts';
import { compareAddress } from './address.ts';
import { findPaging } from './paging.ts';
import { directionOfIcon, directionOfTokens, readLabel } from './words.ts';

const OWN = 'https://shop.test/list?page=2';
const next = (html: string, url = OWN) => findPaging(parseTree(html, url)).next;

const FOUND: readonly [promise: string, html: string, path: string, own?: string][] = [
  ['a plain word', '<a href="?page=3">Next</a>', '/list?page=3'],
  ['a word with a sign', '<a href="?page=3">Next »</a>', '/list?page=3'],
  [
    'a bare sign between page numbers',
    '<a href="?page=1">1</a> <b>2</b> <a href="?page=3">3</a> <a href="?page=3&x=1">›</a>',
    '/list?page=3&x=1',
  ],
  [
    'a doubled sign that stands alone, over pages that count from 0 (Klaus)',
    '<div class="pagination"><a href="/kite/tree/main/?page=1">»»</a></div>',
    '/kite/tree/main/?page=1',
    'https://shop.test/kite/',
  ],
  ['German', '<a href="?page=3">Nächste Seite</a>', '/list?page=3'],
  ['French', '<a href="?page=3">Suivant</a>', '/list?page=3'],
  ['Russian', '<a href="?page=3">Вперёд</a>', '/list?page=3'],
  ['Japanese', '<a href="?page=3">次のページ</a>', '/list?page=3'],
  ['Chinese', '<a href="?page=3">下一页</a>', '/list?page=3'],
  ['Arabic', '<a href="?page=3">التالي</a>', '/list?page=3'],
  ['a picture with an alt text', '<a href="?page=3"><img src="x.gif" alt="next page"></a>', '/list?page=3'],
  ['a label for screen readers', '<a href="?page=3" aria-label="Next page"><svg></svg></a>', '/list?page=3'],
  ['an icon beside rel=next', '<a href="?page=3" rel="next"><i class="fa fa-angle-right"></i></a>', '/list?page=3'],
  ['a class on the list item', '<ul class="pagination"><li class="next"><a href="?page=3"><i></i></a></li></ul>', '/list?page=3'],
  [
    'older articles behind an arrow to the right',
    '<a class="next_posts" href="/blog/page/2">Older articles →</a>',
    '/blog/page/2',
    'https://shop.test/blog',
  ],
  ['Georgian', '<a href="?page=3">შემდეგი</a>', '/list?page=3'],
  ['Telugu', '<a href="?page=3">తదుపరి</a>', '/list?page=3'],
  ['Azerbaijani', '<a href="?page=3">Növbəti</a>', '/list?page=3'],
  ['Japanese with a count', '<a href="?page=3">次の20件</a>', '/list?page=3'],
  ['an icon font that writes a word', '<a href="?page=3"><i>navigate_next</i></a>', '/list?page=3'],
  ['the title of a drawn icon', '<a href="?page=3"><svg><title>Next page</title></svg></a>', '/list?page=3'],
  ['a label on the icon', '<a href="?page=3"><span aria-label="Next page"></span></a>', '/list?page=3'],
  [
    'a drawn icon that is used by name',
    '<div class="pager"><a href="?page=3"><svg><use xlink:href="#icon-chevron-right"/></svg></a></div>',
    '/list?page=3',
  ],
  [
    'a word with the sign for the last page',
    '<a href="/list?x=abc">Next >></a><a class="pager" href="?page=3">Next >></a>',
    '/list?page=3',
  ],
  ['a page number behind a button of a carousel', '<div class="carousel"><a class="next" href="?page=3">Next</a></div>', '/list?page=3'],
  [
    'a parameter of any name that counts',
    '<a href="/list?kat=3&hojaN=20">Next ></a>',
    '/list?kat=3&hojaN=20',
    'https://shop.test/list?kat=3',
  ],
  [
    'an unlabelled link beside the numbers that leads where the next number does',
    '<p><a href="/l/1">1</a> <b>2</b> <a href="/l/3">3</a> <a href="/l/4">4</a> <a href="/l/3"><img src="/x.gif"></a></p>',
    '/l/3',
    'https://shop.test/l/2',
  ],
  ['another host of the site', '<a href="https://shop.test/list?page=3">Next</a>', '/list?page=3', 'https://search.shop.test/list?page=2'],
  ['an address that a script would follow', '<a rel="next" class="next" href="javascript:;" data-href="/list?page=3"></a>', '/list?page=3'],
  [
    'a button that loads more and has an address',
    '<div class="load-more"><a class="btn" href="?page=3">Load more</a></div>',
    '/list?page=3',
  ],
  ['parameters that a semicolon separates', '<a href="/git?a=log;pg=2">next</a>', '/git?a=log;pg=2', 'https://shop.test/git?a=log;pg=1'],
  [
    'a path that numbers pages',
    '<a class="arrow" href="/news/page/3/" title="Next page"><i class="icon"></i></a>',
    '/news/page/3/',
    'https://shop.test/news/page/2/',
  ],
  ['a cursor instead of a number', '<div class="pager"><a href="/list?after=k3j">Next</a></div>', '/list?after=k3j'],
  ['the second part of an article', '<p><a href="/story-p2/">Next page: the second half</a></p>', '/story-p2/', 'https://shop.test/story/'],
  [
    'the second part of an article in another category',
    '<p><a href="/local/a-story-p2/">continued</a></p>',
    '/local/a-story-p2/',
    'https://shop.test/news/a-story/',
  ],
  [
    'words that name a page, whatever its address',
    '[Prev Page][<a href="/gauges/mail2.html">Next Page</a>]',
    '/gauges/mail2.html',
    'https://shop.test/gauges/maillist.html',
  ],
  [
    'one word above and below the list',
    '<div class="pager"><a href="/list?page=3&x=1">Next</a></div><div class="pager"><a href="?page=3">Next</a></div>',
    '/list?page=3&x=1',
  ],
];

for (const [promise, html, path, own] of FOUND) {
  test(`finds the next page by ${promise}`, () => assert.equal(next(html, own)[0], `https://shop.test${path}`));
}

const SILENT: readonly [promise: string, html: string, own?: string][] = [
  ['an empty page', ''],
  ['a link back', '<a href="?page=1">Previous</a>'],
  ['the next of anything', '<p><a href="/gauges/msg2.html">Next</a></p>', 'https://shop.test/gauges/msg1-of-ada.html'],
  ['a link back with an arrow', '<div class="pagination"><a class="page" href="?page=1">«</a></div>'],
  ['numbered links alone', '<div class="pagination"><a href="?page=1">1</a> 2 <a href="?page=3">3</a></div>'],
  ['a carousel', '<div class="carousel"><a class="next" href="/slide/2">Next</a></div>'],
  ['a calendar month', '<table class="calendar"><tr><td><a href="/2024/05">Next »</a></td></tr></table>'],
  [
    'the next article',
    '<div class="post-navigation"><a rel="next" href="/how-to-knit">Next: How to knit a very long winter scarf →</a></div>',
  ],
  ['a disabled link', '<a class="next disabled" href="?page=3">Next</a>'],
  ['a disabled list item', '<ul class="pagination"><li class="next disabled"><a href="/list">Next</a></li></ul>'],
  ['a product that is called so', '<ul class="pages"><li id="nav-next-js"><a href="/with/nextjs">Next.js</a></li></ul>'],
  ['the post after this one', '<div class="nav-posts"><a class="next-post" rel="next" href="/my-trip">Next post →</a></div>'],
  [
    'a button that loads more and has no address',
    '<div class="pager"><a class="next" href="#">Load more</a><button>Load more</button></div>',
  ],
  [
    'the next month',
    '<table class="calendar"><caption><a href="/2026/04/" title="Next month">April »</a></caption></table>',
    'https://shop.test/2026/03/',
  ],
  ['a link without an address', '<a class="next" href="#">Next</a>'],
  ['a link that runs a script', '<div class="pagination"><a class="next" href="javascript:go(3)">Next</a></div>'],
  ['the next thing by its number', '<a href="/view?id=13">Next ></a>', 'https://shop.test/view?id=12'],
  [
    'a word below each of many articles',
    `<div class="pages"><a href="?page=1">1</a> <b>2</b>${['a', 'b', 'c', 'd'].map((name) => `<h2>${name}</h2><a href="/${name}">Continue</a>`).join('')}</div>`,
  ],
  ['another site', '<a class="x" href="https://other.test/?page=3">Next</a>'],
  ['a "next" inside a sentence', '<a href="/offers">What we do next for you and your family</a>'],
];

for (const [promise, html, own] of SILENT) {
  test(`stays silent for ${promise}`, () => assert.deepEqual(next(html, own), []));
}

test('lists numbered pages in document order, once each', () => {
  const html =
    '<div><a href="?page=1">1</a><b>2</b><a href="?page=3">3</a><a href="?page=4">4</a><a href="?page=1099">1,099</a><a href="?page=3">3</a></div>';
  assert.deepEqual(
    findPaging(parseTree(html, OWN)).pages.map((url) => URL.parse(url)?.search),
    ['?page=1', '?page=3', '?page=4', '?page=1099'],
  );
});

test('leaves the days of a calendar and the sizes of a page out of the numbered pages', () => {
  const days =
    '<table><tr><td><a href="/20240501">1</a><td><a href="/20240502">2</a></table><p><a href="?limit=9">9</a> <a href="?limit=10">10</a>';
  assert.deepEqual(findPaging(parseTree(days, OWN)).pages, []);
});

const ONWARD: readonly [promise: string, html: string, own: string, path: string | undefined][] = [
  ['next', '<a href="?page=3">Next</a>', OWN, '/list?page=3'],
  [
    'older entries although the page calls them previous',
    '<nav class="navigation"><div class="nav-previous"><a href="/page/4/">← Older posts</a></div><div class="nav-next"><a href="/page/2/">Newer posts →</a></div></nav>',
    'https://shop.test/page/3/',
    '/page/4/',
  ],
  ['the number after its own', '<div class="pages"><a href="?page=1">1</a> 2 <a href="?page=3">3</a></div>', OWN, '/list?page=3'],
  ['the address that the head declares', '<link rel="next" href="/list?page=3">', OWN, '/list?page=3'],
  [
    'nowhere from an article, whatever its comments do',
    '<nav class="comment-navigation"><div class="nav-previous"><a href="/a/comment-page-2/">Older comments</a></div></nav>',
    'https://shop.test/a/',
    undefined,
  ],
  ['nowhere on the last page', '<div class="pages"><a href="?page=1">1</a> 2</div>', OWN, undefined],
];

for (const [promise, html, own, path] of ONWARD) {
  const expected = path === undefined ? undefined : `https://shop.test${path}`;
  test(`goes on to ${promise}`, () => assert.equal(findPaging(parseTree(html, own)).onward, expected));
}

const STEPS: readonly [candidate: string, own: string, step: string][] = [
  ['/a?page=2', '/a', 'following'],
  ['/a?page=3', '/a?page=2', 'following'],
  ['/a?page=9', '/a?page=2', 'later'],
  ['/a?page=1', '/a?page=2', 'earlier'],
  ['/a', '/a?page=2', 'earlier'],
  ['/a/page/2/', '/a/', 'following'],
  ['/a-2.html', '/a.html', 'following'],
  ['/a/p189', '/a/p188', 'following'],
  ['/a', '/a', 'same'],
  ['/b', '/a', 'elsewhere'],
  ['/x/a-p2/', '/y/a/', 'following'],
  ['/x/a-p2/', '/y/b/', 'elsewhere'],
  ['/git?p=x.git;a=log;pg=2', '/git?p=x.git;a=log;pg=1', 'following'],
  ['/git?p=x.git;a=log;pg=1', '/git?p=x.git;a=log', 'later'],
  ['/git?p=x.git;a=tree', '/git?p=x.git;a=log', 'elsewhere'],
  ['/jobs?next=47049744&n=31', '/jobs', 'following'],
  ['/list?after=k3j', '/list?after=a1b', 'following'],
  ['/2026/04/', '/2026/03/', 'elsewhere'],
  ['/archive/2025', '/archive/2024', 'elsewhere'],
  ['/login?next=%2Flist', '/login', 'elsewhere'],
  ['//other.test/a?page=2', '/a', 'foreign'],
];

for (const [candidate, own, step] of STEPS) {
  test(`sees ${candidate} as ${step} from ${own}`, () => {
    const base = 'https://shop.test/';
    assert.equal(compareAddress(new URL(candidate, base), new URL(own, base)), step);
  });
}

test('reads labels, class names and icons the way a person would', () => {
  assert.equal(readLabel('« Previous page').direction, 'previous');
  assert.equal(readLabel('Next 25 results').direction, 'next');
  assert.equal(readLabel('next of kin').direction, undefined);
  assert.equal(readLabel('>>').doubled, true);
  assert.deepEqual(next('<div class="pagination"><a href="?page=1">1</a> <b>2</b> <a href="?page=9">»»</a></div>'), []);
  assert.equal(next('<div class="pagination"><a href="?page=9">»»</a> <a href="?page=3">»</a></div>')[0], 'https://shop.test/list?page=3');
  assert.equal(directionOfTokens('nextpostslink'), 'next');
  assert.equal(directionOfTokens('prevnext'), undefined);
  assert.equal(directionOfTokens('context'), undefined);
  assert.equal(directionOfIcon('icon-chevron-left'), 'previous');
});
