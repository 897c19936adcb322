import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, test } from 'node:test';
import type { JsonParts } from '@weft/contract';
import fc from 'fast-check';
import { MIGRATIONS } from '../db/migrations.ts';
import type { Database } from '../db/open.ts';
import { openDatabase, transaction } from '../db/open.ts';
import { createDatasets } from './dataset.ts';
import { createReader } from './reader/reader.ts';
import { createDatasetStore } from './store.ts';
import { createDatasetWriter } from './writer.ts';

const NOW_MS = Date.parse('2026-01-01T00:00:00Z');

function openAt(folder: string, name = 'weft.db'): Database {
  mkdirSync(join(folder, 'backups'), { recursive: true });
  return openDatabase({ path: join(folder, name), backups: join(folder, 'backups'), nowMs: NOW_MS });
}

/** What must hold after any change: one newest record for each key, the count of them, and an index of them and no others. */
function assertConsistent({ fast }: Database): void {
  const wrong = (sql: string) => assert.deepEqual(fast.prepare(sql).all(), [], sql);
  wrong('SELECT dataset_id, key FROM record GROUP BY dataset_id, key HAVING sum(is_newest) <> 1 OR max(id) <> max(id * is_newest)');
  wrong('SELECT id FROM dataset WHERE records <> (SELECT count(*) FROM record WHERE dataset_id = dataset.id AND is_newest = 1)');
  wrong('SELECT id FROM record WHERE is_newest = 1 EXCEPT SELECT rowid FROM record_text');
  wrong('SELECT rowid FROM record_text EXCEPT SELECT id FROM record WHERE is_newest = 1');
}

suite('records of datasets', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-records-'));
  let database: Database;
  before(() => void (database = openAt(folder)));
  after(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  test('flags, counts and index agree after any order of adding, replacing, undoing and deleting a dataset', () => {
    const writer = createDatasetWriter(createDatasetStore(database));
    const step = fc.record({
      source: fc.integer({ min: 1, max: 3 }),
      key: fc.constantFrom('a', 'b', 'c'),
      act: fc.constantFrom('add', 'add', 'add', 'undo', 'drop'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        for (const { source, key, act } of steps) {
          const dataset_id = writer.ensure({ kind: 'test', id: source }, 'test', NOW_MS);
          if (act === 'drop') database.fast.prepare('DELETE FROM dataset WHERE id = ?').run(dataset_id);
          else
            try {
              transaction(database.fast, () => {
                writer.addRecords(dataset_id, [{ run_id: 1, key, created_at: NOW_MS, body: { word: key } }]);
                if (act === 'undo') throw new Error('undone');
              });
            } catch (error) {
              assert.equal((error as Error).message, 'undone');
            }
        }
        assertConsistent(database);
      }),
      { numRuns: 30 },
    );
  });

  test('F76 a copy made between two writes has records, flags and index of one moment', async () => {
    const writer = createDatasetWriter(createDatasetStore(database));
    const dataset_id = writer.ensure({ kind: 'copied', id: 1 }, 'copied', NOW_MS);
    writer.addRecords(dataset_id, [{ run_id: 1, key: 'a', created_at: NOW_MS, body: { word: 'kowari' } }]);
    database.fast.prepare('VACUUM INTO ?').run(join(folder, 'copy.db'));
    writer.addRecords(dataset_id, [{ run_id: 1, key: 'b', created_at: NOW_MS, body: { word: 'kowari' } }]);
    const copy = openAt(folder, 'copy.db');
    const reader = createReader(copy);
    assertConsistent(copy);
    const found = await createDatasets({ store: createDatasetStore(copy), reader }).search({ q: 'kowari' }, dataset_id);
    assert.deepEqual(
      found.data.map(({ key }) => key),
      ['a'],
    );
    await reader.close();
    copy.close();
  });

  test('half a character is kept as a replacement character, for readers that refuse it; text that looks like one stays', () => {
    const store = createDatasetStore(database);
    const dataset_id = store.ensure({ kind: 'halves', id: 1 }, 'halves', NOW_MS);
    const body = { '\ud800': 'a\udfff', whole: '\u{1f4da}', literal: '\\ud800', behind: '\\\ud800' };
    const { id } = store.addRecord({ dataset_id, run_id: 1, key: 'a', created_at: NOW_MS, body }, { title: '', body: '' });
    assert.deepEqual(JSON.parse(store.record(id)?.body ?? ''), {
      '\ufffd': 'a\ufffd',
      whole: '\u{1f4da}',
      literal: '\\ud800',
      behind: '\\\ufffd',
    });
  });

  test('a record without a text is replaced and deleted like any other, and found by nothing', () => {
    const writer = createDatasetWriter(createDatasetStore(database));
    const dataset_id = writer.ensure({ kind: 'crawl', id: 77 }, 'addresses', NOW_MS);
    const count = (sql: string) => (database.fast.prepare(sql).get(dataset_id) as { n: number }).n;
    const page = (key: string) => ({ run_id: 1, key, created_at: NOW_MS, body: { content_hash: 'h', fetched_at: 't', url: key } });
    for (const key of ['a', 'b', 'a']) writer.addRecords(dataset_id, [page(key)]);
    assert.equal(count('SELECT count(*) AS n FROM record WHERE dataset_id = ? AND is_newest = 1'), 2);
    assert.equal(count('SELECT count(*) AS n FROM record_text WHERE rowid IN (SELECT id FROM record WHERE dataset_id = ?)'), 0);
    database.fast.prepare('DELETE FROM record WHERE dataset_id = ?').run(dataset_id);
    assert.equal(count('SELECT records AS n FROM dataset WHERE id = ?'), 0);
    database.fast.exec(`INSERT INTO record_text (record_text) VALUES ('integrity-check')`);
  });

  test('a slice ends early where records are large, and goes on where it ended', () => {
    const store = createDatasetStore(database);
    const writer = createDatasetWriter(store);
    const reader = createReader(database);
    const dataset_id = writer.ensure({ kind: 'large', id: 1 }, 'large', NOW_MS);
    const body = { content_hash: 'h', fetched_at: 't', url: 'u', raw_html: 'x'.repeat(9_000_000) };
    for (const key of ['a', 'b', 'c']) writer.addRecords(dataset_id, [{ run_id: 1, key, created_at: NOW_MS, body }]);
    const datasets = createDatasets({ store, reader });
    const seen: string[][] = [];
    for (let cursor: string | undefined = undefined, i = 0; i < 5; i++) {
      const slice = datasets.records(dataset_id, { limit: 500, cursor });
      seen.push([...slice.items].map((parts) => (JSON.parse(textOf(parts)) as { key: string }).key));
      if (slice.next_cursor === undefined) break;
      cursor = slice.next_cursor;
    }
    assert.deepEqual(seen, [['a'], ['b'], ['c']]);
  });

  test('a large record is read in parts of the size that is asked for, and is whole; one that is deleted meanwhile fails', () => {
    const store = createDatasetStore(database);
    const dataset_id = store.ensure({ kind: 'parts', id: 1 }, 'parts', NOW_MS);
    const body = { text: '\u00e9\u{1f4da}x'.repeat(30_000) };
    const { id } = store.addRecord({ dataset_id, run_id: 1, key: 'a', created_at: NOW_MS, body }, { title: '', body: '' });
    assert.deepEqual(JSON.parse(textOf(store.entry(id)?.body)), body);
    const parts = store
      .entry(id)
      ?.body(() => 50_000)
      [Symbol.iterator]();
    assert.equal(Buffer.byteLength((parts?.next().value as Uint8Array | undefined) ?? ''), 50_000);
    database.fast.prepare('DELETE FROM record WHERE id = ?').run(id);
    assert.throws(() => parts?.next(), /was deleted/);
    assert.equal(store.entry(id), undefined);
  });

  test('a database of the first schema is brought up with its newest records found', async () => {
    const path = join(folder, 'old.db');
    const old = new DatabaseSync(path);
    old.exec(`${MIGRATIONS[0]}; PRAGMA user_version = 1`);
    old.exec("INSERT INTO dataset (source_kind, name, created_at) VALUES ('pages', 'pages', 1)");
    for (const [key, words] of [
      ['a', 'dunnart'],
      ['a', 'mulgara'],
      ['b', 'mulgara'],
    ])
      old
        .prepare('INSERT INTO record (dataset_id, run_id, key, created_at, body) VALUES (1, 1, ?, 5, ?)')
        .run(String(key), JSON.stringify({ markdown: words }));
    old.close();
    const raised = openAt(folder, 'old.db');
    const reader = createReader(raised);
    const datasets = createDatasets({ store: createDatasetStore(raised), reader });
    assertConsistent(raised);
    assert.deepEqual([datasets.require(1).records, datasets.require(1).updated_at], [2, '1970-01-01T00:00:00.005Z']);
    assert.equal((await datasets.search({ q: 'mulgara' })).count, 2);
    assert.equal((await datasets.search({ q: 'dunnart' })).count, 0);
    await reader.close();
    raised.close();
  });
});

function textOf(parts: JsonParts = () => []): string {
  return Buffer.concat(
    Array.from(
      parts(() => 70_000),
      (part) => Buffer.from(part),
    ),
  ).toString();
}
