// Rows of extractors.
import type { Database } from '../db/open.ts';
import { durably } from '../db/open.ts';
import { allRows } from '../db/rows.ts';

export interface ExtractorRow {
  readonly id: number;
  readonly selector_id: number;
  /** JSON of an ExtractorSpec. */
  readonly definition: string;
  readonly active: 0 | 1;
  readonly created_at: number;
  readonly updated_at: number;
}

type ExtractorEdit = Pick<ExtractorRow, 'definition' | 'active' | 'updated_at'>;

/** Every change is durable, but `insert`, which belongs into a transaction of the caller. */
export interface ExtractorStore {
  insert(row: ExtractorEdit & Pick<ExtractorRow, 'selector_id' | 'created_at'>): number;
  find(id: number): ExtractorRow | undefined;
  /** In the order in which they were added. */
  ofSelector(selectorId: number): readonly ExtractorRow[];
  /** `also` runs in the same transaction. */
  update(id: number, edit: ExtractorEdit, also: () => void): void;
  delete(id: number, also: () => void): void;
}

export function createExtractorStore({ fast }: Database): ExtractorStore {
  const insert = fast.prepare(
    'INSERT INTO monitor_extractor (selector_id, definition, active, created_at, updated_at) VALUES (?, ?, ?, ?, ?)',
  );
  const find = fast.prepare('SELECT * FROM monitor_extractor WHERE id = ?');
  const ofSelector = fast.prepare('SELECT * FROM monitor_extractor WHERE selector_id = ? ORDER BY id');
  const update = fast.prepare('UPDATE monitor_extractor SET definition = ?, active = ?, updated_at = ? WHERE id = ?');
  const remove = fast.prepare('DELETE FROM monitor_extractor WHERE id = ?');
  return {
    insert: ({ selector_id, definition, active, created_at, updated_at }) =>
      Number(insert.run(selector_id, definition, active, created_at, updated_at).lastInsertRowid),
    find: (id) => find.get(id) as ExtractorRow | undefined,
    ofSelector: (selectorId) => allRows<ExtractorRow>(ofSelector, selectorId),
    update: (id, { definition, active, updated_at }, also) =>
      durably(fast, () => {
        update.run(definition, active, updated_at, id);
        also();
      }),
    delete: (id, also) =>
      durably(fast, () => {
        also();
        remove.run(id);
      }),
  };
}
