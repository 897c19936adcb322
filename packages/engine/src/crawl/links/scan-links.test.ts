import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Document, ParentNode } from 'domhandler';
import { isTag } from 'domhandler';
import { parseTree } from '../../html/tree.ts';
import { LinkMemo } from './link-memo.ts';
import { LinkResolver } from './link-resolver.ts';
import { scanLinks } from './scan-links.ts';

const URL_OF_PAGE = 'https://shop.test/docs/guide/page.html?x=1';

/** What the tree says: the targets of anchors and areas in order, without inert templates. */
function linksOfTree(html: string, url: string): readonly string[] {
  const tree = parseTree(html, url);
  const targets = new Set<string>();
  const pending: ParentNode[] = [tree.root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (isTag(node) && (node.name === 'a' || node.name === 'area') && node.attribs['href'] !== undefined) {
      const href = node.attribs['href'];
      const target = URL.parse(href, tree.baseUrl);
      // A mere place on the page is no link.
      if (target && /^https?:$/.test(target.protocol) && !/^[\t\n\f\r ]*(?:#|$)/.test(href)) {
        target.hash = '';
        targets.add(target.href);
      }
    }
    if (isTag(node) && node.name === 'template') continue;
    for (const child of node.children) if ('children' in child) pending.push(child as Document);
  }
  return [...targets].toSorted();
}

function scanned(html: string, url = URL_OF_PAGE): readonly string[] {
  const { links } = scanLinks(new TextEncoder().encode(html), url);
  return links
    .filter((link) => /^(?:anchor|area|next|prev)$/.test(link.kind))
    .map((link) => link.url)
    .toSorted();
}

const PAGES: readonly string[] = [
  '<a href="/a">x</a>',
  "<A HREF=/a>x</A><a href=b>y<a href='c'>z",
  '<a\nhref\t=\n"a"\n>',
  '<a href="a" href="b">',
  '<a class=x href=/a title="a > b" data-x>',
  '<a/href="a"/>',
  '<a href=a/><a href=b/c/>',
  '<a href="">self</a><a href="#top">top</a><a href="?page=2">2</a><a href=" # ">blank</a>',
  '<a href="a#b"><a href="a#c"><a href="a">',
  '<!-- <a href="no"> --><a href="yes">',
  '<!--><a href="yes">--><a href="yes2">',
  '<!---><a href="yes">-->',
  '<!-- <a href="no"> --!><a href="yes">',
  '<!-- a -- b > <a href="no"> --><a href="yes">',
  '<!- <a href="no-comment"> <a href="yes">',
  '<!-- never closed <a href="no">',
  '<!doctype html><a href="yes">',
  '<?xml version="1.0"?><!DOCTYPE html><html><a href="yes">',
  '<![CDATA[ <a href="x"> ]]><a href="yes">',
  '<script>document.write(\'<a href="no">\')</script><a href="yes">',
  '<script>if (a</script><a href="yes">',
  '<script><!-- <script> </script> <a href="no"> --></script><a href="yes">',
  '<script><!-- </script><a href="yes"> -->',
  '<script><!-- <script> --></script><a href="yes">',
  '<script>"</scripty>"<a href="no"></script ><a href="yes">',
  '<style>a::before{content:"<a href=no>"}</style><a href="yes">',
  '<textarea><a href="no"></textarea><a href="yes">',
  '<title><a href="no"></title><a href="yes">',
  '<xmp><a href="no"></xmp><iframe><a href="no"></iframe><noembed><a href="no"></noembed><noframes><a href="no"></noframes><a href="yes">',
  '<noscript><a href="yes"></noscript>',
  '<template><a href="no"><template><a href="no"></template><a href="no"></template><a href="yes">',
  '<plaintext><a href="no">',
  '<div title="<a href=no>"><a href="yes"></div>',
  '<div title=\'x\' data-a="1" b = "<a href=no>" c><a href="yes"></div>',
  '<div title=a"b><a href="yes">"',
  '<div =""><a href="yes">',
  '</div title="<a href=no>"><a href="yes">',
  '</ <a href="no">><a href="yes">',
  '< a href="no"><a href="yes">',
  '<abbr href="no"><address href="no"><a href="yes">',
  '<a-b href="no"><a href="yes">',
  '<map><area href="/area" shape=rect></map>',
  '<svg><a href="/svg"><text>x</text></a></svg>',
  '<a href="javascript:void(0)"><a href="mailto:a@b.test"><a href="tel:1"><a href="data:text/html,x"><a href="ftp://x.test/">',
  '<a href="  /blank  "><a href="\n/line\n"><a href="/in\nner"><a href="/in\tner2">',
  '<a href="/a b"><a href="/ä"><a href="/?q=ä&r=ü"><a href="/%E4"><a href="/日本">',
  '<a href="/a?x=1&amp;y=2"><a href="/a?x=1&y=3"><a href="/a?x=1&copy=2"><a href="/a?x=1&copy"><a href="/a?&lt;">',
  '<a href="/&#97;"><a href="/&#x62;"><a href="/&#99"><a href="/&eacute;"><a href="/&eacutex"><a href="/&unknown;"><a href="/&amp;amp;">',
  '<a href="/&AMP;a"><a href="/&#0;"><a href="/&#128;"><a href="/&;"><a href="/&#;"><a href="/&#x;">',
  '<a href="//other.test/a"><a href="///x"><a href="/\\b"><a href="\\\\c.test/d">',
  '<a href="http:rel"><a href="https:rel"><a href="HTTPS://SHOP.TEST/Up"><a href="https://shop.test"><a href="https://shop.test:443/p">',
  '<a href="https://user:pw@shop.test/p"><a href="http://127.0.0.1/"><a href="http://1/"><a href="http://a..b/"><a href="https://bücher.test/">',
  '<a href="./a"><a href="../b"><a href="../../c"><a href="../../../d"><a href="./../e"><a href=".././f"><a href="../"><a href=".."><a href=".">',
  '<a href="a/./b"><a href="a/../c"><a href="/x/../d"><a href="a..b"><a href=".hidden"><a href="/.well-known/x"><a href="/%2e%2e/y">',
  '<a href="..//x"><a href="./"><a href="../?q"><a href="?"><a href="?a#b"><a href="a:b"><a href="1:b"><a href="./a:b">',
  '<base href="/base/"><a href="a"><a href="../b"><a href="?c">',
  '<base target=_blank><base href="one/"><base href="two/"><a href="a">',
  '<base href="javascript:1"><a href="a">',
  '<a href="&#x68;ttps://shop.test/x"><a href="x\u00a0y"><a href="\u00a0z"><a href="x|y[z]^`{}">',
  "<a href=\"/q?a='b'&c=<d>&e=|\"><a href='/p\"q'>",
  '<a href="unclosed',
  '<a href="a"',
  '<a',
  '<',
  '',
  '<frameset><frame src="f"></frameset>',
  '\ufeff<a href="bom">',
  '<a\u000chref="ff"><a\u000bhref="vt">',
  '<p><a href="in-p"><table><a href="foster"><tr><td><a href="cell"></table>',
  '<ruby><rt><a href="deep"></ruby>',
];

test('finds exactly the links that the tree has, on pages that try to mislead', () => {
  for (const html of PAGES) assert.deepEqual(scanned(html), linksOfTree(html, URL_OF_PAGE), html);
});

test('agrees with the tree on every cut of a page', () => {
  const page = '<!-- c --><div a="b>" c=\'d\'><a x href="/one?a=1&amp;b=2">t</a><script>"<a href=no>"</script><a href=two>u</a></div>';
  for (let end = 0; end <= page.length; end++) {
    const html = page.slice(0, end);
    assert.deepEqual(scanned(html), linksOfTree(html, URL_OF_PAGE), html);
  }
});

test('finds the same with the memory of other pages as without, wherever a page lies', () => {
  const places = ['', 'index.html', 'docs/a.html', 'docs/b.html?q=1', 'docs/sub/', 'docs/sub/deep/c.html?x=1#y', 'docs'];
  const relative =
    '<a href=a><a href=./a><a href=../a><a href=/a><a href=?a><a href=//b.test/a><a href="a b"><a href=a&amp;b><a href=\u00e9>';
  const bases = ['', '<base href=/other/>', '<base href="https://b.test/x/">'];
  const pages = bases.flatMap((base) => [relative, ...PAGES].map((page) => new TextEncoder().encode(base + page)));
  const memo = new LinkMemo();
  for (const _turn of ['first', 'second']) {
    for (const place of places) {
      const url = `https://shop.test/${place}`;
      for (const bytes of pages) assert.deepEqual(scanLinks(bytes, url, { memo }), scanLinks(bytes, url));
    }
  }
});

test('lets a late base count for the whole page, as browsers do', () => {
  assert.deepEqual(scanned('<body><a href="before"><base href="/late/"><a href="after">'), [
    'https://shop.test/late/after',
    'https://shop.test/late/before',
  ]);
});

test('resolves by hand exactly as the URL standard does', () => {
  const bases = [
    'https://shop.test/',
    'https://shop.test/a',
    'https://shop.test/a/b/c?d=/e/f',
    'http://127.0.0.1:8080/x/y/',
    'https://a.co.uk/b//c/',
  ];
  const texts = PAGES.flatMap((html) => [...html.matchAll(/href=["']?([^"'>]*)/g)].map((match) => match[1] ?? ''));
  for (const base of bases) {
    const resolver = new LinkResolver(base);
    for (const text of texts) {
      const expected = URL.parse(text, base);
      const isPlace = /^[\0- ]*(?:#|$)/.test(text);
      if (expected) expected.hash = '';
      const wanted = expected && /^https?:$/.test(expected.protocol) && !isPlace ? expected.href : undefined;
      assert.equal(resolver.find(text), wanted, `${text} on ${base}`);
    }
  }
});

test('tells the kinds of links apart', () => {
  const html = `<head><link rel="canonical" href="/own"><link rel="NEXT" href="/p2"><link rel=alternate hreflang=de href="/de">
    <link rel="alternate stylesheet" href="/x.css"><link rel=icon href=/i.ico><meta http-equiv=refresh content="3; URL='/moved'">
    <meta name="robots" content="noindex"><meta name=ROBOTS content="nofollow"></head>
    <a href="/p2">2</a><a rel="nofollow ugc" href="/ad">ad</a><a rel="prev" href="/p0">0</a><iframe src="/frame"><a href=no></iframe>`;
  const page = scanLinks(new TextEncoder().encode(html), URL_OF_PAGE);
  assert.deepEqual(
    page.links.map((link) => `${link.kind} ${link.url.slice('https://shop.test'.length)} ${link.isNoFollow}`),
    ['next /p2 false', 'alternate /de false', 'refresh /moved false', 'anchor /ad true', 'prev /p0 false', 'frame /frame false'],
  );
  assert.equal(page.canonical, 'https://shop.test/own');
  assert.equal(page.robots, 'noindex, nofollow');
});

test('takes a link for the next page by its words or its arrow, in any language it knows', () => {
  const words = [
    'Next',
    'NEXT PAGE',
    'next &raquo;',
    '<b> Weiter</b>',
    'n\u00e4chste Seite',
    'suivant',
    'siguiente',
    '\u203a',
    '\u00bb',
    '&rsaquo;',
    '\u0421\u043b\u0435\u0434\u0443\u044e\u0449\u0430\u044f',
    '\u4e0b\u4e00\u9875',
  ];
  const kind = (text: string) => scanLinks(new TextEncoder().encode(`<a href="/2">${text}</a>`), URL_OF_PAGE).links[0]?.kind;
  for (const word of words) assert.equal(kind(word), 'next', word);
  for (const word of ['News', 'Neu', 'Order', 'Sweden', '', '<img>', 'Proxy', '&amp;', 'x']) assert.equal(kind(word), 'anchor', word);
});

test('keeps routes behind # only when asked', () => {
  const bytes = new TextEncoder().encode('<a href="#/cart"><a href="#!help"><a href="#top"><a href="/a#/b">');
  const urls = (hashRoutes: boolean) => scanLinks(bytes, 'https://app.test/?x', { hashRoutes }).links.map((link) => link.url);
  assert.deepEqual(urls(false), ['https://app.test/a']);
  assert.deepEqual(urls(true), ['https://app.test/?x#/cart', 'https://app.test/?x#!help', 'https://app.test/a#/b']);
});

test('reads addresses in the encoding of the page', () => {
  const latin = Uint8Array.from([...Buffer.from('<meta charset="iso-8859-1"><a href="/caf'), 0xe9, ...Buffer.from('">')]);
  assert.equal(scanLinks(latin, URL_OF_PAGE).links[0]?.url, 'https://shop.test/caf%C3%A9');
  assert.equal(scanLinks(latin, URL_OF_PAGE, { charset: 'windows-1251' }).links[0]?.url, 'https://shop.test/caf%D0%B9');
  assert.equal(scanLinks(latin, URL_OF_PAGE, { charset: 'no-such-charset' }).links[0]?.url, 'https://shop.test/caf%EF%BF%BD');
});

test('gives one hash to pages that differ only in links, scripts and attributes', () => {
  const hash = (html: string) => scanLinks(new TextEncoder().encode(html), URL_OF_PAGE).contentHash;
  const page = hash('<title>Shop</title><p>Blue cup</p><a href="/s/1/next">Next</a><img src="cup.png">');
  assert.equal(
    hash('<title>Shop</title>\n<p class=x>Blue  cup</p><a href="/s/2/next">Next</a><script>t=1</script><img src="cup.png" alt>'),
    page,
  );
  assert.notEqual(hash('<title>Shop</title><p>Red cup</p><a href="/s/1/next">Next</a><img src="cup.png">'), page);
  assert.notEqual(hash('<title>Shop</title><p>Blue cup</p><a href="/s/1/next">Next</a><img src="pot.png">'), page);
  assert.notEqual(hash('<title>Store</title><p>Blue cup</p><a href="/s/1/next">Next</a><img src="cup.png">'), page);
});

test('keeps at most so many targets and survives any bytes', () => {
  const html = Array.from({ length: 100 }, (_, i) => `<a href="/${i}">`).join('');
  assert.equal(scanLinks(new TextEncoder().encode(html), URL_OF_PAGE, { linksMax: 10 }).links.length, 10);
  let seed = 7;
  const noise = Uint8Array.from({ length: 50_000 }, () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) >>> 24);
  assert.ok(scanLinks(noise, URL_OF_PAGE).links.length >= 0);
  assert.ok(scanLinks(new TextEncoder().encode('<a href="x" '.repeat(20_000)), URL_OF_PAGE).links.length <= 1);
});

test('reads hostile pages in linear time', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const pages = [
    `<script>${'<script '.repeat(200_000)}`,
    `<script><!--${'<script </script '.repeat(100_000)}`,
    '<!--'.repeat(300_000),
    '<template>'.repeat(100_000),
    `<a href="${'&a;'.repeat(300_000)}">`,
    Array.from({ length: 50_000 }, (_, i) => `<a href="/&x${i};">`).join(''),
    '<a href=x><b y="'.repeat(80_000),
    `<base href="https://shop.test/${'a/'.repeat(20_000)}"><a href="../b">`,
  ];
  for (const page of pages) assert.ok(scanLinks(bytes(page), URL_OF_PAGE).links.length <= 20_000);
});

test('agrees with the tree on documentation pages, where they are unpacked', () => {
  const folder = process.env['SERVICE_TEST_PAGES'];
  if (!folder || !existsSync(folder)) return;
  const names = readdirSync(folder, { recursive: true }).map(String);
  for (const name of names.filter((file) => /\.html?$/.test(file)).slice(0, 300)) {
    const html: string = readFileSync(join(folder, name), 'utf8');
    assert.deepEqual(scanned(html), linksOfTree(html, URL_OF_PAGE), name);
  }
});
