// Writes what has happened, in the transaction in which it does, where an automation listens for it.
import { topicsOf } from '@weft/engine';
import type { Cause } from '@weft/engine';
import type { KeptCheck } from '../monitors/checks.ts';
import type { MonitorReadings } from '../monitors/reading.ts';
import { toRun } from '../runs/run.ts';
import type { RunRow } from '../runs/run.ts';
import type { CauseRows } from './cause-store.ts';
import type { AutomationStore } from './store.ts';

export interface AutomationCauses {
  /** A check was kept. */
  noteCheck(kept: Pick<KeptCheck, 'monitor' | 'effective' | 'check'>): void;
  /** A run is settled, or began to wait for a person. */
  noteRun(row: RunRow): void;
}

export interface CausePorts {
  readonly rows: CauseRows;
  readonly store: Pick<AutomationStore, 'hasListener'>;
  readonly readings: Pick<MonitorReadings, 'readingOf'>;
  /** Looks for causes, in a later turn. */
  readonly wake: () => void;
}

export function createAutomationCauses({ rows, store, readings, wake }: CausePorts): AutomationCauses {
  const note = (cause: Cause, runId: number) => {
    rows.add(JSON.stringify(cause), runId);
    queueMicrotask(wake);
  };
  return {
    noteCheck({ monitor: { id, name, url }, effective: { tags = [] }, check }) {
      const monitor = { id, name, ...(url === null ? {} : { url }), tags };
      const current = { state: check.state, values: {} };
      const cause = { kind: 'check', monitor, runId: check.run_id, current, changes: check.changes } as const;
      if (!store.hasListener(topicsOf(cause))) return;
      note({ ...cause, current: readings.readingOf(id) ?? current }, check.run_id);
    },
    noteRun(row) {
      const { id, status, source, failure } = toRun(row);
      const cause = { kind: 'run', run: { id, status, source, ...(failure ? { failure } : {}) } } as const;
      if (store.hasListener(topicsOf(cause))) note(cause, id);
    },
  };
}
