// Triggers that time sets off: schedules, and what has held for long enough.
import { FIRST_CADENCE, heldData, nextDue } from '@weft/engine';
import { toInstant } from '@weft/serve';
import type { DueKind } from '../schedule/schedules.ts';
import type { CauseRows } from './cause-store.ts';
import type { Fire } from './firing.ts';
import { DUE_KIND, listenerOf } from './listening.ts';
import type { AutomationStore } from './store.ts';

/** For whom runs are made that are due. */
const OWNER = 'schedule';
/** While something was not heard yet that may end what has held, it is not taken to hold. */
const UNHEARD_MS = 1000;

export interface DuePorts {
  readonly store: AutomationStore;
  readonly causes: Pick<CauseRows, 'hasAny'>;
  readonly fire: Fire;
}

/** What is done when a trigger is due; its owner is the listener. */
export function dueAutomations({ store, causes, fire }: DuePorts): DueKind {
  const find = (id: number) => {
    const row = store.listener(id);
    const automation = row && store.find(row.automation_id);
    const trigger = row && automation && listenerOf(row, automation)?.trigger;
    return trigger && { row, automation, trigger };
  };
  return {
    queue: 'automation',
    begin(id, { dueMs, isMissed }) {
      const found = find(id);
      if (!found) return undefined;
      const { row, automation, trigger } = found;
      const by = { ownerId: OWNER, depth: 1, privateTargets: [] };
      if (trigger.type === 'schedule') {
        if (isMissed && trigger.schedule.missed === 'skip') return undefined;
        const data = { type: 'schedule', summary: `It was due at ${toInstant(dueMs)}.`, due_at: toInstant(dueMs) } as const;
        return fire(automation, { ...by, data, made: 'schedule' });
      }
      if (trigger.type !== 'held' || row.held_at === null || causes.hasAny()) return undefined;
      store.mark(id, true, null);
      return fire(automation, { ...by, data: heldData(trigger), made: 'automation' });
    },
    next(id, lastDueMs, nowMs) {
      const found = find(id);
      if (!found) return undefined;
      const { row, trigger } = found;
      if (trigger.type === 'held')
        return row.held_at === null ? undefined : Math.max(row.held_at + trigger.seconds * 1000, nowMs + UNHEARD_MS);
      if (trigger.type !== 'schedule') return undefined;
      const thing = { seed: `${DUE_KIND}-${id}`, startedMs: row.created_at, lastDueMs, cadence: FIRST_CADENCE };
      return nextDue(trigger.schedule, thing, nowMs);
    },
  };
}
