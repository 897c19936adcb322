// The data of workflows over their routes: tables, filters, facets, snapshots, deletion, exports. Case numbers: docs/decisions/0002-conformance-cases.md.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { DataChange, DataFilter, DataWorkflow, DatasetRecord, FileDescriptor } from '@weft/contract';
import fc from 'fast-check';
import type { KernelAgent } from '../conformance/kernel.ts';
import { startKernelAgent } from '../conformance/kernel.ts';
import { parseStrictCsv } from '../strict-csv.ts';
import type { Row, RowsOfWorkflow } from '../workflow-rows.ts';
import { startWorkflow } from '../workflow-rows.ts';

interface Table {
  readonly columns: readonly { readonly name: string; readonly types: readonly string[] }[];
  readonly data: readonly DatasetRecord[];
  readonly total?: number;
  readonly next_cursor?: string;
}

interface Facets {
  readonly rows: number;
  readonly columns: readonly {
    readonly name: string;
    readonly types: readonly string[];
    readonly filled: number;
    readonly distinct: number;
    readonly distinct_is_capped: boolean;
    readonly min?: unknown;
    readonly max?: unknown;
    readonly top: readonly { readonly value: unknown; readonly count: number }[];
  }[];
  readonly has_more_columns: boolean;
}

let agent: KernelAgent;
before(async () => {
  let ms = 0;
  // A second for each look at the clock, so that no rate is reached.
  agent = await startKernelAgent({ monotonicMs: () => (ms += 1000) });
});
after(() => agent[Symbol.asyncDispose]());

type Query = Readonly<Record<string, string | number | undefined>>;

function targetOf(workflow: RowsOfWorkflow, query: Query = {}, path = ''): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return `/v1/workflows/${workflow.id}/data${path}?${search}`;
}

async function ask<T>(method: string, target: string, status = 200): Promise<T> {
  const answer = await agent.json(method, target);
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  return answer.body as T;
}

const table = (workflow: RowsOfWorkflow, query?: Query) => ask<Table>('GET', targetOf(workflow, query));
const rowsOf = ({ data }: Table) => data.map(({ data: row }) => row);
const filterOf = (...filters: readonly DataFilter[]) => JSON.stringify(filters);
const remove = async (workflow: RowsOfWorkflow, query?: Query) =>
  (await ask<{ deleted: number }>('DELETE', targetOf(workflow, query))).deleted;
const searched = async (workflow: RowsOfWorkflow, q: string) =>
  (await ask<{ data: { record_id: number }[] }>('GET', `/v1/datasets/${workflow.datasetId}/search?q=${q}`)).data.length;

/** All pages of a table, `limit` rows each. */
async function whole(workflow: RowsOfWorkflow, query: Query, limit: number): Promise<readonly DatasetRecord[]> {
  const found: DatasetRecord[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await table(workflow, { ...query, limit, cursor });
    found.push(...page.data);
    if (page.next_cursor === undefined) return found;
    cursor = page.next_cursor;
  }
}

const SHELF: readonly Row[] = [
  { title: 'Numbats', price: 10, tags: ['a', 'b'], sold: true },
  { title: 'Quolls', price: 9.5, note: null },
  { title: 'Bilbies', price: '12', sold: false, author: { name: 'Ada' } },
];

suite('data of a workflow', () => {
  test('the picker has workflows with rows, newest first, and no others', async () => {
    const first = await startWorkflow(agent, 'First');
    await startWorkflow(agent, 'Empty');
    const run = first.run(SHELF, 'succeeded');
    const { data } = await ask<{ data: DataWorkflow[] }>('GET', '/v1/data');
    assert.deepEqual(
      data.filter(({ name }) => ['First', 'Empty'].includes(name)),
      [
        {
          id: first.id,
          name: 'First',
          slug: 'first',
          rows: 3,
          runs: 1,
          last_snapshot: { run_id: run, at: new Date(agent.clock.now()).toISOString() },
          columns: ['title', 'price', 'tags', 'sold', 'note', 'author'],
        },
      ],
    );
  });

  test('D24 shows the newest settled run, one run, or all', async () => {
    const workflow = await startWorkflow(agent, 'Views');
    const older = workflow.run(SHELF, 'succeeded');
    workflow.run([{ title: 'Dunnarts', year: 2026 }], 'succeeded');
    workflow.run([{ title: 'Live' }]);
    const newest = await table(workflow);
    assert.deepEqual([rowsOf(newest), newest.total], [[{ title: 'Dunnarts', year: 2026 }], 1]);
    assert.deepEqual(newest.columns, [
      { name: 'title', types: ['string'] },
      { name: 'year', types: ['integer'] },
    ]);
    assert.deepEqual(rowsOf(await table(workflow, { run_id: older })), SHELF);
    assert.deepEqual(rowsOf(await table(workflow, { snapshot: 'all' })), [...SHELF, { title: 'Dunnarts', year: 2026 }, { title: 'Live' }]);
    await ask('GET', targetOf(workflow, { run_id: older, snapshot: 'all' }), 400);
  });

  test('columns are those of all rows in the order in which they were first seen, with their types', async () => {
    const workflow = await startWorkflow(agent, 'Columns');
    workflow.run(SHELF, 'succeeded');
    const { columns } = await table(workflow, { filter: filterOf({ column: 'title', op: 'eq', value: 'Quolls' }) });
    assert.deepEqual(columns, [
      { name: 'title', types: ['string'] },
      { name: 'price', types: ['integer', 'number', 'string'] },
      { name: 'tags', types: ['array'] },
      { name: 'sold', types: ['boolean'] },
      { name: 'note', types: ['null'] },
      { name: 'author', types: ['object'] },
    ]);
  });

  const CASES: readonly (readonly [DataFilter, readonly string[]])[] = [
    [{ column: 'price', op: 'eq', value: 10 }, ['Numbats']],
    [{ column: 'price', op: 'eq', value: '10' }, ['Numbats']],
    [{ column: 'price', op: 'eq', value: '9.5' }, ['Quolls']],
    [{ column: 'price', op: 'eq', value: 12 }, []],
    [{ column: 'price', op: 'ne', value: 10 }, ['Quolls', 'Bilbies']],
    [{ column: 'price', op: 'gt', value: 9.5 }, ['Numbats']],
    [{ column: 'price', op: 'lt', value: 10 }, ['Quolls']],
    [{ column: 'price', op: 'gt', value: '1' }, ['Bilbies']],
    [{ column: 'sold', op: 'eq', value: true }, ['Numbats']],
    [{ column: 'sold', op: 'eq', value: 'false' }, ['Bilbies']],
    [{ column: 'sold', op: 'ne', value: true }, ['Quolls', 'Bilbies']],
    [{ column: 'note', op: 'eq', value: null }, ['Numbats', 'Quolls', 'Bilbies']],
    [{ column: 'tags', op: 'exists' }, ['Numbats']],
    [{ column: 'tags', op: 'exists', value: false }, ['Quolls', 'Bilbies']],
    [{ column: 'tags', op: 'eq', value: '["a","b"]' }, ['Numbats']],
    [{ column: 'author', op: 'contains', value: 'ADA' }, ['Bilbies']],
    [{ column: 'title', op: 'contains', value: 'B' }, ['Numbats', 'Bilbies']],
    [{ column: 'title', op: 'contains', value: '%' }, []],
    [{ column: 'none', op: 'exists' }, []],
  ];
  test('filters mean what their table says', async () => {
    const workflow = await startWorkflow(agent, 'Filters');
    workflow.run(SHELF, 'succeeded');
    for (const [filter, titles] of CASES) {
      const found = await table(workflow, { filter: filterOf(filter) });
      assert.deepEqual([rowsOf(found).map((row) => row['title']), found.total], [titles, titles.length], JSON.stringify(filter));
    }
  });

  test('filters that are none are refused with the place', async () => {
    const workflow = await startWorkflow(agent, 'Wrong filters');
    for (const filter of ['', '{}', '[1]', '[{"column":"a","op":"like","value":1}]', '[{"column":"a","op":"gt","value":true}]'])
      assert.match((await ask<{ error: string }>('GET', targetOf(workflow, { filter }), 400)).error, /filter/);
  });

  test('q finds rows of the default view, and says where it can not', async () => {
    const workflow = await startWorkflow(agent, 'Words');
    const older = workflow.run([{ title: 'Old quoll' }], 'succeeded');
    const newer = workflow.run([{ title: 'New quoll' }, { title: 'Numbat' }], 'succeeded');
    for (const query of [{ q: 'quoll' }, { q: 'quoll', run_id: newer }])
      assert.deepEqual(rowsOf(await table(workflow, query)), [{ title: 'New quoll' }]);
    for (const query of [{ run_id: older }, { snapshot: 'all' }]) await ask('GET', targetOf(workflow, { q: 'quoll', ...query }), 400);
    await ask('GET', targetOf(workflow, { q: '***' }), 400);
  });

  test('a table goes on in the run that it began in, and takes no other cursor (F59)', async () => {
    const workflow = await startWorkflow(agent, 'Cursors');
    workflow.run([{ n: 1 }, { n: 2 }, { n: 3 }], 'succeeded');
    const first = await table(workflow, { limit: 2, sort: 'n', order: 'desc' });
    workflow.run([{ n: 9 }], 'succeeded');
    const cursor = first.next_cursor ?? '';
    assert.deepEqual(rowsOf(await table(workflow, { limit: 2, sort: 'n', order: 'desc', cursor })), [{ n: 1 }]);
    for (const query of [
      { cursor },
      { sort: 'n', cursor },
      { sort: 'n', order: 'desc', cursor: `${cursor}x` },
      { cursor: '1' },
      { cursor: '' },
    ])
      await ask('GET', targetOf(workflow, query), 400);
  });

  test('the index of snapshots says which run is shown', async () => {
    const workflow = await startWorkflow(agent, 'Snapshots');
    const one = workflow.run(SHELF, 'succeeded');
    const two = workflow.run(SHELF.slice(1), 'failed');
    const three = workflow.run(SHELF.slice(2));
    const { data } = await ask<{ data: Record<string, unknown>[] }>('GET', targetOf(workflow, {}, '/runs'));
    assert.deepEqual(
      data.map(({ run_id, rows, is_shown, status }) => [run_id, rows, is_shown, status]),
      [
        [three, 1, false, 'running'],
        [two, 2, true, 'failed'],
        [one, 3, false, 'succeeded'],
      ],
    );
    agent.database.fast.prepare('DELETE FROM run WHERE id = ?').run(one);
    const { data: kept } = await ask<{ data: Record<string, unknown>[] }>('GET', targetOf(workflow, { offset: 2 }, '/runs'));
    assert.deepEqual(kept, [{ run_id: one, rows: 3, is_shown: false }]);
  });

  type Diff = { diff: { changes: DataChange[]; [count: string]: unknown } };
  test('a diff by key tells new, gone, changed with the fields, and equal', async () => {
    const workflow = await startWorkflow(agent, 'Diff by key', true);
    const from = workflow.run(
      [
        { key: 'a', v: 1 },
        { key: 'b', v: 1, w: null },
        { key: 'c', v: 1 },
      ],
      'succeeded',
    );
    const to = workflow.run(
      [
        { v: 1, key: 'a' },
        { key: 'b', v: { deep: 2 } },
        { key: 'd', v: 1 },
      ],
      'succeeded',
    );
    const { diff } = await ask<Diff>('GET', targetOf(workflow, { from, to }, '/runs'));
    const { changes, ...counts } = diff;
    assert.deepEqual(counts, { from, to, matched_by: 'key', new: 1, gone: 1, changed: 1, equal: 1 });
    assert.deepEqual(
      changes.map(({ change, key, fields }) => ({ change, key, fields })),
      [
        {
          change: 'changed',
          key: 'b',
          fields: [
            { name: 'v', from: 1, to: '{"deep":2}' },
            { name: 'w', from: null },
          ],
        },
        {
          change: 'new',
          key: 'd',
          fields: [
            { name: 'key', to: 'd' },
            { name: 'v', to: 1 },
          ],
        },
        {
          change: 'gone',
          key: 'c',
          fields: [
            { name: 'key', from: 'c' },
            { name: 'v', from: 1 },
          ],
        },
      ],
    );
    const page = await ask<Diff>('GET', targetOf(workflow, { from, to, limit: 1, offset: 1 }, '/runs'));
    assert.deepEqual(page.diff.changes, changes.slice(1, 2));
    await ask('GET', targetOf(workflow, { from, to: 999_999 }, '/runs'), 404);
    await ask('GET', targetOf(workflow, { from }, '/runs'), 400);
  });

  test('a diff without a key finds equal rows wherever they stand', async () => {
    const workflow = await startWorkflow(agent, 'Diff by content');
    const from = workflow.run([{ v: 1 }, { v: 2 }, { v: 2 }, { v: 3 }, { v: 4 }], 'succeeded');
    const to = workflow.run([{ v: 0 }, { v: 1 }, { v: 2 }, { v: 30 }, { v: 4 }], 'succeeded');
    const { diff } = await ask<Diff>('GET', targetOf(workflow, { from, to }, '/runs'));
    const { changes, ...counts } = diff;
    assert.deepEqual(counts, { from, to, matched_by: 'content_and_position', new: 1, gone: 1, changed: 1, equal: 3 });
    assert.deepEqual(
      changes.map(({ change, key }) => `${change} ${key}`),
      ['new 1', 'changed 4', 'gone 3'],
    );
  });

  test('exports have the rows that match in every format, and from-data makes a file of them', async () => {
    const workflow = await startWorkflow(agent, 'Exports');
    workflow.run(
      [
        { n: 1, text: '=1+1', deep: { a: [1] } },
        { n: -2, text: 'b' },
      ],
      'succeeded',
    );
    const exported = async (query: Query) => await agent.call({ target: targetOf(workflow, query, '/export'), token: agent.token });
    const csv = await exported({});
    assert.match(csv.headers.get('content-disposition') ?? '', /^attachment; filename="Exports\.csv"/);
    assert.deepEqual(parseStrictCsv(await csv.text()), [
      ['n', 'text', 'deep'],
      ['1', "'=1+1", '{"a":[1]}'],
      ['-2', 'b', ''],
    ]);
    const filter = filterOf({ column: 'n', op: 'lt', value: 0 });
    assert.deepEqual(await (await exported({ format: 'json', filter })).json(), [{ n: -2, text: 'b' }]);
    assert.equal(await (await exported({ format: 'jsonl', filter })).text(), '{"n":-2,"text":"b"}\n');
    for (const [format, begins] of [
      ['xlsx', 'PK'],
      ['html', '<!doctype'],
      ['markdown', '| n |'],
    ] as const)
      assert.ok((await (await exported({ format })).text()).startsWith(begins), format);
    assert.equal((await exported({ q: '***' })).status, 400, 'refused before an answer begins');
    const { body } = await agent.json('POST', '/v1/files/from-data', { workflow_id: workflow.id, format: 'jsonl' });
    const { id, name, source } = body as FileDescriptor;
    assert.deepEqual([name, source], ['Exports.jsonl', { kind: 'workflow', id: workflow.id }]);
    const file = await agent.call({ target: `/v1/files/${id}/content`, token: agent.token });
    assert.equal(await file.text(), '{"n":1,"text":"=1+1","deep":{"a":[1]}}\n{"n":-2,"text":"b"}\n');
  });

  test('deleting takes rows from views, counts and search, and a dry run takes none', async () => {
    const workflow = await startWorkflow(agent, 'Deletion');
    const older = workflow.run([{ title: 'Numbat', n: 1 }], 'succeeded');
    const newer = workflow.run(
      [
        { title: 'Numbat', n: 2 },
        { title: 'Quoll', n: 3 },
        { title: 'Quoll', n: 4 },
      ],
      'succeeded',
    );
    const filter = filterOf({ column: 'n', op: 'gt', value: 3 });
    assert.equal(await remove(workflow, { filter, dry_run: 'true' }), 1);
    assert.equal((await table(workflow)).total, 3);
    assert.equal(await remove(workflow, { filter }), 1);
    assert.deepEqual([(await table(workflow)).total, await searched(workflow, 'quoll')], [2, 1]);
    assert.equal(await remove(workflow, { key: '1' }), 1);
    assert.deepEqual([rowsOf(await table(workflow)), await searched(workflow, 'numbat')], [[{ title: 'Quoll', n: 3 }], 0]);
    assert.equal(await remove(workflow, { run_id: newer }), 1);
    assert.deepEqual([rowsOf(await table(workflow)), await searched(workflow, 'numbat')], [[{ title: 'Numbat', n: 1 }], 1]);
    workflow.run([{ title: 'Bilby' }], 'succeeded');
    assert.equal(await remove(workflow, { dry_run: 'true' }), 2);
    assert.equal(await remove(workflow), 2);
    assert.deepEqual(rowsOf(await table(workflow, { snapshot: 'all' })), []);
    assert.equal(await remove(workflow, { run_id: older }), 0);
    await ask('DELETE', targetOf(workflow, { run_id: older, snapshot: 'all' }), 400);
  });

  test('by key, a deleted row takes along what it had replaced; the row of a run brings it back', async () => {
    const workflow = await startWorkflow(agent, 'Deletion by key', true);
    workflow.run(
      [
        { key: 'a', n: 1 },
        { key: 'b', n: 1 },
      ],
      'succeeded',
    );
    const newer = workflow.run(
      [
        { key: 'a', n: 2 },
        { key: 'b', n: 2 },
      ],
      'succeeded',
    );
    assert.equal(await remove(workflow, { key: 'a' }), 2);
    assert.deepEqual(rowsOf(await table(workflow, { snapshot: 'all' })), [
      { key: 'b', n: 1 },
      { key: 'b', n: 2 },
    ]);
    assert.equal(await remove(workflow, { key: 'b', run_id: newer }), 1);
    assert.deepEqual(rowsOf(await table(workflow)), [{ key: 'b', n: 1 }]);
  });

  test('rows of a live run are not deleted', async () => {
    const workflow = await startWorkflow(agent, 'Live', true);
    const live = workflow.run([{ key: 'a' }]);
    for (const query of [{}, { run_id: live }, { key: 'a' }])
      assert.match((await ask<{ error: string }>('DELETE', targetOf(workflow, query), 409)).error, new RegExp(`Run ${live} is live`));
    assert.equal((await table(workflow)).total, 1);
  });

  test('F60 columns named like SQL, with quotes, or not at all are columns like others', async () => {
    const workflow = await startWorkflow(agent, 'Names');
    const names = [
      'select',
      '',
      "a'; DROP TABLE record; --",
      'say "hi"',
      'back\\slash',
      '$',
      '$.a',
      'a.b',
      '[0]',
      '#-1',
      'tab\t',
      '\u00e9',
      '\u{1f4da}',
      '__proto__',
      '0',
    ];
    workflow.run([Object.fromEntries(names.map((name, i) => [name, i])), { other: 1 }], 'succeeded');
    for (const [i, column] of names.entries()) {
      const found = await table(workflow, { filter: filterOf({ column, op: 'eq', value: i }), sort: column });
      assert.equal(found.total, 1, column);
    }
    const { columns } = await ask<Facets>('GET', targetOf(workflow, {}, '/facets'));
    assert.deepEqual(new Set(columns.map(({ name }) => name)), new Set([...names, 'other']));
  });

  test('F60 a thousand columns are listed, and more are said to be there', async () => {
    const workflow = await startWorkflow(agent, 'Wide');
    const wide = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`c${i}`, i]));
    workflow.run([wide], 'succeeded');
    const facets = await ask<Facets>('GET', targetOf(workflow, {}, '/facets'));
    const shown = await ask<Table & Pick<Facets, 'has_more_columns'>>('GET', targetOf(workflow));
    assert.deepEqual(
      [facets.columns.length, facets.has_more_columns, shown.columns.length, shown.has_more_columns],
      [1000, true, 1000, true],
    );
    assert.deepEqual(rowsOf(shown), [wide]);
  });
});

// A plain model in JavaScript: what the rows are is known, so what every answer holds can be said without SQL.
const NAMES = ['n', '', 'select', 'a"b', 'x.y'] as const;
const VALUE = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -3, max: 3 }) },
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'B', '1', 'ab', '\u{1f4da}', '\uff5e', 'true', 'x'.repeat(300)) },
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(2 ** 53, -1e300, 0.1),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom([1], { a: 'b' }),
);
const ROW = fc.dictionary(fc.constantFrom(...NAMES), VALUE, { maxKeys: NAMES.length, noNullPrototype: true });
const FILTER: fc.Arbitrary<DataFilter> = fc.oneof(
  fc.record({
    column: fc.constantFrom(...NAMES),
    op: fc.constantFrom('eq', 'ne'),
    value: VALUE.filter((value) => typeof value !== 'object' || value === null),
  }) as fc.Arbitrary<DataFilter>,
  fc.record({
    column: fc.constantFrom(...NAMES),
    op: fc.constant('contains'),
    value: fc.constantFrom('a', 'B', '1', ''),
  }) as fc.Arbitrary<DataFilter>,
  fc.record({
    column: fc.constantFrom(...NAMES),
    op: fc.constantFrom('gt', 'lt'),
    value: VALUE.filter((value) => ['string', 'number'].includes(typeof value)),
  }) as fc.Arbitrary<DataFilter>,
  fc.record({ column: fc.constantFrom(...NAMES), op: fc.constant('exists'), value: fc.boolean() }) as fc.Arbitrary<DataFilter>,
);

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
const isFilled = (value: unknown) => value !== null && value !== undefined;
const bytesOf = (text: string) => Buffer.from(text);

function holds(row: Row, { column, op, value }: DataFilter): boolean {
  const cell = row[column];
  const equal = () => {
    if (value === null) return !isFilled(cell);
    if (typeof value === 'string') return isFilled(cell) && textOf(cell) === value;
    return cell === value;
  };
  switch (op) {
    case 'eq':
      return equal();
    case 'ne':
      return !equal();
    case 'exists':
      return isFilled(cell) === (value ?? true);
    case 'contains':
      return (
        isFilled(cell) &&
        textOf(cell)
          .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
          .includes(String(value).toLowerCase())
      );
    default: {
      if (typeof cell !== typeof value || !isFilled(cell)) return false;
      const order = typeof value === 'string' ? Buffer.compare(bytesOf(String(cell)), bytesOf(value)) : Number(cell) - Number(value);
      return op === 'gt' ? order > 0 : order < 0;
    }
  }
}

const kindOf = (cell: unknown) => (typeof cell === 'number' ? 0 : typeof cell === 'boolean' ? 2 : 1);
const orderedText = (cell: unknown) => bytesOf([...textOf(cell)].slice(0, 200).join(''));

function compare(a: unknown, b: unknown): number {
  if (kindOf(a) !== kindOf(b)) return kindOf(a) - kindOf(b);
  return kindOf(a) === 1 ? Buffer.compare(orderedText(a), orderedText(b)) : Number(a) - Number(b);
}

function sorted(rows: readonly Row[], column: string, order: 'asc' | 'desc'): readonly Row[] {
  const filled = rows.filter((row) => isFilled(row[column]));
  const sign = order === 'asc' ? 1 : -1;
  return [...filled.toSorted((one, other) => sign * compare(one[column], other[column])), ...rows.filter((row) => !isFilled(row[column]))];
}

function facetOf(rows: readonly Row[], name: string) {
  const cells = rows.map((row) => row[name]).filter(isFilled);
  const values = new Map<unknown, number>();
  for (const cell of cells) {
    const value = typeof cell === 'object' ? JSON.stringify(cell) : cell;
    values.set(value, (values.get(value) ?? 0) + 1);
  }
  const shown = (value: unknown) => (typeof value === 'string' && value.length > 200 ? `${value.slice(0, 200)}\u2026` : value);
  const part = (cell: unknown) => (kindOf(cell) === 1 ? orderedText(cell).toString() : cell);
  const ordered = cells.toSorted(compare);
  const top = [...values].toSorted(([a, m], [b, n]) => n - m || compare(a, b)).map(([value, count]) => ({ value: shown(value), count }));
  const ends = ordered.length === 0 ? {} : { min: part(ordered[0]), max: part(ordered.at(-1)) };
  return { name, filled: cells.length, distinct: values.size, distinct_is_capped: false, ...ends, top };
}

test('F60 tables, filters, orders, facets and deletion equal a plain model for any rows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(ROW, { maxLength: 12, size: 'max' }),
      fc.array(FILTER, { maxLength: 2 }),
      fc.constantFrom(...NAMES),
      fc.constantFrom('asc', 'desc'),
      fc.integer({ min: 1, max: 5 }),
      async (drafts, filters, sort, order, limit) => {
        // As JSON keeps them: -0 is 0.
        const rows = JSON.parse(JSON.stringify(drafts)) as Row[];
        const workflow = await startWorkflow(agent, 'Any');
        workflow.run(rows, 'succeeded');
        const matching = rows.filter((row) => filters.every((filter) => holds(row, filter)));
        const query = { filter: JSON.stringify(filters) };
        assert.deepEqual(
          (await whole(workflow, query, limit)).map(({ data }) => data),
          matching,
        );
        assert.deepEqual(
          (await whole(workflow, { ...query, sort, order }, limit)).map(({ data }) => data),
          sorted(matching, sort, order),
        );
        const facets = await ask<Facets>('GET', targetOf(workflow, { ...query, top: 100 }, '/facets'));
        assert.deepEqual(
          facets.columns.map(({ types: _types, ...facet }) => facet),
          [...new Set(matching.flatMap((row) => Object.keys(row)))].map((name) => facetOf(matching, name)),
        );
        assert.equal(await remove(workflow, query), matching.length);
        const left = rows.filter((row) => !matching.includes(row));
        assert.deepEqual(
          (await table(workflow)).data.map(({ data }) => data),
          left,
        );
        assert.equal((await table(workflow)).total, left.length);
      },
    ),
    { numRuns: 60 },
  );
});
