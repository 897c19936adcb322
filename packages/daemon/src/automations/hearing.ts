// Causes on the rows of the agent: what the loop of automations hears of.
import type { Cause, CauseStore, WaitingCause } from '@weft/engine';
import { topicsOf } from '@weft/engine';
import type { Database } from '../db/open.ts';
import { transaction } from '../db/open.ts';
import type { CauseRows } from './cause-store.ts';
import type { Fire } from './firing.ts';
import type { Listening } from './listening.ts';
import type { AutomationStore } from './store.ts';

/** For whom runs are made that nobody called for. */
const OWNER = 'automation';

export interface HearingStorePorts {
  readonly database: Database;
  readonly rows: CauseRows;
  readonly store: Pick<AutomationStore, 'find'>;
  readonly listening: Pick<Listening, 'listenersFor' | 'mark'>;
  readonly fire: Fire;
}

export function createCauseStore({ database, rows, store, listening, fire }: HearingStorePorts): CauseStore {
  const areSame = ({ cause, listeners }: WaitingCause) =>
    JSON.stringify(listening.listenersFor(topicsOf(cause))) === JSON.stringify(listeners);
  return {
    async next(nowMs) {
      const row = rows.next(nowMs);
      if (!row) return undefined;
      const cause = JSON.parse(row.body) as Cause;
      return { id: row.id, cause, listeners: listening.listenersFor(topicsOf(cause)), faults: row.faults };
    },
    nextMs: async () => rows.nextMs(),
    settle: async (waiting, { firings, marks }) =>
      transaction(database.fast, () => {
        const row = rows.find(waiting.id);
        if (!row || !areSame(waiting)) return false;
        for (const { listener, met } of marks) listening.mark(listener, met);
        for (const { automationId, data } of firings) {
          const automation = store.find(automationId);
          if (automation) fire(automation, { data, made: 'automation', ownerId: OWNER, depth: row.depth + 1, privateTargets: [] });
        }
        rows.remove(waiting.id);
        return true;
      }),
    putOff: async (id, untilMs) => rows.putOff(id, untilMs),
  };
}
