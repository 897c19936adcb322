import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTag } from 'domhandler';
import { PageError } from '../../errors.ts';
import { parseTree } from '../tree.ts';
import { resolveInJson, resolveSelector } from './resolve.ts';
import { parseSelector } from './selector.ts';

const PAGE = `<!doctype html><html><head><title>Shop</title><meta name="description" content="Tea and more">
  <script type="application/json" id="state">{"items":[{"name":"Green","price":4.5},{"name":"Black","price":3}]}</script>
  <script>window.__DATA__ = {"user": {"name": "Ada; {x}"}};</script>
  <script>let cart = {lines: [{sku: 'G-1', price: 9}],}; self["totals"] = JSON.parse('{"sum": 9.5}');</script></head>
<body><header><nav aria-label="Main"><a href="/a">Home</a> <a href="/b" class="x">Offers</a></nav></header>
<main><h1>Tea <em>of the day</em></h1>
  <ul id="list"><li class="item">Green<span class="price">4.50 €</span></li><li class="item">Black<span class="price">3.00 €</span></li></ul>
  <dl><dt>Origin:</dt><dd>Assam</dd></dl>
  <table><tr><th>Weight</th><td>100 g</td></tr></table>
  <p><b>Stock:</b> <span>12 left</span></p>
  <form><label for="q">Quantity</label><input id="q" name="qty" value="2"><button>Buy <b>now</b></button><input type="submit" value="Reserve"></form>
  <svg><use xlink:href="#leaf"></use></svg><img src="/t.png" alt="A cup">
  <template><li class="item">Hidden</li></template></main></body></html>`;
const TREE = parseTree(PAGE, 'https://shop.test/tea');
const values = (selector: string) => resolveSelector(parseSelector(selector), TREE).matches.map(({ value }) => value);

const FOUND: readonly [selector: string, expected: readonly string[]][] = [
  ['.price', ['4.50 €', '3.00 €']],
  ['css/li.item:nth-child(2) > .price', ['3.00 €']],
  ['li:has(.price):not(:first-child)', ['Black3.00 €']],
  ['.missing', []],
  ['#q', ['2']],
  ['meta[name=description]', ['Tea and more']],
  ['img', ['A cup']],
  ['title', ['Shop']],
  ['//li[@class="item"]/span', ['4.50 €', '3.00 €']],
  ['xpath/(//span[@class="price"])[last()]', ['3.00 €']],
  ['(//li)[1]/text()', ['Green']],
  ['//a/@href', ['/a', '/b']],
  ['//li[contains(., "Black")]/span[1]', ['3.00 €']],
  ['/html/head/title', ['Shop']],
  ['//use/@xlink:href', ['#leaf']],
  ['//svg:use/@xlink:href', ['#leaf']],
  ['//dt/following-sibling::dd', ['Assam']],
  ['//li[matches(., "^Bl")]/span', ['3.00 €']],
  ['xpath/count(//li)', ['2']],
  ['xpath/string(//h1)', ['Tea of the day']],
  ['//nav[a[2]]/a[position() = 2]', ['Offers']],
  ['xpath/(//li)[position() = 1 to 1]', ['Green4.50 €']],
  ['//li[contains(., "to 9")]', []],
  ['$.items[?@.price < 4].name', ['Black']],
  ['jsonpath/$..price', ['4.5', '3']],
  ['$.user', ['{"name":"Ada; {x}"}']],
  ['$.lines[?@.price > 5].sku', ['G-1']],
  ['$.sum', ['9.5']],
  ['$.items[?search(@.name, "^Gr")].price', ['4.5']],
  ['$.items[?match(@.name, "B.*k")].price', ['3']],
  ['$.nothing', []],
  ['regex/(\\d+\\.\\d{2}) €/', ['4.50', '3.00']],
  ['regex/^weight.*$/im', ['Weight 100 g']],
  ['text/of the day', ['of the day']],
  ['text/TEA OF', ['Tea of the day']],
  ['text/"Offers"', ['Offers']],
  ['text/"offers"', []],
  ['text/reserve', ['Reserve']],
  ['role/link', ['Home', 'Offers']],
  ['role/link[name="Home"]', ['Home']],
  ['role/link[name="home"]', []],
  ['role/link[name="home" i]', ['Home']],
  ['role/link[name*="off"]', ['Offers']],
  ['role/button[name="Buy now"]', ['Buy now']],
  ['role/button[name="Reserve"]', ['Reserve']],
  ['role/heading[level=1]', ['Tea of the day']],
  ['role/navigation[name="Main"] ', ['Home Offers']],
  ['role/textbox[name="Quantity"]', ['2']],
  ['label/quantity', ['2']],
  ['label/Origin', ['Assam']],
  ['label/"Weight"', ['100 g']],
  ['label/stock', ['12 left']],
  ['aria/Buy now', ['Buy now']],
  ['aria/buy now', []],
  ['aria/Quantity[role="textbox"]', ['2']],
  ['aria/[role="button"]', ['Buy now', 'Reserve']],
  ["aria/[name='Offers'][role='link']", ['Offers']],
  ['aria/Main', ['Home Offers']],
  ['pierce/li.item:nth-child(2) > .price', ['3.00 €']],
];

for (const [selector, expected] of FOUND) {
  test(`finds ${JSON.stringify(expected)} with ${selector}`, () => assert.deepEqual(values(selector), expected));
}

test('gives no role to elements whose names objects have too', () => {
  const tree = parseTree('<constructor>a</constructor><input type="constructor"><button>b</button>', 'https://shop.test/');
  assert.equal(resolveSelector(parseSelector('role/button'), tree).count, 1);
  assert.equal(resolveSelector(parseSelector('role/constructor'), tree).count, 0);
});

test('returns the node, its HTML, the count and where it was found', () => {
  const result = resolveSelector(parseSelector('li .price'), TREE);
  const [first] = result.matches;
  assert.ok(first?.node && isTag(first.node));
  assert.equal(first.html, '<span class="price">4.50 €</span>');
  assert.equal(result.count, 2);
  assert.deepEqual(result.evidence, { kind: 'css', place: 'tree', path: '#list > li:nth-of-type(1) > span', truncated: false });
});

test('names the JSON that answered', () => {
  assert.equal(resolveSelector(parseSelector('$.items'), TREE).evidence.place, 'script#state');
  assert.equal(resolveSelector(parseSelector('$.user'), TREE).evidence.place, '__DATA__');
});

test('reads a page that is a JSON document, and an answer that was parsed elsewhere', () => {
  const tree = parseTree('{"a": [1, 2]}', 'https://shop.test/api');
  assert.deepEqual(
    resolveSelector(parseSelector('$.a[1]'), tree).matches.map(({ value }) => value),
    ['2'],
  );
  assert.equal(resolveInJson(parseSelector('$.a'), { a: '<b>' }).matches[0]?.value, '<b>');
});

test('counts more matches than it returns', () => {
  const tree = parseTree('<i>x</i>'.repeat(12_000), 'https://shop.test/');
  const { count, matches, evidence } = resolveSelector(parseSelector('i'), tree);
  assert.deepEqual([count, matches.length, evidence.truncated], [12_000, 10_000, true]);
});

const REFUSED: readonly [selector: string, reason: RegExp][] = [
  ['', /is empty/],
  ['css/', /nothing behind its prefix/],
  ['div[', /not valid CSS: Expected name, found its end\./],
  ['a:frobnicate', /not valid CSS/],
  ['a,'.repeat(1_999) + 'a', /1999 commas; at most 199/],
  ['a,'.repeat(10_000) + 'a', /20001 characters; at most 4000/],
  [':has(a)'.repeat(9), /:has\(\) conditions/],
  [':not('.repeat(9) + 'a' + ')'.repeat(9), /nests brackets more than 6 deep/],
  ['a '.repeat(150) + 'b', /combinators/],
  ['//a[', /not valid XPath/],
  ['//a//b//c//d//e//f//g', /7 searches through the whole page/],
  ['//*//*//*', /3 searches for any element/],
  ['//a[doc("file:///etc/passwd")]', /calls doc\(\)/],
  ['xpath/collection()', /calls collection\(\)/],
  ['xpath/unparsed-text("/etc/passwd")', /calls unparsed-text\(\)/],
  ['xpath/replace("aaaa", "(a+)+$", "")', /calls replace\(\)/],
  ['xpath/(1, 2) ! tokenize#2', /calls tokenize\(\)/],
  ['xpath/fontoxpath:fetch("x")', /calls fontoxpath:fetch\(\)/],
  ['xpath/count(for $i in 1 to 10000, $j in 1 to 10000 return $i*$j)', /counts further than 1000/],
  ['xpath/for $i in 1 to 100000000 return $i', /counts further than 1000/],
  ['xpath/1 to count(//li)', /counts further than 1000/],
  ['xpath/let $a := //a return for $b in $a, $c in $a return 1', /3 loops/],
  ['xpath/(1, 2) ! (1, 2) ! (1, 2) ! 1', /3 loops/],
  ['xpath/for $a in //a return for $b in //a return for $c in //a return 1', /searches|loops/],
  ['$.a[', /not JSONPath/],
  ['$..*..*..*..*..*', /searches at any depth/],
  ['$[?frobnicate(@)]', /not JSONPath/],
  ['regex/a', /not written as regex/],
  ['regex/(?<=a)b/', /not an RE2 expression/],
  ['regex/(a)\\1/', /not an RE2 expression/],
  ['regex/a/z', /has the flag z/],
  ['regex/((a{100}){100}){100}/', /repeats 1000000 times/],
  ['text/""', /no words/],
  ['role/button[name=', /not written as role/],
  ['role/button[size=2]', /condition \[size=2\]/],
  ['role/', /nothing behind its prefix/],
];

for (const [selector, reason] of REFUSED) {
  test(`refuses ${selector.slice(0, 50)} and says why`, () => {
    assert.throws(
      () => parseSelector(selector),
      (error) => error instanceof PageError && error.code === 'selector' && reason.test(error.message),
    );
  });
}

test('runs an exponential pattern in linear time', () => {
  const tree = parseTree(`<p>${'a'.repeat(50_000)}!</p>`, 'https://shop.test/');
  assert.equal(resolveSelector(parseSelector('regex/(a+)+$/'), tree).count, 0);
  const json = { text: `${'a'.repeat(20_000)}!` };
  assert.equal(resolveInJson(parseSelector('$[?search(@, "(a+)+$")]'), json).count, 0);
  assert.deepEqual(resolveSelector(parseSelector('//p[matches(., "(a+)+$")]'), tree).count, 0);
});

test('attack 9: ends an expression that pairs the nodes of a large page', () => {
  const tree = parseTree('<p><a>x</a></p>'.repeat(10_000), 'https://shop.test/');
  const selector = parseSelector('//a[count(preceding::a) = 3]');
  assert.throws(() => resolveSelector(selector, tree), /takes more than 5000000 steps on this page/);
});

test('finds text on a page of many elements without reading each of them', () => {
  const tree = parseTree(`${'<div>'.repeat(400)}${'<p>word <b>other</b></p>'.repeat(5_000)}needle`, 'https://shop.test/');
  assert.equal(resolveSelector(parseSelector('text/needle'), tree).count, 1);
});
