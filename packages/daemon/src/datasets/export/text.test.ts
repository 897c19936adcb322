import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { columnsOf } from './row.ts';
import type { Row } from './row.ts';
import { csvWriter, htmlWriter, markdownWriter } from './text.ts';
import type { TextWriter } from './text.ts';

const written = ({ head, row, tail }: TextWriter, rows: readonly Row[]) => `${head}${rows.map(row).join('')}${tail}`;
const csvCell = (value: unknown, isSafe = true) => {
  const row = { a: value };
  return csvWriter(columnsOf([row]), isSafe)
    .row(row)
    .replace(/\r\n$/, '');
};
const markdownCell = (value: unknown) => {
  const row = { a: value };
  return markdownWriter(columnsOf([row]))
    .row(row)
    .trimEnd();
};

/** A cell, and how it stands in a file; numbers of the conformance list. */
const CSV_CELLS: readonly (readonly [value: unknown, cell: string])[] = [
  ['plain', 'plain'],
  ['=cmd|calc', "'=cmd|calc"],
  ['+1+1', "'+1+1"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', '"\'\tx"'],
  ['\rx', '"\'\rx"'],
  ['\uff1d1', "'\uff1d1"],
  ['=1,2', '"\'=1,2"'],
  ['-5', '-5'],
  ['+49.5e3', '+49.5e3'],
  ['-5 ', '"\'-5 "'],
  ['-', "'-"],
  [-5, '-5'],
  [1.5, '1.5'],
  [true, 'true'],
  [null, ''],
  [undefined, ''],
  ['say "hi"', '"say ""hi"""'],
  ['a\nb', '"a\nb"'],
  ['a;b', '"a;b"'],
  ['x'.repeat(40_000), 'x'.repeat(40_000)],
  [{ a: [1, '=x'] }, '"{""a"":[1,""=x""]}"'],
];

suite('CSV', () => {
  for (const [value, cell] of CSV_CELLS)
    test(`F49 writes ${JSON.stringify(value)?.slice(0, 30)} as ${JSON.stringify(cell.slice(0, 30))}`, () =>
      assert.equal(csvCell(value), cell));

  test('F49 leaves formulas alone where that is asked for', () => assert.equal(csvCell('=1+1', false), '=1+1'));

  test('F49 makes names of columns as safe as cells', () => assert.equal(csvWriter(columnsOf([{ '=x': 1 }]), true).head, "'=x\r\n"));

  test('names every member once, in the order in which rows name them', () =>
    assert.equal(written(csvWriter(columnsOf([{ b: 1 }, { a: 2, b: 3 }]), true), [{ b: 1 }, { a: 2, b: 3 }]), 'b,a\r\n1,\r\n3,2\r\n'));

  test('takes no value from what every object inherits', () =>
    assert.equal(csvWriter(columnsOf([{ constructor: 1 }]), true).row({ other: 1 }), '\r\n'));

  test('is empty without rows', () => assert.equal(written(csvWriter(columnsOf([]), true), []), ''));
});

const MARKDOWN_CELLS: readonly (readonly [value: string, cell: string])[] = [
  ['a|b', '| a\\|b |'],
  ['`code`', '| \\`code\\` |'],
  ['<script>alert(1)</script>', '| &lt;script&gt;alert(1)&lt;/script&gt; |'],
  ['[x](javascript:alert(1))', '| \\[x\\](javascript:alert(1)) |'],
  ['![x](y)', '| !\\[x\\](y) |'],
  ['one\r\ntwo', '| one<br>two |'],
  ['a\\|b', '| a\\\\\\|b |'],
  ['&lt;b&gt;', '| &amp;lt;b&amp;gt; |'],
  ['_red_ *red*', '| \\_red\\_ \\*red\\* |'],
  ['requested_url', '| requested_url |'],
  ['{"a":1}', '| {"a":1} |'],
];

suite('Markdown', () => {
  for (const [value, cell] of MARKDOWN_CELLS)
    test(`F50 writes ${JSON.stringify(value)} so that it stays text`, () => assert.equal(markdownCell(value), cell));

  test('is a table of GitHub', () =>
    assert.equal(written(markdownWriter(columnsOf([{ a: 1, b: 2 }])), [{ a: 1, b: 2 }]), '| a | b |\n| --- | --- |\n| 1 | 2 |\n'));
});

suite('HTML', () => {
  test('F50 holds no element and no link that a value brought', () => {
    const rows = [{ '<b>': '<script>alert(1)</script>', link: 'javascript:alert(1)', quote: `"'&` }];
    const page = written(htmlWriter(columnsOf(rows), '</title><script>'), rows);
    assert.doesNotMatch(page, /<script|<b>|href/);
    assert.match(page, /<td>&lt;script&gt;alert\(1\)&lt;\/script&gt;<\/td><td>javascript:alert\(1\)<\/td><td>&quot;&#39;&amp;<\/td>/);
    assert.match(page, /<title>&lt;\/title&gt;&lt;script&gt;<\/title>/);
  });
});
