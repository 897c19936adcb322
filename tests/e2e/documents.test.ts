import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { runJob } from '../../packages/cli/src/batch-process.ts';
import { docxOf, pdfOf, xlsxOf } from '../../packages/engine/src/extract/documents/document.fixtures.ts';
import { startTestAgent } from '../agent.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';

interface DocumentCase {
  readonly file: string;
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly markdown: RegExp;
  readonly text: RegExp;
  /** Values that stand in its records, in order; none where it has no records. */
  readonly values: readonly string[];
  readonly links: readonly string[];
}

const cell = (ref: string, value: string) => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`;

const CASES: readonly DocumentCase[] = [
  {
    file: 'paper.pdf',
    type: 'application/pdf',
    body: pdfOf('BT /F 24 Tf 50 700 Td (Heading) Tj /F 10 Tf 0 -40 Td (One line of text.) Tj ET'),
    markdown: /^# Heading\n\nOne line of text\.\n$/,
    text: /^Heading\n\nOne line of text\.$/,
    values: [],
    links: ['https://x.test/linked'],
  },
  {
    file: 'letter.docx',
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    body: docxOf(
      '<w:p><w:pPr><w:pStyle w:val="H1"/></w:pPr><w:r><w:t>Letter</w:t></w:r></w:p><w:p><w:r><w:t>Dear reader.</w:t></w:r></w:p>',
    ),
    markdown: /^# Letter\n\nDear reader\.\n$/,
    text: /^Letter\n\nDear reader\.$/,
    values: [],
    links: [],
  },
  {
    file: 'prices.xlsx',
    type: 'application/octet-stream',
    body: xlsxOf(
      `<row r="1">${cell('A1', 'Name')}${cell('B1', 'Price')}</row><row r="2">${cell('A2', 'Lamp')}<c r="B2"><v>2.5</v></c></row>`,
    ),
    markdown: /\| Lamp \| 2\.5 \|/,
    text: /Name\tPrice\nLamp\t2\.5/,
    values: ['Lamp', '2.5'],
    links: [],
  },
  {
    file: 'towns.csv',
    type: 'text/csv; charset=utf-8',
    body: 'town;people\nBonn;330000\nUlm;126000\n',
    markdown: /\| Bonn \| 330000 \|/,
    text: /town\tpeople\nBonn\t330000/,
    values: ['Bonn', '330000', 'Ulm', '126000'],
    links: [],
  },
  {
    file: 'feed.xml',
    type: 'application/rss+xml',
    body: '<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item><title>First</title><link>https://x.test/1</link></item></channel></rss>',
    markdown: /## \[First\]\(https:\/\/x\.test\/1\)/,
    text: /News\n\nFirst/,
    values: ['First', 'https://x.test/1'],
    links: ['https://x.test/1'],
  },
  {
    file: 'data.json',
    type: 'application/json',
    body: '{"data":[{"name":"a","size":1},{"name":"b","size":2}],"next":"https://x.test/2"}',
    markdown: /^```json\n\{/,
    text: /^\{\n {2}"data"/,
    values: ['a', '1', 'b', '2'],
    links: ['https://x.test/2'],
  },
  {
    file: 'notes.txt',
    type: 'text/plain',
    body: 'Line one\n  <b>not bold</b>\nhttps://x.test/3\n',
    markdown: /^Line one\n {2}<b>not bold<\/b>\nhttps:\/\/x\.test\/3\n$/,
    text: /^Line one\n {2}<b>not bold<\/b>\nhttps:\/\/x\.test\/3\n$/,
    values: [],
    links: ['https://x.test/3'],
  },
];

/** The raw values of all lists of a document, in order. */
function valuesOf(records: readonly unknown[] | undefined): string[] {
  const lists = (records ?? []) as readonly { readonly items: readonly { readonly fields: object }[] }[];
  return lists.flatMap(({ items }) => items.flatMap(({ fields }) => Object.values(fields).map(({ raw }: { raw: string }) => raw)));
}

suite('documents that are not HTML', async () => {
  for (const { file, type, body, ...expected } of CASES) {
    test(`scrapes ${file} as ${type}`, async () => {
      const site = await startRawServer({ [`/${file}`]: reply({ headers: { 'Content-Type': type }, body }) });
      await using agent = await startTestAgent();
      const formats = ['markdown', 'text', 'records', 'links', 'metadata', 'product', 'forms'] as const;
      const crawl = await agent.client.crawl.start({ url: `${site.origin}/${file}`, limit: 1, wait: true, formats: [...formats] });
      await site.close();
      const [page] = crawl.data;
      assert.ok(page, JSON.stringify(crawl.failure));
      assert.match(page.markdown ?? '', expected.markdown);
      assert.match(page.text ?? '', expected.text);
      assert.deepEqual(valuesOf(page.records), expected.values);
      assert.deepEqual(
        page.links?.map(({ url }) => url),
        expected.links,
      );
      assert.equal(page.page_type, undefined);
      assert.deepEqual(agent.logged, []);
    });

    test(`parses a saved ${file}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'weft-documents-'));
      writeFileSync(join(folder, file), body);
      const result = await runJob('parse', { path: join(folder, file), url: `https://x.test/${file}` });
      rmSync(folder, { recursive: true });
      assert.match(String(result['markdown']), expected.markdown);
      assert.match(String(result['text']), expected.text);
      assert.deepEqual(valuesOf(result['records'] as readonly unknown[]), expected.values);
      assert.equal('page_type' in result, false);
    });
  }

  test('a picture is a clear failure, not a page of noise', async () => {
    const site = await startRawServer({
      '/a.png': reply({ headers: { 'Content-Type': 'image/png' }, body: Uint8Array.of(0x89, 0x50, 0, 1, 2) }),
    });
    await using agent = await startTestAgent();
    const crawl = await agent.client.crawl.start({ url: `${site.origin}/a.png`, limit: 1, wait: true });
    await site.close();
    assert.equal(crawl.status, 'failed');
    assert.match(crawl.failure?.message ?? '', /image\/png, which holds no text/);
  });
});
