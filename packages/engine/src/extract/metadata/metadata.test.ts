import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTree } from '../../html/tree.ts';
import { parseDate } from './dates.ts';
import { readStructuredData } from '../structured/structured.ts';
import { readMetadata } from './metadata.ts';

const read = (html: string) => {
  const tree = parseTree(html, 'https://news.test/a/b');
  return readMetadata(tree, readStructuredData(tree).jsonLd);
};
const jsonLd = (json: string) => `<script type="application/ld+json">${json}</script>`;

test('leaves out what a page does not state', () => {
  assert.deepEqual(read('<p>Hello'), { feeds: [], icons: [], keywords: [], robots: { noindex: false, nofollow: false } });
});

test('reads a page that states everything', () => {
  const metadata = read(`<html lang="pt_BR"><head><title> Tea
    time </title><meta name="description" content="All  about tea"><meta property="og:site_name" content="The Pot">
    <meta property="article:published_time" content="2024-05-01T10:00:00+02:00"><meta property="article:modified_time" content="2024-05-02">
    <meta name="author" content="By Ada Vale"><meta name="keywords" content="tea, pot, tea"><meta property="article:tag" content="cup">
    <meta property="og:image" content="/tea.jpg"><meta name="robots" content="NOINDEX, follow">
    <link rel="canonical" href="/tea"><link rel="alternate" type="application/rss+xml" title="News" href="/feed">
    <link rel="shortcut icon" href="/i.ico"><link rel="apple-touch-icon" sizes="180x180" href="/t.png"></head>`);
  assert.deepEqual(metadata, {
    title: 'Tea time',
    description: 'All about tea',
    author: 'Ada Vale',
    site_name: 'The Pot',
    published_at: '2024-05-01T10:00:00+02:00',
    modified_at: '2024-05-02',
    language: 'pt-BR',
    canonical: 'https://news.test/tea',
    feeds: [{ url: 'https://news.test/feed', type: 'application/rss+xml', title: 'News' }],
    icons: [
      { url: 'https://news.test/i.ico', rel: 'icon' },
      { url: 'https://news.test/t.png', rel: 'apple-touch-icon', sizes: '180x180' },
    ],
    image: 'https://news.test/tea.jpg',
    keywords: ['tea', 'pot', 'cup'],
    robots: { noindex: true, nofollow: false },
  });
});

const ONE: readonly [
  promise: string,
  html: string,
  field: 'title' | 'author' | 'published_at' | 'modified_at' | 'language' | 'image' | 'canonical',
  expected: string | undefined,
][] = [
  ['og:title without a title', '<meta property="og:title" content="Tea">', 'title', 'Tea'],
  ['the heading without either', '<h1>Tea</h1>', 'title', 'Tea'],
  ['no title of a drawing', '<svg><title>Icon</title></svg>', 'title', undefined],
  ['JSON-LD', jsonLd('{"@type":"NewsArticle","author":[{"name":"Ada"},{"name":"Bo"}]}'), 'author', 'Ada, Bo'],
  [
    'JSON-LD by reference',
    jsonLd('{"@graph":[{"@type":"Article","author":{"@id":"#p"}},{"@id":"#p","@type":"Person","name":"Ada"}]}'),
    'author',
    'Ada',
  ],
  ['JSON-LD with a trailing comma and raw line breaks', jsonLd('{"@type":"Article","author":"Ada\n Vale",}'), 'author', 'Ada Vale'],
  ['JSON-LD in a comment', jsonLd('<!-- {"@type":"Article","author":"Ada"} -->'), 'author', 'Ada'],
  ['the article before the web page', jsonLd('[{"@type":"WebPage","author":"Site"},{"@type":"Article","author":"Ada"}]'), 'author', 'Ada'],
  ['no broken JSON-LD', jsonLd('{"@type":"Article","author":'), 'author', undefined],
  ['no address for a name', '<meta property="article:author" content="https://social.test/ada">', 'author', undefined],
  ['a stated author', '<span itemprop="author"><a href="/u/1">user47</a> 12 badges</span>', 'author', 'user47'],
  ['a byline', '<div class="byline">By Ada Vale | 3 min</div>', 'author', 'Ada Vale'],
  ['no byline of a comment', '<div class="comment"><span class="author">Bo Rook</span></div>', 'author', undefined],
  ['no sentence for a name', '<div class="author">Read more about us</div>', 'author', undefined],
  [
    'a marked time',
    '<time class="updated" datetime="2024-06-01">x</time><time class="published" datetime="2024-05-01">y</time>',
    'published_at',
    '2024-05-01',
  ],
  ['a written day', '<span class="post-date">Posted on May 3rd, 2024</span>', 'published_at', '2024-05-03'],
  ['JSON-LD', jsonLd('{"@type":"Article","dateModified":"2024-05-01T08:00Z"}'), 'modified_at', '2024-05-01T08:00:00Z'],
  ['no placeholder', '<html lang="{{lang}}">', 'language', undefined],
  ['og:locale', '<meta property="og:locale" content="en_GB">', 'language', 'en-GB'],
  ['a picture of JSON-LD', jsonLd('{"@type":"Product","image":[{"url":"/p.png"}]}'), 'image', 'https://news.test/p.png'],
  ['no canonical script', '<link rel="canonical" href="javascript:1">', 'canonical', undefined],
];

for (const [promise, html, field, expected] of ONE) test(`takes ${field} from ${promise}`, () => assert.equal(read(html)[field], expected));

test('reads none as noindex and nofollow', () => {
  assert.deepEqual(read('<meta name="Robots" content="none">').robots, { noindex: true, nofollow: true });
});

const DATES: readonly [text: string, expected: string | undefined][] = [
  ['2024-05-01', '2024-05-01'],
  ['2024-5-1 9:05', '2024-05-01T09:05:00'],
  ['2024-05-01T10:00:00.123Z', '2024-05-01T10:00:00Z'],
  ['2024-05-01T10:00:00+0530', '2024-05-01T10:00:00+05:30'],
  ['2024-05-01T10:00:00+05', '2024-05-01T10:00:00+05:00'],
  ['20240501', '2024-05-01'],
  ['2024/05/01', '2024-05-01'],
  ['Wed, 01 May 2024 10:00:00 GMT', '2024-05-01T10:00:00Z'],
  ['1 May 2024', '2024-05-01'],
  ['May 1st, 2024', '2024-05-01'],
  ['01/02/2024', undefined],
  ['2024-02-30', undefined],
  ['yesterday', undefined],
  ['', undefined],
];

for (const [text, expected] of DATES) test(`reads "${text}" as ${expected ?? 'no date'}`, () => assert.equal(parseDate(text), expected));
