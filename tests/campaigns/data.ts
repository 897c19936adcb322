// Tables, filters, orders, facets, search and deletion over many rows, beside plain SQL over the same rows in a table of typed columns.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue } from 'node:sqlite';
import type { DataFacet, DataFilter, DatasetRecord } from '@weft/contract';
import { DISTINCT_MAX } from '@weft/contract';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import type { KernelAgent } from '../conformance/kernel.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { startKernelAgent } from '../conformance/kernel.ts';
import type { RowsOfWorkflow } from '../workflow-rows.ts';
import { startWorkflow } from '../workflow-rows.ts';

export const roundsInTests = 1;

/** A hundred rounds make a million. */
const ROWS_PER_ROUND = 10_000;
const LOOKS = 6;
const PAGES_WALKED = 3;
const COLUMNS = ['n', 'city', 'price', 'mixed', 'note'] as const;
type Column = (typeof COLUMNS)[number];
const WORDS = ['numbat', 'quoll', 'bilby', 'dunnart', 'potoroo'] as const;
const CITIES = 30_000;

type Row = Readonly<Record<Column, string | number | null>>;
type Random = (below: number) => number;

/** Rounds are ten thousand rows each; six generated looks at all of them follow, each with a deletion, and all else is deleted at the end. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const share = mulberry32(seed);
  const random: Random = (below) => Math.floor(share() * below);
  const folder = mkdtempSync(join(tmpdir(), 'weft-data-'));
  const plain = new DatabaseSync(join(folder, 'plain.db'));
  let ms = 0;
  const agent = await startKernelAgent({ home: join(folder, 'home'), monotonicMs: () => (ms += 1000) });
  try {
    const workflow = await startWorkflow(agent, 'Rows');
    fill(plain, workflow, rounds * ROWS_PER_ROUND, random);
    const beside: Beside = { agent, workflow, plain, random };
    for (let look = 0; look < LOOKS; look++) {
      const filters = filtersOf(random);
      const startedMs = performance.now();
      await assertTable(beside, filters);
      await assertFacets(beside, filters);
      await assertSearch(beside);
      const readMs = performance.now() - startedMs;
      const deleted = await assertDeletion(beside);
      log(`${look + 1}: ${JSON.stringify(filters)}, read in ${Math.round(readMs)} ms, ${deleted} deleted, ${countOf(plain, '1', [])} left`);
    }
    const left = countOf(plain, '1', []);
    assert.equal(await ask(agent, 'DELETE', targetOf(workflow)).then((body) => (body as { deleted: number }).deleted), left);
    for (const word of WORDS) assert.equal((await searched(beside, word)).length, 0, word);
    assert.equal(agent.rowCounts()['record'], 0);
  } finally {
    await agent[Symbol.asyncDispose]();
    plain.close();
    rmSync(folder, { recursive: true });
  }
}

interface Beside {
  readonly agent: KernelAgent;
  readonly workflow: RowsOfWorkflow;
  readonly plain: DatabaseSync;
  readonly random: Random;
}

function fill(plain: DatabaseSync, workflow: RowsOfWorkflow, count: number, random: Random): void {
  // `mixed` has no type, so that it keeps numbers and texts as they are.
  plain.exec('PRAGMA synchronous = OFF; CREATE TABLE plain (n REAL PRIMARY KEY, city TEXT, price REAL, mixed, note TEXT); BEGIN');
  const insert = plain.prepare('INSERT INTO plain VALUES (?, ?, ?, ?, ?)');
  function* rows(): Generator<Row> {
    for (let n = 1; n <= count; n++) {
      const row = rowOf(n, random);
      insert.run(...COLUMNS.map((column) => row[column]));
      // Empty cells are null in some rows and absent in others.
      yield n % 2 === 0 ? row : (Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row);
    }
  }
  workflow.run(rows(), 'succeeded');
  plain.exec('COMMIT');
}

function rowOf(n: number, random: Random): Row {
  const note = Array.from({ length: 1 + random(4) }, () => WORDS[random(WORDS.length)] ?? '').join(' ');
  return {
    n,
    city: random(50) === 0 ? null : `City ${random(CITIES)}`,
    price: random(10) === 0 ? null : random(100_000) / 100,
    mixed: [null, random(50), `${random(50)}`, `t${random(50)}`, random(1000) / 7][random(5)] ?? null,
    note,
  };
}

function filtersOf(random: Random): DataFilter[] {
  const one = (): DataFilter => {
    const column = COLUMNS[random(COLUMNS.length)] ?? 'n';
    switch (random(5)) {
      case 0:
        return {
          column,
          op: random(2) === 0 ? 'eq' : 'ne',
          value: [random(50), `${random(50)}`, `City ${random(CITIES)}`, null][random(4)] ?? null,
        };
      case 1:
        return { column, op: 'contains', value: ['7', 'City 1', 'BILBY', 't'][random(4)] ?? '' };
      case 2:
        return { column, op: 'exists', value: random(2) === 0 };
      default:
        return { column, op: random(2) === 0 ? 'gt' : 'lt', value: [random(1000), random(50), `City ${random(9)}`, 't2'][random(4)] ?? 0 };
    }
  };
  return Array.from({ length: random(3) }, one);
}

/** The same filters in the words of SQL on typed columns. */
function whereOf(filters: readonly DataFilter[]): readonly [where: string, values: readonly SQLInputValue[]] {
  const parts = filters.map(({ column, op, value }): readonly [string, readonly SQLInputValue[]] => {
    if (op === 'exists') return [`${column} IS ${value === false ? '' : 'NOT'} NULL`, []];
    if (op === 'contains') return [`${textSql(column)} LIKE '%' || ? || '%'`, [value]];
    if (value === null) return [`${column} IS ${op === 'eq' ? '' : 'NOT'} NULL`, []];
    const isNumber = typeof value === 'number';
    // Truth values are not generated.
    const bound = value as string | number;
    if (op === 'gt' || op === 'lt') {
      const types = isNumber ? "IN ('integer', 'real')" : "= 'text'";
      return [`typeof(${column}) ${types} AND ${column} ${op === 'gt' ? '>' : '<'} ?`, [bound]];
    }
    const equal = isNumber ? `typeof(${column}) <> 'text' AND ${column} = ?` : `${textSql(column)} = ?`;
    return [op === 'eq' ? equal : `NOT ifnull(${equal}, 0)`, [bound]];
  });
  return [['1', ...parts.map(([sql]) => `(${sql})`)].join(' AND '), parts.flatMap(([, values]) => values)];
}

/** As JavaScript writes it: whole numbers without a fraction, others with 17 digits at most. */
function textSql(column: string): string {
  return `CASE WHEN typeof(${column}) = 'text' THEN ${column} WHEN ${column} = CAST(${column} AS INTEGER) THEN CAST(CAST(${column} AS INTEGER) AS TEXT) ELSE as_text(${column}) END`;
}

function countOf(plain: DatabaseSync, where: string, values: readonly SQLInputValue[]): number {
  plain.function('as_text', { deterministic: true }, (value) => (value === null ? null : String(value)));
  return (plain.prepare(`SELECT count(*) AS n FROM plain WHERE ${where}`).get(...values) as { n: number }).n;
}

async function assertTable({ agent, workflow, plain, random }: Beside, filters: readonly DataFilter[]): Promise<void> {
  const [where, values] = whereOf(filters);
  const sort = COLUMNS[random(COLUMNS.length)] ?? 'n';
  const order = random(2) === 0 ? 'asc' : 'desc';
  const limit = 1 + random(100);
  const total = countOf(plain, where, values);
  const wanted = plain
    .prepare(`SELECT n FROM plain WHERE ${where} ORDER BY ${sort} IS NULL, ${sort} ${order}, n LIMIT ?`)
    .all(...values, PAGES_WALKED * limit)
    .map(({ n }) => n);
  const found: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_WALKED && (page === 0 || cursor !== undefined); page++) {
    const query = { filter: JSON.stringify(filters), sort, order, limit, cursor };
    const answer = (await ask(agent, 'GET', targetOf(workflow, query))) as Answer;
    if (page === 0) assert.equal(answer.total, total, 'total');
    found.push(...answer.data.map(({ data }) => data['n']));
    cursor = answer.next_cursor;
  }
  assert.deepEqual(found, wanted, `${sort} ${order}`);
}

interface Answer {
  readonly data: readonly DatasetRecord[];
  readonly total?: number;
  readonly next_cursor?: string;
}

async function assertFacets({ agent, workflow, plain }: Beside, filters: readonly DataFilter[]): Promise<void> {
  const [where, values] = whereOf(filters);
  const answer = (await ask(agent, 'GET', targetOf(workflow, { filter: JSON.stringify(filters) }, '/facets'))) as {
    rows: number;
    columns: DataFacet[];
  };
  assert.equal(answer.rows, countOf(plain, where, values));
  for (const { types: _types, ...facet } of answer.columns) {
    const { name } = facet;
    const { filled, distinct, min, max } = plain
      .prepare(
        `SELECT count(${name}) AS filled, count(DISTINCT ${name}) AS "distinct", min(${name}) AS min, max(${name}) AS max FROM plain WHERE ${where}`,
      )
      .get(...values) as { filled: number; distinct: number; min: unknown; max: unknown };
    const isCapped = distinct > DISTINCT_MAX.column;
    const top = isCapped
      ? []
      : plain
          .prepare(
            `SELECT ${name} AS value, count(*) AS count FROM plain WHERE ${where} AND ${name} IS NOT NULL GROUP BY ${name} ORDER BY 2 DESC, 1 LIMIT 10`,
          )
          .all(...values)
          .map((row) => ({ ...row }));
    const ends = filled === 0 ? {} : { min, max };
    const counts = { filled, distinct: isCapped ? DISTINCT_MAX.column : distinct, distinct_is_capped: isCapped };
    assert.deepEqual(facet, { name, ...counts, ...ends, top });
  }
}

async function searched({ agent, workflow }: Beside, word: string): Promise<readonly unknown[]> {
  const { data } = (await ask(agent, 'GET', `/v1/datasets/${workflow.datasetId}/search?q=${word}&limit=500`)) as {
    data: { data: Record<string, unknown> }[];
  };
  return data.map(({ data: row }) => row['n']);
}

/** Every word finds the rows whose note has it, in the table and in search. */
async function assertSearch(beside: Beside): Promise<void> {
  const { agent, workflow, plain, random } = beside;
  const word = WORDS[random(WORDS.length)] ?? '';
  const total = countOf(plain, 'note LIKE ?', [`%${word}%`]);
  const answer = (await ask(agent, 'GET', targetOf(workflow, { q: word, limit: 1 }))) as Answer;
  assert.equal(answer.total, total, word);
  const found = await searched(beside, word);
  assert.equal(found.length, Math.min(500, total));
  const holds = plain.prepare('SELECT note FROM plain WHERE n = ?');
  for (const n of found) assert.match(String(holds.get(n as number)?.['note']), new RegExp(word));
}

/** What a filter chooses goes: said before, and gone afterwards. */
async function assertDeletion({ agent, workflow, plain, random }: Beside): Promise<number> {
  const from = random(990);
  const filters: DataFilter[] = [
    { column: 'price', op: 'gt', value: from },
    { column: 'price', op: 'lt', value: from + 10 },
    { column: 'note', op: 'contains', value: WORDS[random(WORDS.length)] ?? '' },
  ];
  const [where, values] = whereOf(filters);
  const wanted = countOf(plain, where, values);
  const query = { filter: JSON.stringify(filters) };
  for (const dry_run of ['true', 'false'])
    assert.deepEqual(await ask(agent, 'DELETE', targetOf(workflow, { ...query, dry_run })), { deleted: wanted });
  plain.prepare(`DELETE FROM plain WHERE ${where}`).run(...values);
  assert.equal(((await ask(agent, 'GET', targetOf(workflow, { limit: 1 }))) as Answer).total, countOf(plain, '1', []));
  return wanted;
}

function targetOf({ id }: RowsOfWorkflow, query: Readonly<Record<string, string | number | undefined>> = {}, path = ''): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return `/v1/workflows/${id}/data${path}?${search}`;
}

async function ask(agent: KernelAgent, method: string, target: string): Promise<unknown> {
  const { status, body } = await agent.json(method, target);
  assert.equal(status, 200, `${method} ${target}: ${JSON.stringify(body)}`);
  return body;
}
