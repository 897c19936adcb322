import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { targetOf, pageOf, readOne, readWith } from './reading.fixtures.ts';
import type { Told } from './reading.fixtures.ts';

const TEXT = { type: 'text' } as const;

/** Whether two pages are told apart under the same plan. */
async function differ(before: string, after: string, told: Told = {}): Promise<boolean> {
  const [first, second] = await Promise.all([pageOf(before, told), pageOf(after, told)]);
  return first.digest !== second.digest;
}

describe('a page as a whole', () => {
  it('T3: says that nothing is there where a page lost its text', async () => {
    assert.equal((await readWith('<body>Text</body>')).isEmpty, false);
    for (const body of ['<body></body>', '', '<body><script>run()</script></body>'])
      assert.equal((await readWith(body)).isEmpty, true, body);
    const picture = targetOf('img', [{ type: 'image_hash' }]);
    assert.equal((await readWith('<body><img src=/a.png></body>', { targets: [picture] })).isEmpty, false);
  });

  it('T19: takes a number of blanks, hard blanks and line breaks for the same white space', async () => {
    for (const same of ['<p>a  b</p>', '<p>a&nbsp;b</p>', '<p>a&nbsp; \n b</p>', '<p>a<br>b</p>', '<p>a</p><p>b</p>'])
      assert.equal(await differ('<p>a b</p>', same), false, same);
    assert.equal(await differ('<p>a b</p>', '<p>ab</p>'), true);
  });

  it('counts white space where it is asked to', async () => {
    const filter = { keep_whitespace: true };
    assert.equal(await differ('<p>a b</p>', '<p>a  b</p>', { filter }), true);
    assert.equal(await differ('<p>a b</p>', '<p>a<br>b</p>', { filter }), true);
    assert.equal(await differ('<p>a b</p>', '<p>a b</p>', { filter }), false);
  });

  it('T20: leaves the addresses of links out unless they count', async () => {
    const [before, after] = ['<p><a href="/a">Go</a> on</p>', '<p><a href="/b">Go</a> on</p>'];
    for (const watch of ['page', 'main'] as const) {
      assert.equal(await differ(before, after, { watch }), false);
      assert.equal(await differ(before, after, { watch, filter: { links: true } }), true);
    }
    assert.equal((await pageOf(before, { filter: { links: true } })).text, 'Go <https://shop.example/a> on');
  });

  it('sorts lines where their order means nothing', async () => {
    const [before, after] = ['<p>b<p>a<p>c', '<p>c<p>b<p>a'];
    assert.equal(await differ(before, after), true);
    assert.equal(await differ(before, after, { filter: { sort_lines: true } }), false);
  });

  it('reads the main content alone where it is asked to', async () => {
    const article = `<main><h1>News</h1>${'<p>This is a sentence of the article that goes on for a while, as sentences do.</p>'.repeat(8)}</main>`;
    const [before, after] = ['Monday', 'Tuesday'].map(
      (day) => `<body><nav><a href="/">Home</a> <a href="/x">${day}</a></nav>${article}</body>`,
    );
    assert.equal(await differ(before as string, after as string, { watch: 'main' }), false);
    assert.equal(await differ(before as string, after as string, { watch: 'page' }), true);
  });

  it('leaves out what the page hides', async () => {
    const page = await pageOf('<p>Shown</p><div style="display:none">Hidden</div><details><summary>More</summary>Folded</details>');
    assert.equal(page.text, 'Shown\nMore');
  });

  it('says what stands before the page, and not of a page about such things', async () => {
    const check = '<title>Just a moment...</title><h1>Checking your browser</h1><script src="/cdn-cgi/challenge-platform/x.js"></script>';
    assert.equal((await readWith(check, { status: 403 })).standsBefore?.code, 'captcha');
    const login = '<h1>Log in</h1><form><input name=user><input type=password name=pw></form><p>Please log in to continue</p>';
    const led = { requestedUrl: 'https://shop.example/orders', url: 'https://shop.example/login' };
    assert.equal((await readWith(login, led)).standsBefore?.code, 'blocked');
    assert.equal((await readWith('<h1>A page</h1><p>About captchas.</p>')).standsBefore, undefined);
  });

  it('looks for words that are waited for or in the way, in any case and spacing', async () => {
    const filter = { trigger: ['buy NOW', '/v\\d+/'], block: ['sold out'] };
    const { triggers, blocks } = await readWith('<p>Buy\n now</p><p>Sold  out</p>', { filter });
    assert.deepEqual(
      triggers.map(({ found }) => found),
      [true, false],
    );
    assert.deepEqual(blocks, [{ phrase: 'sold out', found: true }]);
  });
});

describe('subtract and ignore', () => {
  const AD = '<body><p>News</p><p class=ad>Ad 1</p></body>';

  it('T10: leaves out what is subtracted, and counts it', async () => {
    const filter = { subtract: ['.ad'] };
    assert.equal(await differ(AD, AD.replace('Ad 1', 'Ad 2')), true);
    assert.equal(await differ(AD, AD.replace('Ad 1', 'Ad 2'), { filter }), false);
    assert.equal((await readWith(AD, { filter })).subtracted, 1);
  });

  it('T11: finds all that is subtracted before the first of it is taken out', async () => {
    const { page, subtracted } = await readWith('<ul><li>1<li>2<li>3<li>4</ul>', {
      filter: { subtract: ['li:nth-child(1)', 'li:nth-child(3)', 'xpath///li[4]'] },
    });
    assert.equal(page?.text, '2');
    assert.equal(subtracted, 3);
  });

  it('T12: subtracts before selectors look, and counts what lies within another once', async () => {
    const html = '<div class=main><div class=body>Text <b class=ad>Ad <i class=ad>!</i></b></div></div>';
    const { targets, subtracted } = await readWith(html, {
      filter: { subtract: ['.main .ad'] },
      targets: [targetOf('.body', [TEXT]), targetOf('.ad', [TEXT])],
    });
    assert.equal(targets[0]?.values[0]?.text, 'Text');
    assert.equal(targets[1]?.matches, 0);
    assert.equal(subtracted, 1);
  });

  it('empties a page whose body is subtracted', async () => {
    assert.equal((await readWith('<body>Text</body>', { filter: { subtract: ['body'] } })).isEmpty, true);
  });

  it('subtracts from JSON by paths, and from lists without shifting', async () => {
    const json = '{"at":1,"list":[1,2,3,4],"deep":{"at":2,"x":1}}';
    const { page, subtracted } = await readWith(json, {
      type: 'application/json',
      filter: { subtract: ['$..at', '$.list[0]', '$.list[2]'] },
    });
    assert.deepEqual(JSON.parse(page?.text ?? ''), { list: [2, 4], deep: { x: 1 } });
    assert.equal(subtracted, 4);
  });

  it('refuses to subtract by an expression', async () => {
    await assert.rejects(readWith('<p>a', { filter: { subtract: ['regex/a/'] } }), /ignore/);
  });

  it('T13: lines and places that are ignored are shown and do not count', async () => {
    const filter = { ignore: ['visits today', '/v\\d+/'] };
    const page = (visits: number, version: number, text: string) => `<p>${visits} Visits  today</p><p>${text} v${version}</p>`;
    assert.equal(await differ(page(1, 1, 'a'), page(2, 2, 'a'), { filter }), false);
    assert.equal(await differ(page(1, 1, 'a'), page(1, 1, 'b'), { filter }), true);
    const { page: value, ignored } = await readWith(page(1, 1, 'a'), { filter });
    assert.equal(value?.text, '1 Visits today\na v1');
    assert.equal(ignored, 2);
  });

  it('T14: ignores before an expression looks', async () => {
    const html = '<div class=x><p>ver 1.2.1</p><p>build 7</p></div>';
    const spec = { type: 'regex', pattern: '\\d+' } as const;
    assert.equal((await readOne(html, '.x', spec)).text, '1\n2\n1\n7');
    assert.equal((await readOne(html, '.x', spec, { filter: { ignore: ['ver '] } })).text, '7');
  });
});

describe('selectors', () => {
  it('T5: reads what is selected and nothing beside it', async () => {
    const read = (aside: string) => readOne(`<p class=x>Text</p><p>${aside}</p>`, '.x', TEXT);
    assert.equal((await read('1')).digest, (await read('2')).digest);
  });

  it('T6: gives each selector and extractor its own values', async () => {
    const targets = [targetOf('.a', [TEXT], { id: 7 }), targetOf('.b', [TEXT, { type: 'count' }], { id: 8 })];
    const { targets: read, page } = await readWith('<p class=a>1</p><p class=b>2</p>', { targets });
    assert.equal(page, undefined);
    const seen = read.flatMap(({ id, values }) => values.map(({ selectorId, extractorId, value }) => [id, selectorId, extractorId, value]));
    assert.deepEqual(seen, [
      [7, 7, 1, '1'],
      [8, 8, 1, '2'],
      [8, 8, 2, 1],
    ]);
  });

  it('T7, T8: says that nothing is there, and what was found when it is', async () => {
    const gone = (await readOne('<p>a</p>', '.x', TEXT)).target;
    assert.deepEqual([gone.verdict, gone.via, gone.matches], ['gone', undefined, 0]);
    const there = (await readOne('<p class=x>a</p>', '.x', TEXT)).target;
    assert.deepEqual([there.verdict, there.via, there.matches, there.texts], ['found', 'selector', 1, ['a']]);
  });

  it('T9: an element without text is a problem with a hint, and no empty value', async () => {
    const picture = await readOne('<p class=x><img src=/a.png></p>', '.x', TEXT);
    assert.equal(picture.value, undefined);
    assert.match(picture.problem ?? '', /picture.*image_hash/);
    assert.match((await readOne('<p class=x></p>', '.x', TEXT)).problem ?? '', /no text/);
    assert.match((await readOne('<p class=x hidden>a</p><p>b</p>', '.x', TEXT)).problem ?? '', /hidden/);
  });

  it('reads what is shown before what is hidden', async () => {
    const html = '<p class=x style="display:none">Sold out</p><p class=x>In stock</p>';
    assert.equal((await readOne(html, '.x', TEXT)).value, 'In stock');
    assert.equal((await readOne(html, '.x', TEXT, { many: true })).value, 'In stock');
  });

  it('joins the texts of many by lines, and lists their other values', async () => {
    const html = '<p class=x>1</p><p class=x>none</p><p class=x>3</p>';
    assert.equal((await readOne(html, '.x', TEXT, { many: true })).value, '1\nnone\n3');
    const numbers = await readOne(html, '.x', { type: 'number' }, { many: true });
    assert.deepEqual(numbers.value, [1, null, 3]);
    assert.equal(numbers.text, '1\n\n3');
  });

  it('records a baseline of what was found and has none, and finds it again by it', async () => {
    const { target } = await readOne('<h2>Price</h2><p class=price id=p>$5</p>', '.price', { type: 'price' });
    assert.equal(target.baseline?.recordedAt, '2026-01-01T00:00:00.000Z');
    assert.equal(target.baseline.count, 1);
    assert.deepEqual((target.baseline.value.normalised as { amount_minor: number }).amount_minor, 500);
    const again = targetOf('.price', [{ type: 'price' }], { baseline: target.baseline });
    const { targets } = await readWith('<h2>Price</h2><p class=cost id=p>$6</p>', { targets: [again] });
    assert.equal(targets[0]?.baseline, undefined);
  });

  it('says what is wrong with a selector that can not be run, and reads the others', async () => {
    const { targets } = await readWith('<p>a</p>', { targets: [targetOf('p[', [TEXT]), targetOf('p', [TEXT])] });
    assert.match(targets[0]?.problem ?? '', /not valid CSS/);
    assert.equal(targets[1]?.values[0]?.value, 'a');
  });
});

describe('other documents', () => {
  const json = { type: 'application/json' };

  it('T21: the order of members means nothing in JSON, that of lists does', async () => {
    assert.equal(await differ('{"a":1,"b":[1,2]}', '{"b":[1,2],"a":1}', json), false);
    assert.equal(await differ('{"a":1,"b":[1,2]}', '{"a":1,"b":[2,1]}', json), true);
    assert.equal((await pageOf('{"b":1,"a":2}', json)).text, '{\n  "a": 2,\n  "b": 1\n}');
  });

  it('T22: gives the value that a path finds in its own type', async () => {
    for (const [selector, path] of [
      ['$.p', '$'],
      ['$', '$.p'],
      ['body', '$.p'],
    ] as const)
      assert.equal((await readOne('{"p":true}', selector, { type: 'json', path }, json)).value, true, selector);
    assert.deepEqual((await readOne('{"a":[{"i":1}]}', '$', { type: 'json', path: '$.a[*].i' }, json)).value, [1]);
    assert.equal((await readOne('{"p":12.5}', '$.p', { type: 'number' }, json)).value, 12.5);
    assert.match((await readOne('{"p":1}', '.price', TEXT, json)).target.problem ?? '', /is JSON.*jsonpath/);
  });

  it('T23: reads JSON behind a byte order mark and with half a letter; what only says that it is JSON is an error', async () => {
    assert.equal((await pageOf('\ufeff{"a":1}', json)).text, '{\n  "a": 1\n}');
    const half = await pageOf('{"a":"\\ud800"}', json);
    assert.equal(half.compared.isWellFormed(), true);
    const value = await readOne('{"a":"x\\ud800"}', '$.a', { type: 'json', path: '$' }, json);
    assert.equal(value.value, 'x\ufffd');
    await assert.rejects(readWith('<html>Error</html>'.replace('html', 'x'), json), /says that it answers JSON/);
    await assert.rejects(readWith('{"a":', json), { code: 'page_unreadable' });
  });

  it('reads the lines of a JSON stream', async () => {
    assert.equal(await differ('{"a":1}\n{"a":2}\n', '{"a":1}\n{"a":3}\n', { type: 'application/x-ndjson' }), true);
  });

  const FEED = `<?xml version="1.0"?><rss xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>News</title>
    <item><title>First</title><link>https://a.example/1</link><dc:creator>Ann</dc:creator><description>&lt;p&gt;One&lt;/p&gt;</description></item>
    <item><title>Second</title><link>https://a.example/2</link><dc:creator>Bob</dc:creator></item></channel></rss>`;
  const rss = { type: 'application/rss+xml' };

  it('T24: runs XPath and CSS on XML: default namespaces, prefixes, functions', async () => {
    const atom =
      '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><entry><title>A</title></entry><entry><title>B</title></entry></feed>';
    const of = async (body: string, selector: string) => (await readOne(body, selector, TEXT, { ...rss, many: true })).value;
    assert.equal(await of(atom, '//entry/title'), 'A\nB');
    assert.equal(await of(atom, "xpath/string-join(//title, '+')"), 'A+B');
    assert.equal(await of(atom, 'xpath/count(//entry)'), '2');
    assert.equal(await of(FEED, '//item/dc:creator'), 'Ann\nBob');
    assert.equal(await of(FEED, 'item > title'), 'First\nSecond');
    assert.equal(await of(FEED, 'css/item description'), 'One');
    assert.match((await readOne(FEED, "xpath/doc('http://a.example')", TEXT, rss)).target.problem ?? '', /not offered/);
  });

  it('T25: reads the same text whatever the encoding', async () => {
    const shiftJis = Uint8Array.from([...Buffer.from('<meta charset=shift_jis><p>'), 0x93, 0xfa, 0x96, 0x7b, ...Buffer.from('</p>')]);
    assert.equal((await pageOf(shiftJis, { type: 'text/html' })).text, '日本');
    assert.equal((await pageOf('<p>日本のページです</p>', { type: 'text/html' })).text, '日本のページです');
  });

  it('T31: tells what a feed gained, and reads text, tables and XML by their own rules', async () => {
    const grown = FEED.replace('<item>', '<item><title>New</title></item><item>');
    const [before, after] = await Promise.all([pageOf(FEED, rss), pageOf(grown, rss)]);
    const known = new Set(before.compared.split('\n'));
    assert.deepEqual(
      after.compared.split('\n').filter((line) => !known.has(line)),
      ['New'],
    );
    assert.equal(await differ('a,b\n1,2\n', 'a,b\n1,3\n', { type: 'text/csv' }), true);
    assert.equal(await differ('line 1\nline 2', 'line 1\nline 3', { type: 'text/plain' }), true);
    assert.equal((await readOne('Version 1.2.3 is out', 'body', { type: 'version' }, { type: 'text/plain' })).value, '1.2.3');
    assert.match((await readOne('Plain', '.x', TEXT, { type: 'text/plain' })).target.problem ?? '', /is no HTML/);
  });

  it('watches the rows of a workflow by their keys, whatever their order', async () => {
    const rows = (list: readonly object[]) => pageOf(JSON.stringify(list), { ...json, watch: 'rows' });
    const first = await rows([
      { url: 'https://a.example/1', n: 1 },
      { url: 'https://a.example/2', n: 2 },
    ]);
    const turned = await rows([
      { n: 2, url: 'https://a.example/2' },
      { url: 'https://a.example/1', n: 1 },
    ]);
    const changed = await rows([
      { url: 'https://a.example/1', n: 1 },
      { url: 'https://a.example/2', n: 3 },
    ]);
    assert.equal(first.digest, turned.digest);
    assert.notEqual(first.digest, changed.digest);
    assert.deepEqual(
      (first.value as { key: string }[]).map(({ key }) => key),
      ['https://a.example/1', 'https://a.example/2'],
    );
    assert.equal((await readWith('[]', { ...json, watch: 'rows' })).isEmpty, true);
    const filter = { ignore: ['"n":2'] };
    const { page, ignored } = await readWith('[{"id":1,"n":1},{"id":2,"n":2}]', { ...json, watch: 'rows', filter });
    assert.deepEqual([page?.compared, ignored], ['1 {"id":1,"n":1}', 1]);
  });
});
