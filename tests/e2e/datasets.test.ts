// Datasets through the agent's kernel: catalogue, records by cursor, search and exports. Case numbers: docs/decisions/0002-conformance-cases.md.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Dataset, DatasetDetail, DatasetRecord, SearchHit } from '@weft/contract';
import fc from 'fast-check';
import { createDatasetStore } from '../../packages/daemon/src/datasets/store.ts';
import type { DatasetWriter } from '../../packages/daemon/src/datasets/writer.ts';
import { createDatasetWriter } from '../../packages/daemon/src/datasets/writer.ts';
import { transaction } from '../../packages/daemon/src/db/open.ts';
import { createRunStore } from '../../packages/daemon/src/runs/store.ts';
import type { KernelAgent } from '../conformance/kernel.ts';
import { startKernelAgent } from '../conformance/kernel.ts';
import { PAGE_URL, twoPages } from '../conformance/ways.ts';

interface Shelf {
  readonly id: number;
  /** Adds rows in one transaction; a row's `key` member is its key. */
  add(runId: number, ...rows: readonly Readonly<Record<string, unknown>>[]): void;
}

let sources = 0;

/** A dataset of rows of a source of its own. */
function newShelf(agent: KernelAgent, name = 'shelf'): Shelf {
  const writer: DatasetWriter = createDatasetWriter(createDatasetStore(agent.database));
  const id = writer.ensure({ kind: 'workflow', id: ++sources }, name, agent.clock.now());
  return {
    id,
    add: (run_id, ...rows) =>
      transaction(agent.database.fast, () => {
        writer.addRecords(
          id,
          rows.map((body) => ({ run_id, key: String(body['key']), created_at: agent.clock.now(), body })),
        );
      }),
  };
}

async function get<T>(agent: KernelAgent, target: string): Promise<{ readonly status: number; readonly body: T }> {
  // Each test names the shape that the operation declares; the kernel has checked the reply against it.
  return (await agent.json('GET', target)) as { status: number; body: T };
}

interface Slice<T> {
  readonly data: readonly T[];
  readonly count: number;
  readonly next_cursor?: string;
}

async function text(agent: KernelAgent, target: string) {
  const response = await agent.call({ target, token: agent.token });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const searchFor = (words: string, more = '') => `/v1/datasets/search?q=${encodeURIComponent(words)}${more}`;
const keysOf = (slice: Slice<{ readonly key: string }>) => slice.data.map(({ key }) => key);

suite('datasets', () => {
  let agent: KernelAgent;
  before(async () => void (agent = await startKernelAgent({ fetcher: twoPages() })));
  after(() => agent[Symbol.asyncDispose]());

  test('a crawled page is a record, listed, described and found at once', async () => {
    await agent.json('POST', '/v1/crawl', { url: PAGE_URL, limit: 1, wait: true });
    await agent.json('POST', '/v1/crawl', { url: PAGE_URL, limit: 1, wait: true });
    const { body: list } = await get<Slice<Dataset>>(agent, '/v1/datasets?kind=pages');
    const [pages] = list.data;
    assert.deepEqual([pages?.name, pages?.kind, pages?.source, pages?.records], ['pages', 'pages', { kind: 'pages' }, 1]);
    const { body: hits } = await get<Slice<SearchHit>>(agent, searchFor('three BOOKS'));
    assert.deepEqual(keysOf(hits), [PAGE_URL]);
    const [hit] = hits.data;
    assert.deepEqual(
      hit?.matches.map(({ start, end }) => hit.snippet.slice(start, end)),
      ['Three', 'books'],
    );
    const { body: detail } = await get<DatasetDetail>(agent, `/v1/datasets/${pages?.id}`);
    assert.equal(detail.schema.sampled, 1);
    assert.deepEqual(
      detail.schema.fields.find(({ name }) => name === 'status'),
      { name: 'status', types: ['integer'], null_share: 0, examples: [200] },
    );
  });

  test('the default view is the newest record of each key; a run is a snapshot; all appends (D24)', async () => {
    const shelf = newShelf(agent);
    shelf.add(1, { key: 'a', n: 1 }, { key: 'b', n: 1 });
    shelf.add(2, { key: 'a', n: 2 });
    const rows = async (query: string) =>
      (await get<Slice<DatasetRecord>>(agent, `/v1/datasets/${shelf.id}/records${query}`)).body.data.map(
        ({ data }) => `${data['key']}${data['n']}`,
      );
    assert.deepEqual(await rows(''), ['b1', 'a2']);
    assert.deepEqual(await rows('?run_id=1'), ['a1', 'b1']);
    assert.deepEqual(await rows('?snapshot=all'), ['a1', 'b1', 'a2']);
    assert.equal((await get<Dataset>(agent, `/v1/datasets/${shelf.id}`)).body.records, 2);
    assert.equal((await text(agent, `/v1/datasets/${shelf.id}/records?run_id=1&snapshot=all`)).status, 400);
  });

  test('rows without a key are shown run by run, and a list goes on in the run that it began in (D24)', async () => {
    const runs = createRunStore(agent.database);
    const writer = createDatasetWriter(createDatasetStore(agent.database));
    const dataset = writer.ensure({ kind: 'workflow', id: ++sources, replacedBy: 'run' }, 'runs', 0);
    const bring = (...words: readonly string[]): number => {
      const source = { source_kind: 'workflow', source_id: sources, source_name: 'runs', owner_id: 'runtime' };
      const run_id = runs.insert({ kind: 'workflow', ...source, created_at: 0 }, () => dataset);
      const records = words.map((word) => ({ run_id, created_at: agent.clock.now(), body: { word } }));
      transaction(agent.database.fast, () => writer.addRecords(dataset, records));
      return run_id;
    };
    const words = async (query: string) => {
      const { body } = await get<Slice<DatasetRecord>>(agent, `/v1/datasets/${dataset}/records?limit=2${query}`);
      return { words: body.data.map(({ data }) => data['word']), cursor: body.next_cursor };
    };
    runs.settle(bring('eland', 'kudu', 'oribi'), 'succeeded', undefined, 0);
    const first = await words('');
    const newer = bring('nyala');
    assert.deepEqual((await get<Dataset>(agent, `/v1/datasets/${dataset}`)).body.records, 3);
    runs.settle(newer, 'succeeded', undefined, 0);
    assert.deepEqual([first.words, (await words(`&cursor=${first.cursor}`)).words], [['eland', 'kudu'], ['oribi']]);
    assert.deepEqual((await words('')).words, ['nyala']);
    assert.deepEqual((await get<Dataset>(agent, `/v1/datasets/${dataset}`)).body.records, 1);
    assert.equal((await get<Slice<SearchHit>>(agent, searchFor('oribi'))).body.count, 0);
    assert.deepEqual(keysOf((await get<Slice<SearchHit>>(agent, searchFor('nyala'))).body), ['1']);
  });

  test('search finds the newest record of a key alone, and none that was deleted', async () => {
    const shelf = newShelf(agent);
    shelf.add(1, { key: 'a', word: 'quokka' });
    shelf.add(2, { key: 'a', word: 'wombat' });
    assert.equal((await get<Slice<SearchHit>>(agent, searchFor('quokka'))).body.count, 0);
    assert.equal((await get<Slice<SearchHit>>(agent, searchFor('wombat'))).body.count, 1);
    agent.database.fast.prepare('DELETE FROM dataset WHERE id = ?').run(shelf.id);
    assert.equal((await get<Slice<SearchHit>>(agent, searchFor('wombat'))).body.count, 0);
  });

  test('search ranks titles first and filters by dataset, run, kind and time', async () => {
    const [one, two] = [newShelf(agent), newShelf(agent)];
    one.add(7, { key: 'body', note: 'numbat among other words' }, { key: 'title', title: 'numbat' });
    agent.clock.advance(1000);
    two.add(8, { key: 'later', note: 'numbat' });
    const since = new Date(agent.clock.now()).toISOString();
    const found = async (target: string) => keysOf((await get<Slice<SearchHit>>(agent, target)).body).sort();
    assert.equal((await get<Slice<SearchHit>>(agent, `/v1/datasets/${one.id}/search?q=numbat`)).body.data[0]?.key, 'title');
    assert.deepEqual(await found(`/v1/datasets/${one.id}/search?q=numbat`), ['body', 'title']);
    assert.deepEqual(await found(searchFor('numbat', '&run_id=8')), ['later']);
    assert.deepEqual(await found(searchFor('numbat', `&since=${since}`)), ['later']);
    assert.deepEqual(await found(searchFor('numbat', `&until=${since}`)), ['body', 'title']);
    assert.deepEqual(await found(searchFor('numbat', '&kind=pages')), []);
    assert.deepEqual(await found(searchFor('numbat', '&kind=rows')), ['body', 'later', 'title']);
    assert.deepEqual(await found(searchFor('numb*')), ['body', 'later', 'title']);
    assert.deepEqual(await found(searchFor('"other words"')), ['body']);
  });

  for (const words of [
    '"',
    '*',
    'NEAR',
    'NEAR(a b)',
    'a:b',
    ':',
    '(',
    ')',
    '{x}: y',
    '^a',
    '-a',
    '+',
    'a OR',
    "' OR 1=1; --",
    '%',
    '\0',
    '\u{1f600}',
    '\u5317\u4eac \u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35',
    '"unbalanced quote',
    'a "b" "',
    '\u201csmart\u201d',
    'fts5(record_text)',
    'rank MATCH 1',
    'SELECT body FROM record',
    '\u202e\ufeff\u0301',
    'x'.repeat(1000),
  ])
    test(`F58 a search for ${JSON.stringify(words.slice(0, 20))} is answered or refused in our own words`, async () => {
      const answer = await text(agent, searchFor(words));
      assert.ok([200, 400].includes(answer.status), answer.text);
      assert.doesNotMatch(answer.text, /fts5|sqlite|syntax error|malformed/i);
    });

  test('F58 any text is answered or refused, in every list that searches', async () => {
    const shelf = newShelf(agent);
    shelf.add(1, { key: 'a', title: 'Potto NEAR', note: 'potto "quoted" \u5317\u4eac caf\u00e9 \u{1f600} potto' });
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom(
        'potto',
        'pot*',
        '"',
        '*',
        'NEAR(',
        '^',
        ':',
        '{title}:',
        '-',
        'AND',
        'OR',
        'NOT',
        '(',
        ')',
        "'",
        ';--',
        '\u5317',
        '\u0130',
        '\u{1f600}',
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 12 }),
        fc.constantFrom('/v1/datasets/search', `/v1/datasets/${shelf.id}/search`),
        async (pieces, path) => {
          const answer = await text(agent, `${path}?q=${encodeURIComponent(pieces.join(' ').toWellFormed())}`);
          assert.ok([200, 400].includes(answer.status), answer.text);
          assert.doesNotMatch(answer.text, /fts5|sqlite|syntax error|malformed/i);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('F58 a search text of a megabyte is a 400', async () =>
    assert.equal((await text(agent, searchFor('x'.repeat(1_000_000)))).status, 400));

  test('search goes on by cursor without showing what came in between', async () => {
    const shelf = newShelf(agent);
    shelf.add(1, ...Array.from({ length: 25 }, (_, i) => ({ key: `k${i}`, note: 'bilby' })));
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; page < 10; page++) {
      const { body } = await get<Slice<SearchHit>>(agent, `/v1/datasets/${shelf.id}/search?q=bilby&limit=10${cursor}`);
      seen.push(...keysOf(body));
      shelf.add(2, { key: `new${page}`, note: 'bilby bilby bilby' });
      if (body.next_cursor === undefined) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    assert.deepEqual(seen.toSorted(), Array.from({ length: 25 }, (_, i) => `k${i}`).toSorted());
  });

  for (const query of [
    'limit=0',
    'limit=-1',
    'limit=1000000000',
    'limit=501',
    'limit=1.5',
    'cursor=1',
    'cursor=',
    'cursor=%00',
    'limit=1&limit=2',
  ])
    test(`F59 records with ${query} are a 400`, async () => {
      const shelf = newShelf(agent);
      assert.equal((await text(agent, `/v1/datasets/${shelf.id}/records?${query}`)).status, 400);
    });

  test('F59 a cursor of another dataset, view or search is a 400', async () => {
    const [one, two] = [newShelf(agent), newShelf(agent)];
    for (const shelf of [one, two]) shelf.add(1, { key: 'a', w: 'potoroo' }, { key: 'b', w: 'potoroo' });
    const { next_cursor } = (await get<Slice<DatasetRecord>>(agent, `/v1/datasets/${one.id}/records?limit=1`)).body;
    for (const target of [`${two.id}/records?`, `${one.id}/records?snapshot=all&`, `${one.id}/search?q=potoroo&`])
      assert.equal((await text(agent, `/v1/datasets/${target}limit=1&cursor=${next_cursor}`)).status, 400, target);
    assert.equal((await text(agent, `/v1/datasets/${one.id}/records?limit=1&cursor=${next_cursor}`)).status, 200);
  });

  test('F59 records that stay as they are come exactly once, whatever is added, replaced or deleted between pages', async () => {
    const change = fc.constantFrom('add', 'replace', 'delete', 'nothing');
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 7 }),
        fc.array(change, { maxLength: 30 }),
        async (count, limit, changes) => {
          const shelf = newShelf(agent);
          shelf.add(1, ...Array.from({ length: 2 * count }, (_, i) => ({ key: `${i % 2 ? 'stable' : 'loose'}${i}` })));
          const seen: string[] = [];
          let cursor: string | undefined = '';
          for (let page = 0; cursor !== undefined && page < 200; page++) {
            const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
            const { body } = await get<Slice<DatasetRecord>>(agent, `/v1/datasets/${shelf.id}/records?limit=${limit}${from}`);
            seen.push(...keysOf(body).filter((key) => key.startsWith('stable')));
            cursor = body.next_cursor;
            apply(agent, shelf, changes[page] ?? 'nothing', page);
            agent.clock.advance(1000);
          }
          assert.deepEqual(
            seen,
            Array.from({ length: count }, (_, i) => `stable${2 * i + 1}`),
          );
        },
      ),
      { numRuns: 15 },
    );
  });

  for (const [format, type, content] of [
    ['json', 'application/json', /^\[\n\{"key":"a","n":"=1"\},?\n/],
    ['csv', 'text/csv; charset=utf-8', /^key,n\r\na,'=1\r\n/],
    ['markdown', 'text/markdown; charset=utf-8', /^\| key \| n \|\n\| --- \| --- \|\n\| a \| =1 \|\n/],
    ['html', 'text/html; charset=utf-8', /<tr><td>a<\/td><td>=1<\/td><\/tr>/],
  ] as const)
    test(`F50 an export as ${format} is an attachment that no browser renders`, async () => {
      const shelf = newShelf(agent, 'b\u00fccher');
      shelf.add(1, { key: 'a', n: '=1' }, { key: 'b' });
      const answer = await text(agent, `/v1/datasets/${shelf.id}/export?format=${format}`);
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, type]);
      assert.match(answer.text, content);
      assert.match(
        answer.headers.get('content-disposition') ?? '',
        /^attachment; filename="b_cher\.\w+"; filename\*=UTF-8''b%C3%BCcher\.\w+$/,
      );
      assert.equal(answer.headers.get('content-security-policy'), "sandbox; default-src 'none'");
    });

  test('every operation of the group answers text when it is asked to', async () => {
    const shelf = newShelf(agent);
    shelf.add(1, { key: 'a', w: 'bettong' }, { key: 'b', w: 'bettong' });
    for (const [target, head] of [
      ['/v1/datasets?limit=1&', 'id,name,kind,'],
      [`/v1/datasets/${shelf.id}?`, 'name,types,null_share,examples'],
      [`/v1/datasets/${shelf.id}/records?limit=1&`, 'key,w'],
      [`/v1/datasets/${shelf.id}/search?q=bettong&limit=1&`, 'dataset,record_id,key,'],
      ['/v1/datasets/search?q=bettong&limit=1&', 'dataset,record_id,key,'],
    ] as const) {
      const answer = await text(agent, `${target}format=csv`);
      assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8', target);
      assert.ok(answer.text.startsWith(head), answer.text);
      if (target.includes('limit=1')) assert.match(answer.headers.get('link') ?? '', /format=csv.*rel="next"/);
      assert.equal((await text(agent, `${target}format=xlsx`)).status, 400);
    }
  });

  test('an export of nothing is well-formed', async () => {
    const { id } = newShelf(agent);
    assert.equal((await text(agent, `/v1/datasets/${id}/export`)).text, '[]\n');
    assert.equal((await text(agent, `/v1/datasets/${id}/export?format=csv`)).text, '');
  });

  test('HEAD of an export opens nothing', async () => {
    const { id } = newShelf(agent);
    const response = await agent.call({ method: 'HEAD', target: `/v1/datasets/${id}/export?format=csv`, token: agent.token });
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/csv; charset=utf-8']);
  });

  test('nothing unexpected was logged', () => assert.deepEqual(agent.logged, []));
});

function apply(agent: KernelAgent, shelf: Shelf, change: string, page: number): void {
  if (change === 'add') shelf.add(2, { key: `new${page}` });
  if (change === 'replace') shelf.add(2, { key: `loose${2 * page}` });
  if (change === 'delete')
    agent.database.fast.prepare('DELETE FROM record WHERE dataset_id = ? AND key = ?').run(shelf.id, `loose${2 * page}`);
}
