// Tables over a million rows of a workflow, each answer beside plain SQL on a table of typed columns that holds the same rows.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { createReader } from '../../../packages/daemon/src/datasets/reader/reader.ts';
import type { DatasetReader } from '../../../packages/daemon/src/datasets/reader/reader.ts';
import { createDatasetRunStore } from '../../../packages/daemon/src/datasets/run-store.ts';
import { createDatasetStore } from '../../../packages/daemon/src/datasets/store.ts';
import type { Selection } from '../../../packages/daemon/src/datasets/table/selection.ts';
import { createDatasetUpkeep } from '../../../packages/daemon/src/datasets/upkeep.ts';
import { createDatasetWriter } from '../../../packages/daemon/src/datasets/writer.ts';
import type { Database } from '../../../packages/daemon/src/db/open.ts';
import { openDatabase, transaction } from '../../../packages/daemon/src/db/open.ts';
import { scratchFolder } from '../processes.ts';
import type { BenchRow } from '../row.ts';

export const isSlow = true;

const ROWS = 1_000_000;
const BATCH = 1000;
const CITIES = 30_000;
const SAMPLE_MS = 20;
/** The run that tables are made of, and two that are compared. */
const RUNS = [
  { id: 1, rows: ROWS / 10 },
  { id: 2, rows: ROWS / 10 },
  { id: 3, rows: ROWS },
] as const;
const SHOWN = 3;
const ALL_ROWS = RUNS.reduce((sum, { rows }) => sum + rows, 0);
const COLUMNS = ['n', 'city', 'price', 'note'] as const;

/** A run of a million rows, and two of a tenth, of which the second has a hundredth changed. */
export async function bench(): Promise<BenchRow[]> {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'weft.db');
  mkdirSync(join(scratch.path, 'backups'));
  const database = openDatabase({ path, backups: join(scratch.path, 'backups'), nowMs: 0 });
  const store = createDatasetStore(database);
  const datasetId = createDatasetWriter(store).ensure({ kind: 'workflow', id: 1, replacedBy: 'run' }, 'rows', 0);
  const rivalPath = join(scratch.path, 'plain.db');
  const rates = [fill(database, datasetId), fillPlain(rivalPath)] as const;
  const reader = createReader(database);
  const upkeep = createDatasetUpkeep(createDatasetRunStore(database));
  const rival = openRival(rivalPath);
  try {
    const rows: BenchRow[] = [
      { name: 'keep a row, made searchable', value: rates[0], unit: 'rows/s', rival: 'plain SQLite, not searchable', rivalValue: rates[1] },
    ];
    for (const look of looksAt(reader, { datasetId, view: { runId: SHOWN } })) {
      const own = await watch(look.own);
      const other = await watch(() => rival.ask(look.sql));
      const beside = { rival: 'plain SQLite' } as const;
      rows.push({ name: look.name, value: own.milliseconds, unit: 'ms', ...beside, rivalValue: other.milliseconds });
      rows.push({ name: `${look.name}, memory`, value: own.megabytes, unit: 'MB more', ...beside, rivalValue: other.megabytes });
    }
    const { ids } = await reader.tables.ids({
      selection: { datasetId, view: { runId: SHOWN }, filters: [{ column: 'price', op: 'lt', value: 10 }] },
      withReplaced: false,
    });
    const startedMs = performance.now();
    await upkeep.deleteRecords(datasetId, ids);
    const perRow = (performance.now() - startedMs) / ids.length;
    const plain = await watch(() => rival.ask(`DELETE FROM plain WHERE run = ${SHOWN} AND price < 10 RETURNING n`));
    rows.push({
      name: 'delete a row of some 10,000, also from search',
      value: perRow,
      unit: 'ms',
      rival: 'plain SQLite, no search',
      rivalValue: plain.milliseconds / ids.length,
    });
    return rows;
  } finally {
    await Promise.all([reader.close(), upkeep.close(), rival.close()]);
    database.close();
  }
}

interface Look {
  readonly name: string;
  own(): Promise<unknown>;
  /** The same answer for the rival; several statements are several answers. */
  readonly sql: string;
}

function looksAt({ tables }: DatasetReader, all: Selection): readonly Look[] {
  const page = (selection: Selection, column?: string) => () =>
    tables.page({ selection, order: column === undefined ? undefined : { column, isDescending: true }, limit: 50 });
  const cheap: Selection = { ...all, filters: [{ column: 'city', op: 'contains', value: 'city 12' }] };
  const facet = (column: string) =>
    `SELECT count(${column}), count(DISTINCT ${column}), min(${column}), max(${column}) FROM plain WHERE run = ${SHOWN};
     SELECT ${column}, count(*) FROM plain WHERE run = ${SHOWN} GROUP BY ${column} ORDER BY 2 DESC LIMIT 10`;
  const total = (where: string) => `SELECT count(*) FROM plain WHERE run = ${SHOWN} AND ${where}`;
  return [
    {
      name: 'the first page, columns not known yet',
      own: page(all),
      sql: `SELECT * FROM plain WHERE run = ${SHOWN} LIMIT 50; ${total('1')}`,
    },
    { name: 'the first page', own: page(all), sql: `SELECT * FROM plain WHERE run = ${SHOWN} LIMIT 50; ${total('1')}` },
    {
      name: 'sorted by a column',
      own: page(all, 'price'),
      sql: `SELECT * FROM plain WHERE run = ${SHOWN} ORDER BY price DESC LIMIT 50; ${total('1')}`,
    },
    {
      name: 'filtered and sorted',
      own: page(cheap, 'price'),
      sql: `SELECT * FROM plain WHERE run = ${SHOWN} AND city LIKE '%city 12%' ORDER BY price DESC LIMIT 50; ${total("city LIKE '%city 12%'")}`,
    },
    { name: 'facets of four columns', own: () => tables.facets({ selection: all, top: 10 }), sql: COLUMNS.map(facet).join(';') },
    {
      name: `what differs between two runs of ${ROWS / 10} rows`,
      own: () => tables.diff({ datasetId: all.datasetId, from: 1, to: 2, limit: 50, offset: 0 }),
      sql: `SELECT count(*) FROM (SELECT city, price, note FROM plain WHERE run = 2 EXCEPT SELECT city, price, note FROM plain WHERE run = 1);
            SELECT count(*) FROM (SELECT city, price, note FROM plain WHERE run = 1 EXCEPT SELECT city, price, note FROM plain WHERE run = 2)`,
    },
  ];
}

/** How long it takes, and how far the process grows at most meanwhile. */
async function watch(work: () => Promise<unknown>): Promise<{ readonly milliseconds: number; readonly megabytes: number }> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), SAMPLE_MS);
  const startedMs = performance.now();
  await work();
  const milliseconds = performance.now() - startedMs;
  clearInterval(timer);
  return { milliseconds, megabytes: (most - before) / 1e6 };
}

function rowOf(run: number, n: number) {
  const isChanged = run === 2 && n % 100 === 0;
  return {
    n,
    city: `City ${(n * 7919) % CITIES}`,
    price: ((n * 104_729) % 100_000) / 100 + (isChanged ? 1 : 0),
    note: `note of ${n % 1000}`,
  };
}

/** Rows a second. */
function fill(database: Database, datasetId: number): number {
  const writer = createDatasetWriter(createDatasetStore(database));
  const startedMs = performance.now();
  for (const { id, rows } of RUNS) {
    for (let n = 0; n < rows; n += BATCH) {
      const records = Array.from({ length: BATCH }, (_, i) => ({ run_id: id, created_at: 0, body: rowOf(id, n + i) }));
      transaction(database.fast, () => writer.addRecords(datasetId, records));
    }
  }
  return ALL_ROWS / ((performance.now() - startedMs) / 1000);
}

function fillPlain(path: string): number {
  const plain = new DatabaseSync(path);
  plain.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE plain (id INTEGER PRIMARY KEY, run INTEGER, n INTEGER, city TEXT, price REAL, note TEXT)',
  );
  const insert = plain.prepare('INSERT INTO plain (run, n, city, price, note) VALUES (?, ?, ?, ?, ?)');
  const startedMs = performance.now();
  for (const { id, rows } of RUNS)
    for (let from = 0; from < rows; from += BATCH) {
      plain.exec('BEGIN');
      for (let i = 0; i < BATCH; i++) {
        const { n, city, price, note } = rowOf(id, from + i);
        insert.run(id, n, city, price, note);
      }
      plain.exec('COMMIT');
    }
  const seconds = (performance.now() - startedMs) / 1000;
  plain.exec('CREATE INDEX plain_by_run ON plain (run, id)');
  plain.close();
  return ALL_ROWS / seconds;
}

const RIVAL = `
const { parentPort, workerData } = require('node:worker_threads');
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(workerData);
database.exec('PRAGMA cache_size = -16000');
parentPort.on('message', (sql) => {
  for (const one of sql.split(';')) database.prepare(one).all();
  parentPort.postMessage('done');
});`;

/** Plain SQL in a thread of its own, as the reader has one. */
function openRival(path: string) {
  const worker = new Worker(RIVAL, { eval: true, workerData: path });
  return {
    ask: (sql: string) =>
      new Promise<void>((resolve, reject) => {
        worker.once('error', reject);
        worker.once('message', () => {
          worker.off('error', reject);
          resolve();
        });
        worker.postMessage(sql);
      }),
    close: async () => void (await worker.terminate()),
  };
}
