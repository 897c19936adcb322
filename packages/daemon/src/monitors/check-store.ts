// Rows that checks write.
import type { Check } from '@weft/contract';
import type { Database } from '../db/open.ts';
import { allRows } from '../db/rows.ts';
import type { ChangeRow, MonitorRow } from './store.ts';

/** What is known of one value. */
export interface ValueRow {
  readonly key: string;
  /** JSON of a KnownValue. */
  readonly known: string;
}

/** A change to keep. */
export type NewChangeRow = Omit<ChangeRow, 'id' | 'monitor_name'>;

/** All of it belongs into the transaction of a check. */
export interface CheckRows {
  valuesOf(monitorId: number): readonly ValueRow[];
  setValue(monitorId: number, value: ValueRow): void;
  /** How a monitor stands after a check. `changed_at` null leaves the last one. */
  settle(
    id: number,
    row: Pick<MonitorRow, 'state' | 'page' | 'flapping'> & {
      readonly run_id: number;
      readonly at: number;
      readonly changed_at: number | null;
    },
  ): void;
  /** Its id. */
  addChange(row: NewChangeRow): number;
  addCheck(runId: number, monitorId: number, verdict: Check['verdict'], body: string): void;
  setCadence(id: number, cadence: string): void;
  /** What a check in a lane has cost, and what is assumed of that lane. */
  addCost(lane: string, seconds: number, assumed: number): void;
}

/** A check counts in the mean cost of its lane for as long as about so many more. */
const COST_CHECKS = 50;
/** What is assumed of a lane counts as so many checks: the first ones load code and start threads, and say little. */
const ASSUMED_CHECKS = 10;

export function createCheckRows({ fast }: Database): CheckRows {
  const values = fast.prepare('SELECT key, known FROM monitor_value WHERE monitor_id = ?');
  const setValue = fast.prepare(
    'INSERT INTO monitor_value (monitor_id, key, known) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET known = excluded.known',
  );
  const settle = fast.prepare(
    `UPDATE monitor SET state = ?, page = ?, flapping = ?, checks = checks + 1, last_checked_at = ?,
       last_changed_at = ifnull(?, last_changed_at), last_run_id = ? WHERE id = ?`,
  );
  const addChange = fast.prepare(
    `INSERT INTO monitor_change (monitor_id, selector_id, extractor_id, name, kind, old, new, difference, summary, percent, url, run_id, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const addCheck = fast.prepare('INSERT INTO monitor_check (run_id, monitor_id, verdict, body) VALUES (?, ?, ?, ?)');
  const setCadence = fast.prepare('UPDATE monitor SET cadence = ? WHERE id = ?');
  const addCost = fast.prepare(
    `INSERT INTO monitor_cost (lane, seconds, measured) VALUES (?1, ?3 + (?2 - ?3) / ${ASSUMED_CHECKS + 1}.0, 1)
     ON CONFLICT DO UPDATE SET seconds = seconds + (?2 - seconds) / min(measured + ${ASSUMED_CHECKS + 1}.0, ${COST_CHECKS}), measured = measured + 1`,
  );
  return {
    valuesOf: (monitorId) => allRows<ValueRow>(values, monitorId),
    setValue: (monitorId, { key, known }) => void setValue.run(monitorId, key, known),
    settle: (id, { state, page, flapping, at, changed_at, run_id }) => void settle.run(state, page, flapping, at, changed_at, run_id, id),
    addChange(row) {
      const {
        monitor_id,
        selector_id,
        extractor_id,
        name,
        kind,
        old,
        new: now,
        difference,
        summary,
        percent,
        url,
        run_id,
        created_at,
      } = row;
      const of = [monitor_id, selector_id, extractor_id, name, kind, old, now, difference] as const;
      return Number(addChange.run(...of, summary, percent, url, run_id, created_at).lastInsertRowid);
    },
    addCheck: (runId, monitorId, verdict, body) => void addCheck.run(runId, monitorId, verdict, body),
    setCadence: (id, cadence) => void setCadence.run(cadence, id),
    addCost: (lane, seconds, assumed) => void addCost.run(lane, seconds, assumed),
  };
}
