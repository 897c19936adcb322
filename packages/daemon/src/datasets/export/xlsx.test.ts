import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import readXlsxFile from 'read-excel-file/node';
import { createHeldTexts } from './held-texts.ts';
import { findColumns } from './row.ts';
import type { Row, RowSource } from './row.ts';
import { writeXlsx } from './xlsx.ts';

const sourceOf = (rows: readonly Row[]): RowSource => ({ rows: () => rows.map((row) => JSON.stringify(row)) });

async function workbookOf(rows: readonly Row[], title = 'Shelf', sheetRowsMax?: number): Promise<Buffer> {
  const source = sourceOf(rows);
  return await buffer(writeXlsx(source, await findColumns(source), title, createHeldTexts(), sheetRowsMax));
}

async function readBack(rows: readonly Row[], title?: string, sheetRowsMax?: number) {
  return await readXlsxFile(await workbookOf(rows, title, sheetRowsMax), { trim: false });
}

/** A value, and what a reader finds in its cell. */
const CELLS: readonly (readonly [value: unknown, found: unknown])[] = [
  ['text', 'text'],
  ['=HYPERLINK("http://x")', '=HYPERLINK("http://x")'],
  ['<b>&"\'', '<b>&"\''],
  [' padded ', ' padded '],
  ['two\nlines', 'two\nlines'],
  ['\u{1f600} \u4e2d', '\u{1f600} \u4e2d'],
  [12.5, 12.5],
  [-3, -3],
  [true, true],
  ['0042', '0042'],
  ['2026-02-28', new Date('2026-02-28T00:00:00Z')],
  ['2026-02-28T12:30:00.000Z', new Date('2026-02-28T12:30:00Z')],
  ['2026-02-30', '2026-02-30'],
  ['1899-12-31', '1899-12-31'],
  [{ a: [1] }, '{"a":[1]}'],
  [null, null],
  ['', null],
];

suite('XLSX', () => {
  for (const [value, found] of CELLS)
    test(`F49 gives ${JSON.stringify(value)} back as it is, and never as a formula`, async () => {
      const [sheet] = await readBack([{ first: 1, value }]);
      assert.deepEqual(sheet?.data, [
        ['first', 'value'],
        [1, found],
      ]);
    });

  test('F49 writes a text of more than the 32,767 characters that a cell can hold whole to a sheet of its own', async () => {
    const long = `${'x'.repeat(32_766)}\u{1f600}${'y'.repeat(40_000)}`;
    const [sheet, rest] = await readBack([{ a: 'short' }, { a: 1, b: long }]);
    const shown = String(sheet?.data[2]?.[1]);
    assert.deepEqual([shown.length, shown.endsWith('(whole in the sheet "Long texts")')], [32_767, true]);
    assert.deepEqual([rest?.sheet, rest?.data[0]], ['Long texts', ['row', 'column', 'part', 'text']]);
    assert.deepEqual(
      rest?.data.slice(1).map((cells) => cells.slice(0, 3)),
      [
        [3, 'b', 1],
        [3, 'b', 2],
        [3, 'b', 3],
      ],
    );
    assert.equal(
      rest?.data
        .slice(1)
        .map((cells) => cells[3])
        .join(''),
      long,
    );
  });

  test('gives back characters that XML can not hold, and texts that look like their escapes', async () => {
    const [sheet] = await readBack([{ a: '\u0000 \u001b _x0041_' }]);
    assert.equal(sheet?.data[1]?.[0], '\u0000 \u001b _x0041_');
  });

  test('goes on in a next sheet when one is full, each with its head', async () => {
    const sheets = await readBack([{ a: 1 }, { a: 2 }, { a: 3 }], 'Shelf', 3);
    assert.deepEqual(
      sheets.map(({ sheet, data }) => [sheet, data]),
      [
        ['Shelf 1', [['a'], [1], [2]]],
        ['Shelf 2', [['a'], [3]]],
      ],
    );
  });

  test('names its sheet as Excel allows', async () => {
    const [sheet] = await readBack([{ a: 1 }], `'a/b\\c?*[x]:${'y'.repeat(50)}`);
    assert.match(sheet?.sheet ?? '', /^[^\\/?*[\]:']{1,31}$/);
  });

  test('names columns beyond Z', async () => {
    const row = Object.fromEntries(Array.from({ length: 800 }, (_, i) => [`c${i}`, i]));
    const [sheet] = await readBack([row]);
    assert.deepEqual(sheet?.data[1], Object.values(row));
  });

  test('F60 keeps what stands behind the thousandth column as JSON in the last one', async () => {
    const row = Object.fromEntries(Array.from({ length: 1002 }, (_, i) => [`c${i}`, i]));
    const [sheet] = await readBack([row]);
    assert.equal(sheet?.data[0]?.length, 1001);
    assert.equal(sheet?.data[1]?.at(-1), '{"c1000":1000,"c1001":1001}');
  });

  test('is a workbook without rows too', async () => assert.equal((await readBack([])).length, 1));

  test('depends on the rows alone', async () => assert.deepEqual(await workbookOf([{ a: 1 }]), await workbookOf([{ a: 1 }])));
});
