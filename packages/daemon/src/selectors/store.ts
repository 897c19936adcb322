// Rows of selectors.
import type { Database } from '../db/open.ts';
import { durably } from '../db/open.ts';
import { allRows } from '../db/rows.ts';

export interface SelectorRow {
  readonly id: number;
  readonly monitor_id: number;
  /** JSON of a selector's members. */
  readonly definition: string;
  readonly active: 0 | 1;
  /** JSON of a KeptBaseline; null without one. */
  readonly baseline: string | null;
  /** JSON of a proposal; null without one. */
  readonly proposal: string | null;
  /** JSON of a KnownTarget; null before the first check. */
  readonly known: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

type SelectorEdit = Pick<SelectorRow, 'definition' | 'active' | 'updated_at'>;

/** Every change by a person is durable. What checks write belongs into their transaction. */
export interface SelectorStore {
  /** Belongs into a transaction of the caller. */
  insert(row: SelectorEdit & Pick<SelectorRow, 'monitor_id' | 'created_at'>): number;
  inTransaction<Made>(work: () => Made): Made;
  find(id: number): SelectorRow | undefined;
  /** In the order in which they were added. */
  ofMonitor(monitorId: number): readonly SelectorRow[];
  /** `forgets`: what it found before is not compared with what it finds now. */
  update(id: number, edit: SelectorEdit, forgets: boolean): void;
  delete(id: number): void;
  /** Takes a repair over: what it found before is compared with what it finds now. Belongs into a transaction of the caller. */
  heal(id: number, definition: string): void;
  setBaseline(id: number, baseline: string | null, atMs: number): void;
  /** Drops the proposal. A check that is under way is made anew. */
  dismiss(id: number, known: string): void;
  /** Belongs into a transaction of the caller. */
  keepCheck(id: number, kept: Partial<Pick<SelectorRow, 'baseline' | 'proposal' | 'known'>>): void;
  /** Forgets the value of one of its extractors. Belongs into a transaction of the caller. */
  forgetValue(id: number, extractorId: number): void;
}

export function createSelectorStore({ fast }: Database): SelectorStore {
  const insert = fast.prepare(
    'INSERT INTO monitor_selector (monitor_id, definition, active, created_at, updated_at) VALUES (?, ?, ?, ?, ?)',
  );
  const find = fast.prepare('SELECT * FROM monitor_selector WHERE id = ?');
  const ofMonitor = fast.prepare('SELECT * FROM monitor_selector WHERE monitor_id = ? ORDER BY id');
  const update = fast.prepare('UPDATE monitor_selector SET definition = ?, active = ?, updated_at = ? WHERE id = ?');
  const forget = fast.prepare('UPDATE monitor_selector SET baseline = NULL, proposal = NULL, known = NULL WHERE id = ?');
  const forgetValues = fast.prepare('DELETE FROM monitor_value WHERE monitor_id = ? AND substr(key, 1, length(?2)) = ?2');
  const forgetValue = fast.prepare('DELETE FROM monitor_value WHERE monitor_id = ? AND key = ?');
  const remove = fast.prepare('DELETE FROM monitor_selector WHERE id = ?');
  const heal = fast.prepare('UPDATE monitor_selector SET definition = ?, baseline = NULL, proposal = NULL WHERE id = ?');
  const setBaseline = fast.prepare('UPDATE monitor_selector SET baseline = ?, proposal = NULL, updated_at = ? WHERE id = ?');
  // The baseline stays, and is named so that the version of the monitor becomes another one.
  const dismiss = fast.prepare('UPDATE monitor_selector SET known = ?, proposal = NULL, baseline = baseline WHERE id = ?');
  const columns = { baseline: 'baseline', proposal: 'proposal', known: 'known' } as const;
  const keep = Object.fromEntries(
    Object.values(columns).map((column) => [column, fast.prepare(`UPDATE monitor_selector SET ${column} = ? WHERE id = ?`)]),
  );
  const rowOf = (id: number) => find.get(id) as SelectorRow | undefined;
  return {
    insert: ({ monitor_id, definition, active, created_at, updated_at }) =>
      Number(insert.run(monitor_id, definition, active, created_at, updated_at).lastInsertRowid),
    inTransaction: (work) => durably(fast, work),
    find: rowOf,
    ofMonitor: (monitorId) => allRows<SelectorRow>(ofMonitor, monitorId),
    update: (id, { definition, active, updated_at }, forgets) =>
      durably(fast, () => {
        update.run(definition, active, updated_at, id);
        if (!forgets) return;
        forget.run(id);
        forgetValues.run(rowOf(id)?.monitor_id ?? 0, `${id}/`);
      }),
    delete: (id) =>
      durably(fast, () => {
        forgetValues.run(rowOf(id)?.monitor_id ?? 0, `${id}/`);
        remove.run(id);
      }),
    heal: (id, definition) => void heal.run(definition, id),
    setBaseline: (id, baseline, atMs) => durably(fast, () => void setBaseline.run(baseline, atMs, id)),
    dismiss: (id, known) => durably(fast, () => void dismiss.run(known, id)),
    keepCheck(id, kept) {
      for (const [column, value] of Object.entries(kept)) keep[column]?.run(value, id);
    },
    forgetValue: (id, extractorId) => void forgetValue.run(rowOf(id)?.monitor_id ?? 0, `${id}/${extractorId}`),
  };
}
