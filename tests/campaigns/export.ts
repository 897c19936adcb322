// Exports a large dataset while rows are added to it: one moment, whole, and in memory that does not grow with the rows.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';
import { createDatasets } from '../../packages/daemon/src/datasets/dataset.ts';
import { createReader } from '../../packages/daemon/src/datasets/reader/reader.ts';
import { createDatasetStore } from '../../packages/daemon/src/datasets/store.ts';
import { createDatasetWriter } from '../../packages/daemon/src/datasets/writer.ts';
import type { Database } from '../../packages/daemon/src/db/open.ts';
import { openDatabase, transaction } from '../../packages/daemon/src/db/open.ts';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { parseStrictCsv } from '../strict-csv.ts';

export const roundsInTests = 1;

/** A hundred rounds make a million. */
const ROWS_PER_ROUND = 10_000;
const ROWS_PER_BATCH = 1000;
const ROWS_PER_PIECE = 20;
/** What an export may take beside what the process had: buffers, a thread, a page cache; the same for a thousand rows and for millions. */
const GROWTH_MEGABYTES_MAX = 250;
const OFFICE_ROWS_MAX = 60_000;
const SHEET_ROWS_MAX = 1_048_575;

/** One round is ten thousand rows of the one dataset that is then exported as CSV and as a workbook. Nothing here is random. */
export async function campaign({ rounds, log }: CampaignOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-export-'));
  const database = openDatabase({ path: join(folder, 'weft.db'), backups: folder, nowMs: 0 });
  const reader = createReader(database);
  try {
    const rows = startRows(database);
    rows.add(rounds * ROWS_PER_ROUND);
    for (const format of ['csv', 'xlsx'] as const) {
      const count = rows.count();
      const file = join(folder, `rows.${format}`);
      const datasets = createDatasets({ store: createDatasetStore(database), reader });
      const pieces = datasets.export(rows.datasetId, { format, spreadsheet_safe: true });
      const { growthMegabytes, bytes, milliseconds } = await writeWatched(pieces, file, () => rows.add(ROWS_PER_PIECE));
      log(`${format}: ${count} rows, ${bytes} bytes, ${Math.round(milliseconds)} ms, ${Math.round(growthMegabytes)} MB more at the most`);
      assert.ok(growthMegabytes < GROWTH_MEGABYTES_MAX, `the process grew by ${growthMegabytes} MB`);
      if (format === 'csv') await assertCsv(file, count);
      else await assertWorkbook(file, count, log);
    }
    assert.equal(checkpoint(database), 0, 'no snapshot is held after the exports');
  } finally {
    await reader.close();
    database.close();
    rmSync(folder, { recursive: true });
  }
}

interface Rows {
  readonly datasetId: number;
  count(): number;
  add(count: number): void;
}

function startRows(database: Database): Rows {
  const writer = createDatasetWriter(createDatasetStore(database));
  const datasetId = writer.ensure({ kind: 'workflow', id: 1 }, 'rows', 0);
  let next = 0;
  return {
    datasetId,
    count: () => next,
    add(count) {
      for (const end = next + count; next < end;)
        transaction(database.fast, () => {
          for (const stop = Math.min(end, next + ROWS_PER_BATCH); next < stop; next++)
            writer.addRecords(datasetId, [{ run_id: 1, key: String(next), created_at: 0, body: rowOf(next) }]);
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
  let [peak, bytes] = [startBytes, 0];
  const target = createWriteStream(file);
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (!target.write(piece)) await once(target, 'drain');
    between();
    peak = Math.max(peak, process.memoryUsage().rss);
  }
  await finished(target.end());
  return { growthMegabytes: (peak - startBytes) / 1e6, bytes, milliseconds: performance.now() - startedMs };
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

async function assertWorkbook(file: string, count: number, log: (line: string) => void): Promise<void> {
  const sheets = Math.ceil(count / SHEET_ROWS_MAX);
  let n = 0;
  for (let sheet = 1; sheet <= sheets; sheet++)
    for await (const [, place, value] of rowsOfSheet(file, `xl/worksheets/sheet${sheet}.xml`)) {
      if (place === '1') continue;
      assert.equal(Number(value), n++);
    }
  assert.equal(n, count);
  assertOffice(file, count, log);
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

/** A second opinion, where there is one and the workbook is of a size that it opens in time. */
function assertOffice(file: string, count: number, log: (line: string) => void): void {
  if (count > OFFICE_ROWS_MAX) return;
  const folder = mkdtempSync(join(tmpdir(), 'weft-office-'));
  try {
    const args = [`-env:UserInstallation=file://${folder}/profile`, '--headless', '--convert-to', 'csv', '--outdir', folder, file];
    const { error, status } = spawnSync('soffice', args, { stdio: 'ignore' });
    if (error) return log('xlsx: no LibreOffice here to open it with');
    assert.equal(status, 0);
    // It writes lone line feeds, and breaks inside of cells as they are.
    const rows = readFileSync(join(folder, 'rows.csv'), 'utf8').match(/^\d+,/gm) ?? [];
    assert.equal(rows.length, count);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function checkpoint({ fast }: Database): number {
  return (fast.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number }).busy;
}
