import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strToU8, zipSync } from 'fflate';
import { PageError } from '../../errors.ts';
import { UNPACKED_BYTES_MAX, listEntries, repackArchive } from './archive.ts';
import { archive, docxOf, pdfOf, xlsxOf } from './document.fixtures.ts';
import { readDocument } from './document.ts';
import type { ReadableDocument } from './readable.ts';

const URL_ = 'https://x.test/a/file';

async function read(body: string | Uint8Array, contentType?: string, url = URL_): Promise<ReadableDocument> {
  const document = await readDocument(typeof body === 'string' ? strToU8(body) : body, { contentType, url });
  assert.ok(document);
  return document;
}

test('reads a PDF: headings by size, paragraphs by gaps, title and links', async () => {
  const document = await read(
    pdfOf(
      'BT /F 24 Tf 50 700 Td (Heading) Tj /F 10 Tf 0 -40 Td (First line, hyphen-) Tj 0 -12 Td (ated *word*.) Tj 0 -40 Td (Second.) Tj ET',
    ),
  );
  assert.equal(document.kind, 'pdf');
  assert.equal(document.title, 'A title');
  assert.equal(document.markdown, '# Heading\n\nFirst line, hyphenated \\*word\\*.\n\nSecond.\n');
  assert.deepEqual(document.links, [{ url: 'https://x.test/linked', text: '' }]);
});

test('refuses a damaged PDF', async () => {
  await assert.rejects(readDocument(strToU8('%PDF-1.4 nothing'), { url: URL_ }), { code: 'page_unreadable' });
});

test('stops when it is aborted', async () => {
  await assert.rejects(readDocument(pdfOf('BT ET'), { url: URL_ }, AbortSignal.abort()), { name: 'AbortError' });
});

test('reads a Word document with its headings, tables and links', async () => {
  const document = await read(
    docxOf(
      '<w:p><w:pPr><w:pStyle w:val="H1"/></w:pPr><w:r><w:t>Title</w:t></w:r></w:p>' +
        '<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>bold</w:t></w:r><w:r><w:t xml:space="preserve"> and </w:t></w:r>' +
        '<w:hyperlink r:id="rId1"><w:r><w:t>link</w:t></w:r></w:hyperlink></w:p>' +
        '<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr>' +
        '<w:tr><w:tc><w:p><w:r><w:t>c</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>d</w:t></w:r></w:p></w:tc></w:tr></w:tbl>',
    ),
  );
  assert.equal(document.kind, 'docx');
  assert.equal(document.title, 'Title');
  assert.equal(
    document.markdown,
    '# Title\n\n**bold** and [link](https://x.test/linked)\n\n|  |  |\n| --- | --- |\n| a | b |\n| c | d |\n',
  );
  assert.deepEqual(document.links, [{ url: 'https://x.test/linked', text: 'link' }]);
});

test('reads a workbook as a table and as records', async () => {
  const text = (ref: string, value: string): string => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const document = await read(
    xlsxOf(`<row r="1">${text('A1', 'Name')}${text('B1', 'Price')}</row><row r="2">${text('A2', 'a|b')}<c r="B2"><v>2.5</v></c></row>`),
  );
  assert.equal(document.kind, 'xlsx');
  assert.equal(document.markdown, '## Prices\n\n| Name | Price |\n| --- | --- |\n| a\\|b | 2.5 |\n');
  assert.deepEqual(document.records, [{ source: 'Prices', items: [{ Name: 'a|b', Price: 2.5 }] }]);
});

test('leaves unknown archives, pictures and HTML alone', async () => {
  for (const [body, contentType] of [
    [archive({ 'a.txt': 'b' }), undefined],
    [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 1), 'image/png'],
    [strToU8('<!doctype html><p>a'), 'application/octet-stream'],
    [strToU8('<p>a'), 'text/html'],
  ] as const) {
    assert.equal(await readDocument(body, { contentType, url: URL_ }), undefined);
  }
});

test('refuses an archive by its declared size', async () => {
  const bomb = archive({ 'word/document.xml': 'x' });
  const directory = new DataView(bomb.buffer, bomb.byteOffset);
  const entry = listEntries(bomb)?.[0];
  assert.ok(entry);
  for (let at = 0; at < bomb.length - 4; at++)
    if (directory.getUint32(at, true) === 0x02014b50) directory.setUint32(at + 24, UNPACKED_BYTES_MAX + 1, true);
  await assert.rejects(readDocument(bomb, { url: URL_ }), { code: 'body_too_large' });
});

test('refuses an archive by its real size, whatever it declares', async () => {
  const zeros = zipSync({ 'a.xml': new Uint8Array(3_000_000) }, { level: 9 });
  const entries = (listEntries(zeros) ?? []).map((entry) => ({ ...entry, declaredBytes: 1 }));
  await assert.rejects(
    repackArchive(zeros, entries, () => true, 1_000_000),
    { code: 'body_too_large' },
  );
});

test('refuses an archive of too many entries', async () => {
  const many = archive({ 'word/document.xml': 'x' });
  const end = new DataView(many.buffer, many.byteOffset);
  end.setUint16(many.length - 12, 60_000, true);
  await assert.rejects(readDocument(many, { url: URL_ }), { code: 'page_too_complex' });
});

test('refuses a document above the size limit', async () => {
  await assert.rejects(readDocument(new Uint8Array(25_000_001), { url: URL_ }), PageError);
});

const RSS = `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>News</title>
<link>https://x.test/</link><item><title>One &amp;amp; *two* [3]</title><link>/1</link><pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate>
<description>short</description><content:encoded><![CDATA[<p>Long <b>text</b></p>]]></content:encoded><category>c</category></item></channel></rss>`;

test('reads RSS', async () => {
  const document = await read(RSS, 'application/rss+xml');
  assert.equal(document.kind, 'feed');
  assert.equal(document.title, 'News');
  assert.deepEqual(document.records[0]?.items, [
    {
      title: 'One & *two* [3]',
      url: 'https://x.test/1',
      summary: 'short',
      content: 'Long **text**',
      published: 'Mon, 01 Jan 2024 00:00:00 GMT',
      categories: ['c'],
    },
  ]);
  assert.equal(
    document.markdown,
    '# News\n\n## [One & \\*two\\* \\[3\\]](https://x.test/1)\n\nMon, 01 Jan 2024 00:00:00 GMT\n\nLong **text**\n',
  );
});

test('reads a feed that is sent as HTML', async () => {
  assert.equal((await read(RSS, 'text/html')).kind, 'feed');
});

test('reads Atom with inline XHTML', async () => {
  const document = await read(
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><entry><title>E</title><link rel="self" href="/no"/><link href="/e"/>' +
      '<id>urn:1</id><author><name>N</name></author><updated>2024-01-01</updated>' +
      '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>a <em>b</em></p></div></content></entry></feed>',
    'application/atom+xml',
  );
  assert.deepEqual(document.records[0]?.items, [
    { title: 'E', url: 'https://x.test/e', author: 'N', content: 'a *b*', updated: '2024-01-01', id: 'urn:1' },
  ]);
});

test('reads a sitemap', async () => {
  const document = await read('<?xml version="1.0"?><urlset><url><loc>https://x.test/1</loc><lastmod>2024-01-01</lastmod></url></urlset>');
  assert.equal(document.kind, 'feed');
  assert.deepEqual(document.records[0]?.items, [{ url: 'https://x.test/1', updated: '2024-01-01' }]);
});

test('expands no declared entity', async () => {
  const bomb = `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>
<rss><channel><title>&b;&x;</title></channel></rss>`;
  const document = await read(bomb, 'text/xml');
  assert.doesNotMatch(document.title ?? '', /aaa|root/);
});

test('reads XML of no known kind with its largest group', async () => {
  const document = await read('<?xml version="1.0"?><shop><p id="1"><n>a</n></p><p id="2"><n>b</n></p></shop>');
  assert.equal(document.kind, 'xml');
  assert.deepEqual(document.records, [
    {
      source: 'shop/p',
      items: [
        { '@id': '1', n: 'a' },
        { '@id': '2', n: 'b' },
      ],
    },
  ]);
});

test('reads JSON with its largest array of objects', async () => {
  const document = await read('{"a":{"items":[{"n":1,"u":"https://x.test/1"},{"n":2}]},"b":[{"x":1}]}', 'application/json');
  assert.deepEqual(document.records, [{ source: '$.a.items', items: [{ n: 1, u: 'https://x.test/1' }, { n: 2 }] }]);
  assert.match(document.markdown, /^```json\n\{\n {2}"a"/);
  assert.deepEqual(document.links, [{ url: 'https://x.test/1', text: '' }]);
});

test('reads JSON lines', async () => {
  assert.deepEqual((await read('{"n":1}\n{"n":2}\n', 'application/x-ndjson')).records[0]?.items, [{ n: 1 }, { n: 2 }]);
});

test('bears JSON that nests 100,000 arrays', async () => {
  assert.ok((await read(`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'application/json')).markdown.length > 0);
});

const TABLES: readonly (readonly [promise: string, csv: string, items: readonly Record<string, string>[]])[] = [
  ['commas', 'a,b\n1,2\n', [{ a: '1', b: '2' }]],
  ['semicolons', 'a;b\n1,5;2\n', [{ a: '1,5', b: '2' }]],
  ['tabs', 'a\tb\r\n1\t2\r\n', [{ a: '1', b: '2' }]],
  ['quotes, line breaks and delimiters inside them', 'a,b\n"1 ""x"", y","2\n3"\n', [{ a: '1 "x", y', b: '2\n3' }]],
  ['rows that end early and late', 'a,b\n1\n1,2,3\n', [{ a: '1' }, { a: '1', b: '2', column3: '3' }]],
  ['columns of one name', 'a,a,\n1,2,3\n', [{ a: '1', 'a 2': '2', column3: '3' }]],
  [
    'no header',
    '1,2\n3,4\n',
    [
      { column1: '1', column2: '2' },
      { column1: '3', column2: '4' },
    ],
  ],
  ['a byte order mark', '\ufeffa,b\n1,2', [{ a: '1', b: '2' }]],
  ['a quote that never ends', 'a,b\n"1,2\n', [{ a: '1,2\n' }]],
  ['a delimiter at the end', 'a,b\n1,', [{ a: '1' }]],
];

for (const [promise, csv, items] of TABLES) {
  test(`reads CSV with ${promise}`, async () => {
    assert.deepEqual((await read(csv, 'text/csv')).records[0]?.items, items);
  });
}

test('writes CSV as a table', async () => {
  assert.equal((await read('a,b\n"x|y","1\n2"\n', 'text/csv')).markdown, '| a | b |\n| --- | --- |\n| x\\|y | 1<br>2 |\n');
});

test('keeps plain text as it stands and Markdown as Markdown', async () => {
  const plain = await read('a\n  *b*\n', 'text/plain');
  assert.deepEqual([plain.markdown, plain.text], ['a\n  *b*\n', 'a\n  *b*\n']);
  assert.equal((await read('<p>a', 'text/plain')).markdown, '<p>a');
  assert.equal((await read('a {}', 'text/css')).markdown, '```\na {}\n```\n');
  const document = await read('# T\n\na\n', 'text/markdown');
  assert.deepEqual([document.title, document.markdown], ['T', '# T\n\na\n']);
});

test('decodes by mark, header and guess', async () => {
  assert.match((await read(Uint8Array.of(0xff, 0xfe, 0x61, 0, 0xe9, 0), 'text/plain')).markdown, /aé/);
  assert.match((await read(Uint8Array.of(0xe9, 0x21), 'text/plain; charset=windows-1251')).markdown, /й!/);
  assert.match((await read(Uint8Array.of(0xe9, 0x21), 'text/plain')).markdown, /é!/);
});
