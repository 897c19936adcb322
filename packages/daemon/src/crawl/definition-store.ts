// Rows of saved crawls.
import type { Database } from '../db/open.ts';
import { durably } from '../db/open.ts';
import { allRows } from '../db/rows.ts';
import type { RunRow } from '../runs/run.ts';

export interface DefinitionRow {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  /** JSON of CrawlOptions, members in order of their names. */
  readonly options: string;
  readonly dataset_id: number;
  readonly created_at: number;
  readonly updated_at: number;
}

export type DefinitionChange = Pick<DefinitionRow, 'slug' | 'name' | 'options' | 'updated_at'>;
type LastSuccess = Pick<RunRow, 'id' | 'finished_at'>;

/** How runs and datasets name a saved crawl as their source. */
export const DEFINITION_SOURCE = 'crawl_definition';

/** Every change is durable. */
export interface DefinitionStore {
  /** Inserts the row; `dataset` makes its dataset in the same transaction. */
  insert(row: Omit<DefinitionRow, 'id' | 'dataset_id'>, dataset: (id: number) => number): number;
  findById(id: number): DefinitionRow | undefined;
  findBySlug(slug: string): DefinitionRow | undefined;
  /** Newest first. */
  list(limit: number, offset: number): readonly DefinitionRow[];
  count(): number;
  update(id: number, change: DefinitionChange): void;
  /** Deletes the row and marks its dataset; `also` runs in the same transaction. */
  delete(id: number, also: () => void): void;
  /** The newest run that succeeded with exactly these options; of `ownerId` alone where one is given. */
  lastSuccess(id: number, options: string, ownerId: string | undefined): LastSuccess | undefined;
}

export function createDefinitionStore({ fast }: Database): DefinitionStore {
  const insert = fast.prepare(
    'INSERT INTO crawl_definition (slug, name, options, dataset_id, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const nextId = fast.prepare(`SELECT ifnull(max(seq), 0) + 1 AS id FROM sqlite_sequence WHERE name = 'crawl_definition'`);
  const byId = fast.prepare('SELECT * FROM crawl_definition WHERE id = ?');
  const bySlug = fast.prepare('SELECT * FROM crawl_definition WHERE slug = ?');
  const list = fast.prepare('SELECT * FROM crawl_definition ORDER BY id DESC LIMIT ? OFFSET ?');
  const count = fast.prepare('SELECT count(*) AS n FROM crawl_definition');
  const update = fast.prepare('UPDATE crawl_definition SET slug = ?, name = ?, options = ?, updated_at = ? WHERE id = ?');
  const remove = fast.prepare('DELETE FROM crawl_definition WHERE id = ?');
  const markDataset = fast.prepare('UPDATE dataset SET source_deleted = 1 WHERE source_kind = ? AND source_id = ?');
  const lastSuccess = fast.prepare(
    `SELECT run.id, finished_at FROM run JOIN crawl ON crawl.run_id = run.id
     WHERE source_kind = ? AND source_id = ? AND status = 'succeeded' AND crawl.options = ? AND owner_id = ifnull(?, owner_id) ORDER BY run.id DESC LIMIT 1`,
  );
  return {
    insert: (row, dataset) =>
      durably(fast, () => {
        const { id } = nextId.get() as { id: number };
        insert.run(row.slug, row.name, row.options, dataset(id), row.created_at, row.updated_at);
        return id;
      }),
    findById: (id) => byId.get(id) as DefinitionRow | undefined,
    findBySlug: (slug) => bySlug.get(slug) as DefinitionRow | undefined,
    list: (limit, offset) => allRows<DefinitionRow>(list, limit, offset),
    count: () => (count.get() as { n: number }).n,
    update: (id, change) => durably(fast, () => void update.run(change.slug, change.name, change.options, change.updated_at, id)),
    delete: (id, also) =>
      durably(fast, () => {
        also();
        markDataset.run(DEFINITION_SOURCE, id);
        remove.run(id);
      }),
    lastSuccess: (id, options, ownerId) => lastSuccess.get(DEFINITION_SOURCE, id, options, ownerId ?? null) as LastSuccess | undefined,
  };
}
