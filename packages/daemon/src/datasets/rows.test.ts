// Rows of runs beside a plain model of D24: what every view, count, search, export and sample shows after any order of events.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import type { DatasetRecord } from '@weft/contract';
import fc from 'fast-check';
import type { Database } from '../db/open.ts';
import { openDatabase, transaction } from '../db/open.ts';
import { createRunStore } from '../runs/store.ts';
import type { ViewQuery } from './dataset.ts';
import { createDatasets } from './dataset.ts';
import type { DatasetReader } from './reader/reader.ts';
import { createReader } from './reader/reader.ts';
import { createDatasetRunStore } from './run-store.ts';
import { createDatasetStore } from './store.ts';
import { createDatasetUpkeep } from './upkeep.ts';
import { createDatasetWriter } from './writer.ts';

const WORDS = ['numbat', 'quoll', 'bilby'] as const;
const KEYS = ['a', 'b', 'c'] as const;
const SETTLED = ['succeeded', 'failed', 'cancelled'] as const;

interface NewRow {
  readonly key: (typeof KEYS)[number];
  readonly word: (typeof WORDS)[number];
}

interface ModelRow {
  readonly id: number;
  readonly key: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface ModelRun {
  readonly id: number;
  readonly shelf: number;
  status: 'running' | (typeof SETTLED)[number] | 'dropped';
  rows: ModelRow[];
  /** Whether it ever had rows: one whose rows were deleted is still the newest that brought some. */
  hasBrought: boolean;
}

/** What a dataset shows by the letter of D24: the newest row of each key, or all rows of the newest settled run. */
function newestOf(runs: readonly ModelRun[], isByKey: boolean): readonly ModelRow[] {
  const rows = runs.flatMap((run) => run.rows).toSorted((one, other) => one.id - other.id);
  if (isByKey) return rows.filter(({ id, key }) => !rows.some((other) => other.key === key && other.id > id));
  // One that failed, or was cancelled, with nothing has nothing to show in the place of the older.
  const shown = runs.findLast(({ status, hasBrought }) => status === 'succeeded' || (isSettled(status) && hasBrought));
  return shown?.rows ?? [];
}

function isSettled(status: ModelRun['status']): boolean {
  return SETTLED.some((each) => each === status);
}

type Step =
  | { readonly act: 'begin'; readonly shelf: number }
  | { readonly act: 'add' | 'undo'; readonly run: number; readonly rows: readonly NewRow[] }
  | { readonly act: 'settle'; readonly run: number; readonly status: (typeof SETTLED)[number] }
  | { readonly act: 'drop'; readonly run: number }
  | { readonly act: 'delete'; readonly run: number; readonly word: (typeof WORDS)[number] }
  | { readonly act: 'sweep' | 'prune' | 'restart' };

/** Counted from the newest. */
const RUN = fc.nat({ max: 3 });
const ROWS = fc.array(fc.record({ key: fc.constantFrom(...KEYS), word: fc.constantFrom(...WORDS) }), { maxLength: 4, size: 'max' });
const STEP: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act: fc.constant('begin'), shelf: fc.nat({ max: 1 }) }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constantFrom('add', 'add', 'undo'), run: RUN, rows: ROWS }) },
  { weight: 5, arbitrary: fc.record({ act: fc.constant('settle'), run: RUN, status: fc.constantFrom(...SETTLED) }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('drop'), run: RUN }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('delete'), run: RUN, word: fc.constantFrom(...WORDS) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constantFrom('sweep', 'sweep', 'prune', 'restart') }) },
);

/** Two datasets on one database, the first by run and the second by key, and the model of both. */
function openShelves(folder: string, reader: DatasetReader) {
  let database = openAt(folder);
  let nouns = createNouns(database, reader);
  const close = async () => {
    await nouns.upkeep.close();
    database.close();
  };
  database.fast.exec('DELETE FROM run; DELETE FROM dataset');
  const ids = [
    nouns.writer.ensure({ kind: 'workflow', id: 1, replacedBy: 'run' }, 'by run', 0),
    nouns.writer.ensure({ kind: 'workflow', id: 2, replacedBy: 'key' }, 'by key', 0),
  ] as const;
  const runs: ModelRun[] = [];
  const shelfOf = (id: number, shelf: number) => ({ id, isByKey: shelf === 1, runs: () => runs.filter((run) => run.shelf === shelf) });
  const shelves = [shelfOf(ids[0], 0), shelfOf(ids[1], 1)] as const;

  const addRows = (run: ModelRun, rows: readonly NewRow[]): ModelRow[] => {
    const { id, isByKey } = shelves[run.shelf] as (typeof shelves)[number];
    const bodies = rows.map(({ word }) => ({ word, [`of run ${run.id}`]: true }));
    const records = bodies.map((body, i) => ({ run_id: run.id, created_at: 0, body, ...(isByKey ? { key: rows[i]?.key ?? '' } : {}) }));
    const added = nouns.writer.addRecords(id, records);
    return bodies.map((body, i) => ({
      id: added[i] ?? 0,
      key: isByKey ? (rows[i]?.key ?? '') : String(run.rows.length + i + 1),
      body,
    }));
  };
  const acts = {
    async begin({ shelf }: { readonly shelf: number }) {
      const source = { source_kind: 'workflow', source_id: shelf, source_name: 'w', owner_id: 'o' };
      const id = nouns.runStore.insert({ kind: 'workflow', ...source, created_at: 0 }, () => shelves[shelf]?.id ?? 0);
      nouns.runStore.start(id, 0);
      runs.push({ id, shelf, status: 'running', rows: [], hasBrought: false });
    },
    async add(run: ModelRun, rows: readonly NewRow[]) {
      if (run.status === 'dropped') return;
      run.rows.push(...transaction(database.fast, () => addRows(run, rows)));
      run.hasBrought ||= rows.length > 0;
    },
    /** As a process that dies before it commits. */
    async undo(run: ModelRun, rows: readonly NewRow[]) {
      const dies = () =>
        transaction(database.fast, () => {
          addRows(run, rows);
          nouns.runStore.settle(run.id, 'succeeded', undefined, 0);
          throw new Error('died');
        });
      assert.throws(dies, /died/);
    },
    async settle(run: ModelRun, status: (typeof SETTLED)[number]) {
      if (nouns.runStore.settle(run.id, status, undefined, 0)) run.status = status;
    },
    async drop(run: ModelRun) {
      const dropping = nouns.upkeep.dropRun(shelves[run.shelf]?.id ?? 0, run.id);
      if (run.status === 'running') return await assert.rejects(dropping, { code: 'conflict' });
      assert.equal(await dropping, run.rows.length);
      run.status = 'dropped';
      run.rows = [];
    },
    /** Rows of a live run are refused before they come here. */
    async delete(run: ModelRun, word: (typeof WORDS)[number]) {
      if (run.status === 'running') return;
      const gone = run.rows.filter(({ body }) => body['word'] === word);
      const ids = Float64Array.from(idsOf(gone));
      assert.equal(await nouns.upkeep.deleteRecords(shelves[run.shelf]?.id ?? 0, ids), gone.length);
      run.rows = run.rows.filter((row) => !gone.includes(row));
    },
    sweep: () => nouns.upkeep.sweep(),
    prune: async () =>
      nouns.runStore.outdated(Number.MAX_SAFE_INTEGER, 1, Number.MAX_SAFE_INTEGER).forEach((id) => nouns.runStore.delete(id)),
    async restart() {
      await close();
      database = openAt(folder);
      nouns = createNouns(database, reader);
    },
  };
  return {
    shelves,
    nouns: () => nouns,
    database: () => database,
    close,
    async take(step: Step) {
      if (step.act === 'begin') return await acts.begin(step);
      if (!('run' in step)) return await acts[step.act]();
      const run = runs.at(-1 - (step.run % Math.max(1, runs.length)));
      if (!run) return;
      if (step.act === 'settle') await acts.settle(run, step.status);
      else if (step.act === 'drop') await acts.drop(run);
      else if (step.act === 'delete') await acts.delete(run, step.word);
      else await acts[step.act](run, step.rows);
    },
  };
}

function createNouns(database: Database, reader: DatasetReader) {
  const store = createDatasetStore(database);
  return {
    writer: createDatasetWriter(store),
    upkeep: createDatasetUpkeep(createDatasetRunStore(database)),
    datasets: createDatasets({ store, reader }),
    runStore: createRunStore(database),
  };
}

function openAt(folder: string): Database {
  return openDatabase({ path: join(folder, 'weft.db'), backups: join(folder, 'backups'), nowMs: 0 });
}

type Shelves = ReturnType<typeof openShelves>;
type Shelf = Shelves['shelves'][number];

/** The lists, counts and searches of a dataset. */
async function assertShown(of: Shelves, shelf: Shelf): Promise<void> {
  const { datasets } = of.nouns();
  const newest = newestOf(shelf.runs(), shelf.isByKey);
  assert.equal(datasets.require(shelf.id).records, newest.length, 'count');
  for (const [view, rows] of viewsOf(shelf)) assert.deepEqual(listed(of, shelf.id, view), rows, JSON.stringify(view));
  const found = async (q: string, runId?: number, id?: number) => {
    const { data } = await datasets.search({ q, run_id: runId, limit: 50 }, id);
    return data.filter(({ dataset }) => dataset.id === shelf.id).map(({ record_id }) => record_id);
  };
  for (const word of WORDS) {
    const wanted = newest.filter(({ body }) => body['word'] === word);
    for (const id of [undefined, shelf.id]) assert.deepEqual((await found(word, undefined, id)).toSorted(byNumber), idsOf(wanted), word);
    for (const { id, rows } of shelf.runs())
      assert.deepEqual((await found(word, id)).toSorted(byNumber), idsOf(wanted.filter((row) => rows.includes(row))), `${word} of ${id}`);
  }
}

/** Its exports and its sample. */
async function assertRead(of: Shelves, shelf: Shelf): Promise<void> {
  const { datasets } = of.nouns();
  for (const [view, rows] of viewsOf(shelf)) {
    const bodies = JSON.parse(await text(datasets.export(shelf.id, { ...view, format: 'json' }))) as unknown;
    assert.deepEqual(bodies, bodiesOf(rows), `export ${JSON.stringify(view)}`);
  }
  const newest = newestOf(shelf.runs(), shelf.isByKey);
  const { schema } = await datasets.read(shelf.id);
  const members = new Set(newest.flatMap(({ body }) => Object.keys(body)));
  assert.deepEqual([schema.sampled, new Set(schema.fields.map(({ name }) => name))], [newest.length, members]);
}

/** The index holds what is shown and what is not yet shown, and nothing else. */
async function assertSwept(of: Shelves): Promise<void> {
  await of.nouns().upkeep.sweep();
  const expected = of.shelves.flatMap(({ runs, isByKey }) => [
    ...newestOf(runs(), isByKey),
    ...runs().flatMap(({ status, rows }) => (status === 'running' && !isByKey ? rows : [])),
  ]);
  const indexed = of.database().fast.prepare('SELECT rowid AS id FROM record_text ORDER BY rowid').all();
  assert.deepEqual(
    indexed.map(({ id }) => Number(id)),
    idsOf(expected).toSorted(byNumber),
  );
  of.database().fast.exec(`INSERT INTO record_text (record_text) VALUES ('integrity-check')`);
}

function viewsOf({ runs, isByKey }: Shelf): readonly (readonly [ViewQuery, readonly ModelRow[]])[] {
  const all = runs()
    .flatMap(({ rows }) => rows)
    .toSorted((one, other) => one.id - other.id);
  return [[{}, newestOf(runs(), isByKey)], [{ snapshot: 'all' }, all], ...runs().map(({ id, rows }) => [{ run_id: id }, rows] as const)];
}

/** All pages of a list, two rows each. */
function listed(of: Shelves, id: number, view: ViewQuery): readonly ModelRow[] {
  const rows: ModelRow[] = [];
  for (let cursor: string | undefined = undefined; ;) {
    const page = of.nouns().datasets.records(id, { ...view, limit: 2, cursor });
    for (const parts of page.items) {
      const { id: recordId, key, data } = JSON.parse([...parts(() => 65_536)].join('')) as DatasetRecord;
      rows.push({ id: recordId, key, body: data });
    }
    if (page.next_cursor === undefined) return rows;
    cursor = page.next_cursor;
  }
}

const byNumber = (one: number, other: number) => one - other;
const idsOf = (rows: readonly ModelRow[]) => rows.map(({ id }) => id);
const bodiesOf = (rows: readonly ModelRow[]) => rows.map(({ body }) => body);

const rows = (count: number, word: NewRow['word'] = 'quoll'): readonly NewRow[] =>
  Array.from({ length: count }, (_, i) => ({ key: KEYS[i % KEYS.length] ?? 'a', word }));
/** A run that ends, without a key unless it is of shelf 1; the steps speak of it as the newest. */
const ended = (count: number, status: (typeof SETTLED)[number], word?: NewRow['word'], shelf = 0): readonly Step[] => [
  { act: 'begin', shelf },
  { act: 'add', run: 0, rows: rows(count, word) },
  { act: 'settle', run: 0, status },
  { act: 'sweep' },
];
const THREE = ended(3, 'succeeded', 'bilby');
const THREE_BY_KEY = ended(3, 'succeeded', 'bilby', 1);
const DROP: Step = { act: 'drop', run: 0 };

/** What happens to the rows of one dataset, and the words that are shown then. */
const CASES: readonly (readonly [promise: string, steps: readonly Step[], shown: string])[] = [
  ['a shorter run leaves nothing of the longer one', [...THREE, ...ended(2, 'succeeded')], 'quoll quoll'],
  ['a longer run replaces the shorter one', [...THREE, ...ended(4, 'succeeded')], 'quoll quoll quoll quoll'],
  ['an equal run replaces the other', [...THREE, ...ended(3, 'succeeded')], 'quoll quoll quoll'],
  ['a run that found nothing shows nothing', [...THREE, ...ended(0, 'succeeded')], ''],
  ['a run that failed without rows replaces nothing', [...THREE, ...ended(0, 'failed')], 'bilby bilby bilby'],
  ['a run that was cancelled without rows replaces nothing', [...THREE, ...ended(0, 'cancelled')], 'bilby bilby bilby'],
  ['what a failed run brought is the newest', [...THREE, ...ended(1, 'failed')], 'quoll'],
  ['what a cancelled run brought is the newest', [...THREE, ...ended(1, 'cancelled')], 'quoll'],
  ['rows of a live run are not shown', [...THREE, { act: 'begin', shelf: 0 }, { act: 'add', run: 0, rows: rows(2) }], 'bilby bilby bilby'],
  ['deleting the newer run brings the older back', [...THREE, ...ended(2, 'succeeded'), DROP], 'bilby bilby bilby'],
  ['deleting a run that found nothing does so, too', [...THREE, ...ended(0, 'succeeded'), DROP], 'bilby bilby bilby'],
  [
    'deleting two brings back the one before',
    [...THREE, ...ended(1, 'failed'), ...ended(2, 'succeeded'), DROP, { act: 'drop', run: 1 }],
    'bilby bilby bilby',
  ],
  ['deleting the older run changes nothing', [...THREE, ...ended(2, 'succeeded'), { act: 'drop', run: 1 }], 'quoll quoll'],
  ['deleting the only run leaves nothing', [...THREE, DROP], ''],
  ['deleting rows brings no older run back', [...THREE, ...ended(2, 'failed'), { act: 'delete', run: 0, word: 'quoll' }], ''],
  [
    'by key, deleting rows of the newer run brings the older back',
    [...THREE_BY_KEY, ...ended(2, 'succeeded', 'quoll', 1), { act: 'delete', run: 0, word: 'quoll' }],
    'bilby bilby bilby',
  ],
  [
    'a run that began first and ends last is the older one',
    [{ act: 'begin', shelf: 0 }, ...THREE, { act: 'add', run: 1, rows: rows(1) }, { act: 'settle', run: 1, status: 'succeeded' }],
    'bilby bilby bilby',
  ],
  [
    'rows that come after their run was cancelled are shown',
    [...THREE, ...ended(0, 'cancelled'), { act: 'add', run: 0, rows: rows(1) }],
    'quoll',
  ],
  ['a run whose row retention deleted is shown as before', [...THREE, ...ended(2, 'succeeded'), { act: 'prune' }], 'quoll quoll'],
  [
    'rows that come late to a replaced run stay hidden',
    [...THREE, ...ended(2, 'succeeded'), { act: 'add', run: 1, rows: rows(1) }],
    'quoll quoll',
  ],
  ['by key, a row replaces the one before it, and no other', [...THREE_BY_KEY, ...ended(1, 'succeeded', 'quoll', 1)], 'bilby bilby quoll'],
  [
    'by key, rows of a live run are shown',
    [...THREE_BY_KEY, { act: 'begin', shelf: 1 }, { act: 'add', run: 0, rows: rows(1) }],
    'bilby bilby quoll',
  ],
  [
    'by key, deleting the newer run brings the older rows back',
    [...THREE_BY_KEY, ...ended(2, 'cancelled', 'quoll', 1), DROP],
    'bilby bilby bilby',
  ],
  [
    'by key, deleting the older run leaves the newer rows',
    [...THREE_BY_KEY, ...ended(2, 'failed', 'quoll', 1), { act: 'drop', run: 1 }],
    'quoll quoll',
  ],
  [
    'by key, a run that names one twice shows the last, and is deleted whole',
    [...THREE_BY_KEY, ...ended(4, 'succeeded', 'quoll', 1), DROP],
    'bilby bilby bilby',
  ],
];

suite('rows of runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-rows-'));
  let database: Database;
  let reader: DatasetReader;
  before(() => {
    mkdirSync(join(folder, 'backups'));
    database = openAt(folder);
    // On connections of its own, as its threads are: what it finds was committed.
    reader = createReader(database);
  });
  after(async () => {
    await reader.close();
    database.close();
    rmSync(folder, { recursive: true });
  });

  for (const [promise, steps, shown] of CASES)
    test(`D24 ${promise}`, async () => {
      const of = openShelves(folder, reader);
      try {
        for (const step of steps) await of.take(step);
        const shelf = of.shelves[steps.some((step) => step.act === 'begin' && step.shelf === 1) ? 1 : 0];
        assert.equal(
          newestOf(shelf.runs(), shelf.isByKey)
            .map(({ body }) => body['word'])
            .join(' '),
          shown,
          'the model',
        );
        await assertShown(of, shelf);
        await assertRead(of, shelf);
        await assertSwept(of);
        await assertShown(of, shelf);
      } finally {
        await of.close();
      }
    });

  test('D24 views, counts, search, exports and samples equal the model after any order of events', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 8, maxLength: 40, size: 'max' }), async (steps) => {
        const of = openShelves(folder, reader);
        try {
          for (const step of steps) {
            await of.take(step);
            if (step.act === 'drop' || step.act === 'delete') for (const shelf of of.shelves) await assertShown(of, shelf);
          }
          for (const shelf of of.shelves) await assertShown(of, shelf);
          for (const shelf of of.shelves) await assertRead(of, shelf);
          await assertSwept(of);
          for (const shelf of of.shelves) await assertShown(of, shelf);
        } finally {
          await of.close();
        }
      }),
      { numRuns: 40 },
    );
  });
});
