// Rows of tags.
import type { Database } from '../db/open.ts';
import { durably } from '../db/open.ts';
import { allRows } from '../db/rows.ts';
import type { MonitorRow } from './store.ts';

export interface TagRow {
  readonly name: string;
  /** JSON of TagSettings. */
  readonly settings: string;
  readonly updated_at: number;
}

/** Every change is durable; `also` runs in the same transaction. */
export interface TagStore {
  find(name: string): TagRow | undefined;
  /** In order of their names. */
  list(limit: number, offset: number): readonly TagRow[];
  count(): number;
  /** Inserts the row or replaces it. */
  put(row: TagRow, also: () => void): void;
  delete(name: string, also: () => void): void;
  /** A monitor has another schedule from now on. Belongs into a transaction of the caller. */
  reschedule(monitorId: number, row: Pick<MonitorRow, 'cadence' | 'scheduled_at'>): void;
}

export function createTagStore({ fast }: Database): TagStore {
  const find = fast.prepare('SELECT * FROM monitor_tag WHERE name = ?');
  const list = fast.prepare('SELECT * FROM monitor_tag ORDER BY name LIMIT ? OFFSET ?');
  const count = fast.prepare('SELECT count(*) AS n FROM monitor_tag');
  const put = fast.prepare(
    `INSERT INTO monitor_tag (name, settings, updated_at) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET settings = excluded.settings, updated_at = excluded.updated_at`,
  );
  const remove = fast.prepare('DELETE FROM monitor_tag WHERE name = ?');
  const reschedule = fast.prepare('UPDATE monitor SET cadence = ?, scheduled_at = ? WHERE id = ?');
  return {
    find: (name) => find.get(name) as TagRow | undefined,
    list: (limit, offset) => allRows<TagRow>(list, limit, offset),
    count: () => (count.get() as { n: number }).n,
    put: ({ name, settings, updated_at }, also) =>
      durably(fast, () => {
        put.run(name, settings, updated_at);
        also();
      }),
    delete: (name, also) =>
      durably(fast, () => {
        remove.run(name);
        also();
      }),
    reschedule: (monitorId, { cadence, scheduled_at }) => void reschedule.run(cadence, scheduled_at, monitorId),
  };
}
