import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import fc from 'fast-check';
import { openDatabase, transaction } from '../../db/open.ts';
import { parseQuery } from '../match-query.ts';
import { createDatasetStore } from '../store.ts';
import { createDatasetWriter } from '../writer.ts';
import type { SearchRequest } from './messages.ts';
import { prepareSearch } from './search.ts';

const WORDS = ['numbat', 'quoll', 'bilby', 'quollish', 'B\u00eflby'];
const PAGE = { limit: 10, offset: 0, uptoId: 0 };

interface Kept {
  readonly id: number;
  readonly dataset: number;
  readonly run: number;
  readonly key: string;
  readonly text: string;
}

suite('search', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-search-'));
  mkdirSync(join(folder, 'backups'));
  const database = openDatabase({ path: join(folder, 'weft.db'), backups: join(folder, 'backups'), nowMs: 0 });
  after(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });
  const writer = createDatasetWriter(createDatasetStore(database));
  const datasets = [1, 2].map((id) => writer.ensure({ kind: 'workflow', id }, `shelf ${id}`, 0));
  const search = prepareSearch(database.fast);
  const byRank = database.fast.prepare('SELECT rowid AS id FROM record_text WHERE record_text MATCH ? ORDER BY rank, rowid');

  const record = fc.record({
    dataset: fc.constantFrom(...datasets),
    run: fc.integer({ min: 1, max: 3 }),
    key: fc.constantFrom('a', 'b', 'c', 'd'),
    title: fc.constantFrom('', ...WORDS),
    words: fc.array(fc.constantFrom(...WORDS, 'filler'), { maxLength: 12 }),
  });
  const query = fc.constantFrom('numbat', 'quoll bilby', '"quoll bilby"', 'quoll*', 'BILBY numbat', 'absent', 'numbat absent');

  /** Adds the records as newest of their keys; those that are the newest at the end. */
  function keep(records: readonly { dataset: number; run: number; key: string; title: string; words: readonly string[] }[]): Kept[] {
    database.fast.exec('DELETE FROM record');
    const newest = new Map<string, Kept>();
    transaction(database.fast, () => {
      for (const { dataset, run, key, title, words } of records) {
        const body = { title, note: words.join(' ') };
        const [id = 0] = writer.addRecords(dataset, [{ run_id: run, key, created_at: instantOf(run), body }]);
        newest.set(`${dataset} ${key}`, { id, dataset, run, key, text: `${title} | ${body.note}` });
      }
    });
    return [...newest.values()];
  }

  test('finds the newest records that hold all terms and no others, the best first, through every filter', () => {
    const narrow = fc.constantFrom<Partial<SearchRequest>>(
      {},
      { datasetId: datasets[0] },
      { runId: 2 },
      { datasetId: datasets[1], runId: 1 },
      { sinceMs: 2 },
    );
    fc.assert(
      fc.property(fc.array(record, { maxLength: 25 }), query, narrow, (records, q, filter) => {
        const kept = keep(records).filter(
          ({ dataset, run }) =>
            (filter.datasetId ?? dataset) === dataset && (filter.runId ?? run) === run && instantOf(run) >= (filter.sinceMs ?? 0),
        );
        const { expression, terms } = parseQuery(q);
        const ranked = byRank.all(expression).map((row) => Number(row['id']));
        const { hits, nextOffset } = search.run({ q, ...PAGE, ...filter });
        const wanted = kept.filter(({ text }) => terms.every((term) => holds(text, term)));
        assert.deepEqual(
          hits.map(({ record_id }) => record_id),
          ranked.filter((id) => wanted.some((each) => each.id === id)).slice(0, PAGE.limit),
        );
        assert.equal(wanted.length, hits.length);
        assert.equal(nextOffset, undefined);
        for (const { snippet, matches } of hits)
          for (const { start, end } of matches)
            assert.match(snippet.slice(start, end), /^(?:numbat|quoll|quollish|b[i\u00ef]lby)(?: b[i\u00ef]lby)?$/i);
      }),
      { numRuns: 200 },
    );
  });

  test('pages of an answer fit together', () => {
    keep(Array.from({ length: 8 }, (_, i) => ({ dataset: datasets[i % 2] ?? 0, run: 1, key: `k${i}`, title: '', words: ['numbat'] })));
    const all = search.run({ q: 'numbat', ...PAGE });
    const pages = [0, 3, 6].map((offset) => search.run({ q: 'numbat', limit: 3, offset, uptoId: all.uptoId }));
    assert.deepEqual(
      pages.flatMap(({ hits }) => hits),
      all.hits,
    );
    assert.deepEqual(
      pages.map(({ nextOffset }) => nextOffset),
      [3, 6, undefined],
    );
  });

  test('a page that several crawls hold is one hit, which names the others, and operators and sites choose among pages', () => {
    database.fast.exec('DELETE FROM record');
    const crawls = [11, 12, 13].map((id) => writer.ensure({ kind: 'crawl', id }, `crawl ${id}`, 0));
    const urls = ['https://a.test/one', 'https://docs.a.test:8443/two', 'https://nota.test/three?u=https://a.test/'];
    transaction(database.fast, () => {
      for (const [i, dataset] of crawls.entries())
        for (const key of urls)
          writer.addRecords(dataset, [{ run_id: 11 + i, key, created_at: 1, body: { title: 'Numbat', note: `wombat ${key.slice(-5)}` } }]);
    });
    const found = (q: string, more: Partial<SearchRequest> = {}) => search.run({ q, ...PAGE, ...more });
    const all = found('numbat');
    assert.deepEqual(all.hits.map(({ key }) => key).toSorted(), urls.toSorted());
    for (const { dataset, also = [] } of all.hits)
      assert.deepEqual([dataset.id, ...also.map((other) => other.dataset.id)].toSorted(), crawls.toSorted());
    const [first, second] = [
      found('numbat', { limit: 2 }),
      found('numbat', { limit: 2, offset: found('numbat', { limit: 2 }).nextOffset ?? 0 }),
    ];
    assert.equal(new Set([...first.hits, ...second.hits].map(({ key }) => key)).size, 3);
    assert.equal(found('numbat', { datasetId: crawls[0] }).hits.length, 3);
    const keys = (q: string, site?: string) =>
      found(q, { site })
        .hits.map(({ key }) => key)
        .toSorted();
    assert.deepEqual(keys('numbat', 'a.test'), urls.slice(0, 2).toSorted());
    assert.deepEqual(keys('numbat', 'docs.a.test:8443'), [urls[1]]);
    assert.deepEqual(keys('one OR absent'), [urls[0]]);
    assert.deepEqual(keys('numbat NOT one -two'), [urls[2]]);
    assert.deepEqual(keys('(absent) OR "numbat wombat"'), []);
  });

  test('an answer of nothing has nothing behind it', () => assert.deepEqual(search.run({ q: 'absent', ...PAGE }).hits, []));

  /** When a run brought its records, in this suite. */
  function instantOf(run: number): number {
    return run;
  }
});

function holds(text: string, { words, isPrefix }: { readonly words: readonly string[]; readonly isPrefix: boolean }): boolean {
  const plain = text.toLowerCase().replaceAll('\u00ef', 'i');
  return new RegExp(`(?<!\\w)${words.join(' ').toLowerCase()}${isPrefix ? '' : '(?!\\w)'}`).test(plain);
}
