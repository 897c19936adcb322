import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHtmlBody } from '../extract/documents/body-kind.ts';
import { textOfMarkdown } from '../extract/documents/plain-text.ts';
import { readViews } from './views.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

const KINDS: readonly (readonly [name: string, body: string, type: string | undefined, isHtml: boolean])[] = [
  ['a page without a type', '\n<!doctype html><p>a', undefined, true],
  ['a fragment without a type', '<div class="a">b</div>', undefined, true],
  ['the source of a page, sent as text', '<!doctype html><html><p>a', 'text/plain; charset=utf-8', false],
  ['a page that is sent as data', '<html><p>a', 'application/octet-stream', true],
  ['a comment before the page', '<!-- made by hand --><html>', undefined, true],
  ['words that are sent as HTML', 'Hello', 'text/html; charset=utf-8', true],
  ['words without a type', 'Hello', undefined, false],
  ['a feed that is sent as HTML', '<rss version="2.0"><channel/></rss>', 'text/html', false],
  ['a PDF that is sent as HTML', '%PDF-1.7 ...', 'text/html', false],
  ['a page about PDF', '<html><p>It begins with %PDF-1.7', 'text/html', true],
  ['JSON', '{"a": 1}', 'application/json', false],
  ['XHTML', '<?xml version="1.0"?>\n<!DOCTYPE html><html xmlns="x">', 'application/xhtml+xml', true],
];

for (const [name, body, type, isHtml] of KINDS)
  test(`takes ${name} for ${isHtml ? 'a page' : 'a document'}`, () => assert.equal(isHtmlBody(bytes(body), type), isHtml));

test('keeps the source of a page that is sent as text', async () => {
  const html = '<!doctype html>\n<h1># a_b</h1>\n<noscript>You need to enable JavaScript.</noscript>\n';
  const source = { url: 'https://x.test/plain/index.html', body: bytes(html), contentType: 'text/plain; charset=utf-8' };
  const { markdown, text } = await readViews({ source, formats: ['markdown', 'text'], onlyMainContent: true });
  assert.deepEqual([markdown, text], [html, html]);
});

const TEXTS: readonly (readonly [markdown: string, text: string])[] = [
  ['# Title\n\nA \\*star\\*\n', 'Title\n\nA *star*'],
  ['| a | b\\|c |\n| --- | --- |\n| 1 | 2 |\n', 'a\tb|c\n1\t2'],
  ['```json\n{ "a_b": "*" }\n```\n', '{ "a_b": "*" }'],
  ['**bold** and [a link](https://x.test/a_b) in snake_case_name', 'bold and a link in snake_case_name'],
  ['> quoted\n\n## [Entry](https://x.test/1)', 'quoted\n\nEntry'],
];

for (const [markdown, text] of TEXTS)
  test(`reads ${JSON.stringify(markdown)} as plain text`, () => assert.equal(textOfMarkdown(markdown), text));

test('keeps every column of a sheet, also one that few rows fill', async () => {
  const rows = Array.from({ length: 20 }, (_, i) => `n${i},${i === 7 ? 'yes' : ''}`);
  const source = { url: 'https://x.test/a.csv', body: bytes(`name,rare\n${rows.join('\n')}`), contentType: 'text/csv' };
  const { records } = await readViews({ source, formats: ['records'], onlyMainContent: true });
  const [list] = records as { fields: { name: string }[]; items: { fields: object }[] }[];
  assert.deepEqual(
    list?.fields.map(({ name }) => name),
    ['name', 'rare'],
  );
  assert.equal(list?.items.length, 20);
});

test('refuses a picture by its type', async () => {
  const source = { url: 'https://x.test/a', body: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0), contentType: 'image/png' };
  await assert.rejects(readViews({ source, formats: ['markdown'], onlyMainContent: true }), { code: 'unsupported_type' });
});
