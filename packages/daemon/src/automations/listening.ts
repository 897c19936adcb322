// What automations that are enabled listen for: their triggers as rows, with what each of them knows.
import type { Trigger } from '@weft/contract';
import { isMet, topicOf } from '@weft/engine';
import type { Listener, MonitorReading } from '@weft/engine';
import type { Clock } from '@weft/engine';
import type { Schedules } from '../schedule/schedules.ts';
import { parseDefinition } from './definition.ts';
import type { AutomationRow, AutomationStore, ListenerRow } from './store.ts';

/** The kind under which triggers are due. */
export const DUE_KIND = 'automation';

export interface Listening {
  /** Listens for what an automation asks for, and for nothing where it is disabled; belongs into a transaction of the caller. */
  listen(row: AutomationRow): void;
  /** Ends that. */
  end(automationId: number): void;
  /** Those that a cause may concern. */
  listenersFor(topics: readonly string[]): readonly Listener[];
  /** Notes that what a trigger asks for has come to be so, or is no more. */
  mark(listener: Listener, met: boolean): void;
  /** Epoch milliseconds; undefined where none of its triggers is due by itself. */
  nextMs(automationId: number): number | undefined;
}

export interface ListeningPorts {
  readonly store: AutomationStore;
  readonly schedules: Schedules;
  readonly clock: Clock;
  readonly readingOf: (monitorId: number) => MonitorReading | undefined;
}

export function createListening({ store, schedules, clock, readingOf }: ListeningPorts): Listening {
  const end = (automationId: number) => {
    for (const { id } of store.listenersOf(automationId)) schedules.clear(DUE_KIND, id);
    store.removeListeners(automationId);
  };
  return {
    end,
    listen(row) {
      end(row.id);
      if (row.enabled === 0) return;
      const nowMs = clock.now();
      for (const [place, trigger] of parseDefinition(row).triggers.entries()) {
        const met =
          'monitor_id' in trigger && trigger.monitor_id !== undefined ? metNow(trigger, readingOf(trigger.monitor_id)) : undefined;
        const id = store.addListener({
          automation_id: row.id,
          place,
          topic: topicOf(trigger) ?? null,
          met: met === undefined ? null : met ? 1 : 0,
          held_at: trigger.type === 'held' && met === true ? nowMs : null,
          created_at: nowMs,
        });
        if (trigger.type === 'schedule' || (trigger.type === 'held' && met === true)) schedules.plan(DUE_KIND, id);
      }
    },
    listenersFor: (topics) =>
      store.listenersFor(topics).flatMap((row) => {
        const automation = store.find(row.automation_id);
        const listener = automation && listenerOf(row, automation);
        return listener ? [listener] : [];
      }),
    mark({ id, trigger }, met) {
      store.mark(id, met, trigger.type === 'held' && met ? clock.now() : null);
      if (trigger.type === 'held') schedules.plan(DUE_KIND, id);
    },
    nextMs: (automationId) => {
      const times = store.listenersOf(automationId).flatMap(({ id }) => schedules.dueMs(DUE_KIND, id) ?? []);
      return times.length === 0 ? undefined : Math.min(...times);
    },
  };
}

function metNow(trigger: Trigger, reading: MonitorReading | undefined): boolean | undefined {
  return reading && isMet(trigger, reading);
}

/** A listener with its trigger. */
export function listenerOf({ id, automation_id: automationId, place, met }: ListenerRow, row: AutomationRow): Listener | undefined {
  const trigger = parseDefinition(row).triggers[place];
  return trigger && { id, automationId, place, trigger, met: met === null ? undefined : met === 1 };
}
