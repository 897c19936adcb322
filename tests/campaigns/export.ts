// Exports a large dataset while rows are added to it: one moment, whole, and in memory that does not grow with the rows.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';
import type { Datasets } from '../../packages/daemon/src/datasets/dataset.ts';
import { createDatasets } from '../../packages/daemon/src/datasets/dataset.ts';
import { createReader } from '../../packages/daemon/src/datasets/reader/reader.ts';
import { createDatasetStore } from '../../packages/daemon/src/datasets/store.ts';
import { createDatasetWriter } from '../../packages/daemon/src/datasets/writer.ts';
import type { Database } from '../../packages/daemon/src/db/open.ts';
import { openDatabase, transaction } from '../../packages/daemon/src/db/open.ts';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import type { OfficeCell } from '../office.ts';
import { hasOffice, openInOffice } from '../office.ts';
import { parseStrictCsv } from '../strict-csv.ts';

export const roundsInTests = 1;

/** A hundred rounds make a million. */
const ROWS_PER_ROUND = 10_000;
const ROWS_PER_BATCH = 1000;
const ROWS_PER_PIECE = 20;
/** What an export may take beside what the process had: buffers, a thread, a page cache; the same for a thousand rows and for millions. */
const GROWTH_MEGABYTES_MAX = 200;
/** From so many rounds on, a quarter of the rows is exported first, to have two sizes to compare, and LibreOffice opens a sample. */
const COMPARED_ROUNDS_MIN = 4;
const OFFICE_ROWS = 50_000;
const SHEET_ROWS_MAX = 1_048_575;

/** One round is ten thousand rows of the one dataset that is then exported as CSV and as a workbook. Nothing here is random. */
export async function campaign({ rounds, log }: CampaignOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-export-'));
  const database = openDatabase({ path: join(folder, 'weft.db'), backups: folder, nowMs: 0 });
  const reader = createReader(database);
  const datasets = createDatasets({ store: createDatasetStore(database), reader });
  try {
    const rows = startRows(database, 1, rowOf);
    const shares = rounds >= COMPARED_ROUNDS_MIN ? [Math.floor(rounds / 4), rounds] : [rounds];
    for (const share of shares) {
      rows.add(share * ROWS_PER_ROUND - rows.count());
      for (const format of ['csv', 'xlsx'] as const) await exportWatched(datasets, rows, { format, folder, log });
    }
    assert.equal(checkpoint(database), 0, 'no snapshot is held after the exports');
    if (rounds >= COMPARED_ROUNDS_MIN) await openBoth(datasets, startRows(database, 2, riskyRow), { folder, log });
  } finally {
    await reader.close();
    database.close();
    rmSync(folder, { recursive: true });
  }
}

interface Place {
  readonly folder: string;
  log(line: string): void;
}

async function exportWatched(datasets: Datasets, rows: Rows, { format, folder, log }: Place & { readonly format: 'csv' | 'xlsx' }) {
  const count = rows.count();
  const file = join(folder, `rows.${format}`);
  const pieces = datasets.export(rows.datasetId, { format, spreadsheet_safe: true });
  const { megabytes, bytes, milliseconds } = await writeWatched(pieces, file, () => rows.add(ROWS_PER_PIECE));
  const growth = Math.max(...megabytes);
  log(
    `${format}: ${count} rows, ${bytes} bytes, ${Math.round(milliseconds)} ms; ` +
      `MB more in each quarter ${megabytes.map(Math.round).join(' ')}, ${rows.count() - count} rows added meanwhile`,
  );
  assert.ok(growth < GROWTH_MEGABYTES_MAX, `the process grew by ${growth} MB`);
  if (format === 'csv') await assertCsv(file, count);
  else await assertWorkbook(file, count);
}

interface Rows {
  readonly datasetId: number;
  count(): number;
  add(count: number): void;
}

function startRows(database: Database, id: number, bodyOf: (n: number) => Readonly<Record<string, unknown>>): Rows {
  const writer = createDatasetWriter(createDatasetStore(database));
  const datasetId = writer.ensure({ kind: 'workflow', id }, 'rows', 0);
  let next = 0;
  return {
    datasetId,
    count: () => next,
    add(count) {
      for (const end = next + count; next < end;)
        transaction(database.fast, () => {
          for (const stop = Math.min(end, next + ROWS_PER_BATCH); next < stop; next++)
            writer.addRecords(datasetId, [{ run_id: 1, key: String(next), created_at: 0, body: bodyOf(next) }]);
        });
    },
  };
}

function rowOf(n: number) {
  return { n, name: `row, "${n}"`, price: n / 100, seen: '2026-01-01T00:00:00.000Z', note: n % 3 === 0 ? '=1+1\r\nx' : '\u{1f4da}' };
}

async function writeWatched(pieces: AsyncGenerator<Uint8Array>, file: string, between: () => void) {
  const startedMs = performance.now();
  const startBytes = process.memoryUsage().rss;
  const grown: number[] = [];
  let bytes = 0;
  const target = createWriteStream(file);
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (!target.write(piece)) await once(target, 'drain');
    between();
    grown.push((process.memoryUsage().rss - startBytes) / 1e6);
  }
  await finished(target.end());
  const quarter = Math.ceil(grown.length / 4);
  const megabytes = [0, 1, 2, 3].map((i) => Math.max(0, ...grown.slice(i * quarter, (i + 1) * quarter)));
  return { megabytes, bytes, milliseconds: performance.now() - startedMs };
}

/** Slice by slice, each cut at the end of a row, so that reading needs no more memory than writing. */
async function assertCsv(file: string, count: number): Promise<void> {
  let [rest, n] = ['', -1];
  const take = (text: string) => {
    for (const cells of parseStrictCsv(text)) {
      const { name, price, seen, note } = rowOf(n);
      const expected = n < 0 ? ['n', 'name', 'price', 'seen', 'note'] : [String(n), name, String(price), seen, note.replace('=', "'=")];
      assert.deepEqual(cells, expected);
      n++;
    }
  };
  for await (const piece of createReadStream(file, { encoding: 'utf8' })) {
    rest += String(piece);
    // Only a row begins with a number behind a line break: the note is the one cell that holds breaks.
    const end = [...rest.matchAll(/\r\n(?=\d+,"row)/g)].at(-1)?.index;
    if (end === undefined) continue;
    take(rest.slice(0, end + 2));
    rest = rest.slice(end + 2);
  }
  take(rest);
  assert.equal(n, count);
}

async function assertWorkbook(file: string, count: number): Promise<void> {
  const sheets = Math.ceil(count / SHEET_ROWS_MAX);
  let n = 0;
  for (let sheet = 1; sheet <= sheets; sheet++)
    for await (const [, place, value] of rowsOfSheet(file, `xl/worksheets/sheet${sheet}.xml`)) {
      if (place === '1') continue;
      assert.equal(Number(value), n++);
    }
  assert.equal(n, count);
}

/** Each row's number and the value of its first cell, without holding the sheet. */
async function* rowsOfSheet(file: string, entry: string): AsyncGenerator<RegExpExecArray> {
  const { start, size } = await findEntry(file, entry);
  let rest = '';
  const xml = createReadStream(file, { start, end: start + size - 1 })
    .pipe(createInflateRaw())
    .setEncoding('utf8');
  for await (const piece of xml) {
    rest += String(piece);
    const end = rest.lastIndexOf('</row>') + 6;
    if (end < 6) continue;
    for (const match of rest.slice(0, end).matchAll(/<row r="(\d+)"><c r="A\d+"[^>]*>(?:<v>|<is><t[^>]*>)([^<]*)/g)) yield match;
    rest = rest.slice(end);
  }
}

/** Where the data of an entry stands, by the directory at the end of the archive. */
async function findEntry(file: string, entry: string): Promise<{ readonly start: number; readonly size: number }> {
  const handle = await open(file);
  try {
    const { size: total } = await handle.stat();
    const tail = Buffer.alloc(Math.min(total, 65_536));
    await handle.read(tail, 0, tail.length, total - tail.length);
    for (let at = tail.indexOf('PK\x01\x02', 0, 'latin1'); at >= 0; at = tail.indexOf('PK\x01\x02', at + 46, 'latin1')) {
      const nameLength = tail.readUInt16LE(at + 28);
      if (tail.toString('latin1', at + 46, at + 46 + nameLength) !== entry) continue;
      return { start: tail.readUInt32LE(at + 42) + 30 + nameLength, size: tail.readUInt32LE(at + 20) };
    }
    throw new Error(`${entry} is not in the archive`);
  } finally {
    await handle.close();
  }
}

/** Cells that a spreadsheet may take for formulas, and some that must arrive as they are. */
const RISKY = [
  '=1+1',
  '@SUM(1)',
  "+cmd|' /C calc'!A0",
  '-2+3',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  '=HYPERLINK("http://127.0.0.1")',
  '=DDE("a";"b";"c")',
  '\uff1d1+1',
  '{=1+1}',
  ' =1+1',
  'a\r\nb\nc',
  '\u{1f4da} \u4e2d\u6587',
  '"quoted", x',
];

function riskyRow(n: number) {
  const note = RISKY[n % RISKY.length] ?? '';
  return { n, note, price: n / 100, day: '2026-01-31', seen: '2026-01-01T10:20:30.000Z', yes: n % 2 === 0 };
}

/** A second opinion, where there is one: LibreOffice opens both formats, and it runs nothing that we did not mean to be run. */
async function openBoth(datasets: Datasets, rows: Rows, { folder, log }: Place): Promise<void> {
  if (!hasOffice()) return log('LibreOffice: there is none here (soffice), so nothing was opened with it');
  rows.add(OFFICE_ROWS);
  for (const format of ['csv', 'xlsx'] as const) {
    const sheet = await openExport(datasets, rows, join(folder, `opened.${format}`), true);
    assert.equal(sheet.length, OFFICE_ROWS + 1);
    for (const [i, cells] of sheet.entries()) if (i > 0) assertOpened(format, cells, riskyRow(i - 1));
    log(`LibreOffice: ${OFFICE_ROWS} rows of ${format} opened, each text as it was, numbers and dates as such, no formula`);
  }
  const unsafe = await openExport(datasets, rows, join(folder, 'unsafe.csv'), false);
  const formulas = unsafe.flat().filter(({ formula }) => formula !== undefined).length;
  assert.ok(formulas > 0, 'LibreOffice runs the formulas of a CSV that may hold them, so that it could have run ours');
  log(`LibreOffice: ${formulas} formulas in the same CSV without spreadsheet_safe`);
}

async function openExport(datasets: Datasets, rows: Rows, file: string, isSafe: boolean): Promise<OfficeCell[][]> {
  const format = file.endsWith('.csv') ? 'csv' : 'xlsx';
  await writeWatched(datasets.export(rows.datasetId, { format, spreadsheet_safe: isSafe }), file, () => undefined);
  return openInOffice(file);
}

function assertOpened(format: 'csv' | 'xlsx', cells: readonly OfficeCell[], row: ReturnType<typeof riskyRow>): void {
  const { n, note, price, day, seen, yes } = row;
  const lines = (text: string) => text.replaceAll(/\r\n?/g, '\n');
  const isFormulaLike = /^[=+\-@\t\r\n\uff1d]/.test(note);
  const shown = { csv: isFormulaLike ? `'${note}` : note, xlsx: note }[format];
  const common = [`float ${n}`, `string ${lines(shown)}`, `float ${price}`, `date ${day}`];
  // A workbook has truth values, which LibreOffice keeps as its formulas TRUE() and FALSE(), and instants; a CSV has texts, of which it knows the truth values.
  const rest = {
    csv: [`string ${seen}`, `boolean ${String(yes).toUpperCase()}`],
    xlsx: ['date 2026-01-01T10:20:30', `float ${Number(yes)}`],
  }[format];
  assert.deepEqual(
    cells.map(({ type, value }) => `${type} ${lines(value)}`),
    [...common, ...rest],
  );
  const formulas = cells.flatMap(({ formula }) => formula ?? []);
  assert.deepEqual(formulas, format === 'xlsx' ? [yes ? 'of:=TRUE()' : 'of:=FALSE()'] : []);
}

function checkpoint({ fast }: Database): number {
  return (fast.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number }).busy;
}
