// What comes due by itself, for every group that says what it does then.
import type { DueRuns } from '../runs/executor.ts';
import type { Group, Nouns } from '../group.ts';
import { schedulesPart } from './health.ts';
import type { DueKind, Schedules } from './schedules.ts';
import { ScheduleLoop } from './schedules.ts';
import { createDueStore } from './store.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly schedules: Schedules;
    /** The same as the executor asks it for runs. */
    readonly dueRuns: DueRuns;
    readonly scheduleLoop: ScheduleLoop;
  }
}

export const group: Group = {
  nouns: {
    scheduleLoop: (nouns) => {
      const { database, clock, logError } = nouns;
      return new ScheduleLoop({ database, store: createDueStore(database), clock, kinds: () => kindsOf(nouns), logError });
    },
    schedules: ({ scheduleLoop }) => scheduleLoop,
    dueRuns: ({ scheduleLoop }) => scheduleLoop,
  },
  health: ({ schedules }) => schedulesPart(schedules.state()),
};

/** Throws for a kind that two groups have. */
function kindsOf(nouns: Nouns): Readonly<Record<string, DueKind>> {
  const kinds = nouns.groups.flatMap(({ due }) => Object.entries(due?.(nouns) ?? {}));
  const twice = kinds.find(([kind], index) => kinds.findIndex(([other]) => other === kind) < index);
  if (twice) throw new Error(`Two groups say what is done when a ${twice[0]} is due.`);
  return Object.fromEntries(kinds);
}
