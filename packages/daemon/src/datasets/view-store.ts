// Which records a view shows (D24): the one rule that lists, exports, counts and samples answer from.
import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Which records of a dataset are meant: those that nothing replaced, all, or those of one run. */
export type RecordView = 'newest' | 'all' | { readonly runId: number };

/** Where the records of each view stand, as a condition of SQL on `record` with `$datasetId` and, for a run, `$runId`. */
const CONDITIONS = {
  newest: 'dataset_id = $datasetId AND is_newest = 1',
  all: 'dataset_id = $datasetId',
  // By the index of runs: that of the dataset would lead through all that was ever kept.
  run: '+dataset_id = $datasetId AND run_id = $runId',
} as const;

export interface Views {
  /** The view that has no newer one above it: in a dataset that shows one run, `newest` is that run, 0 before the first has settled. */
  resolve(datasetId: number, view: RecordView): RecordView;
  /** The statement for a resolved view, with its values. */
  statement(datasetId: number, resolved: RecordView): readonly [StatementSync, Readonly<Record<string, number>>];
}

/** Views on `database` of what `sql` reads under a condition. */
export function prepareViews(database: DatabaseSync, sql: (condition: string) => string): Views {
  const shown = database.prepare('SELECT newest_run_id AS runId FROM dataset WHERE id = ?');
  const statements = {
    newest: database.prepare(sql(CONDITIONS.newest)),
    all: database.prepare(sql(CONDITIONS.all)),
    run: database.prepare(sql(CONDITIONS.run)),
  };
  return {
    resolve(datasetId, view) {
      if (view !== 'newest') return view;
      const { runId = null } = (shown.get(datasetId) ?? {}) as { runId?: number | null };
      return runId === null ? view : { runId };
    },
    statement: (datasetId, view) =>
      typeof view === 'object' ? [statements.run, { datasetId, runId: view.runId }] : [statements[view], { datasetId }],
  };
}
