// What automations add to the agent: what they listen for, how they are set off, and how their runs go.
import { createHearingLoop } from '@weft/engine';
import type { HearingLoop } from '@weft/engine';
import type { Group, Nouns } from '../group.ts';
import type { Automations } from './automation.ts';
import { createAutomations } from './automation.ts';
import type { AutomationCauses } from './cause.ts';
import { createAutomationCauses } from './cause.ts';
import type { CauseRows } from './cause-store.ts';
import { createCauseRows } from './cause-store.ts';
import { dueAutomations } from './due.ts';
import type { Fire } from './firing.ts';
import { createFiring } from './firing.ts';
import { automationHandlers } from './handlers.ts';
import { createCauseStore } from './hearing.ts';
import type { Listening } from './listening.ts';
import { createListening } from './listening.ts';
import type { AutomationRunRows } from './run-store.ts';
import { createAutomationRunRows } from './run-store.ts';
import type { AutomationStore } from './store.ts';
import { createAutomationStore } from './store.ts';
import { automationResults } from './trace.ts';
import { automationWork } from './work.ts';
import type { AutomationWorkPorts } from './work.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly automationStore: AutomationStore;
    readonly automationRunRows: AutomationRunRows;
    readonly automationCauseRows: CauseRows;
    readonly automationListening: Listening;
    readonly automationFiring: Fire;
    readonly automationCauses: AutomationCauses;
    readonly automationLoop: HearingLoop;
    readonly automations: Automations;
  }
}

export const group: Group = {
  nouns: {
    automationStore: ({ database }) => createAutomationStore(database),
    automationRunRows: ({ database }) => createAutomationRunRows(database),
    automationCauseRows: ({ database }) => createCauseRows(database),
    automationListening: ({ automationStore: store, schedules, clock, monitorReadings: readings }) =>
      createListening({ store, schedules, clock, readingOf: (id) => readings.readingOf(id) }),
    automationFiring: (nouns) => {
      const { database, automationStore: store, automationRunRows: rows, runs, clock } = nouns;
      return createFiring({ database, store, rows, runs, clock, executor: () => nouns.executor });
    },
    // Runs are settled through this, so nothing that needs runs may be asked for before.
    automationCauses: (nouns) =>
      createAutomationCauses({
        rows: nouns.automationCauseRows,
        store: nouns.automationStore,
        readings: nouns.monitorReadings,
        wake: () => nouns.automationLoop.wake(),
      }),
    automationLoop: (nouns) => {
      const { database, automationCauseRows: rows, automationStore: store, automationListening: listening, clock, logError } = nouns;
      const causes = createCauseStore({ database, rows, store, listening, fire: nouns.automationFiring });
      return createHearingLoop({ store: causes, clock, wakeRuns: () => nouns.executor.wake(), logError });
    },
    automations: (nouns) =>
      createAutomations({
        store: nouns.automationStore,
        listening: nouns.automationListening,
        fire: nouns.automationFiring,
        runs: nouns.runs,
        clock: nouns.clock,
        nameable: {
          requireMonitor: (id) => void nouns.monitors.requireRow(id),
          valuesOf: (id) => nouns.monitorReadings.namesOf(id),
          requireWorkflow: (id) => void nouns.workflows.require(String(id)),
          requireCrawl: (ref) => nouns.crawlNouns.definitions.require(ref).id,
          requireChannel: (id) => void nouns.channels.require(id),
        },
      }),
  },
  specified: ({ automations, runs, executor }) => ({ automations: automationHandlers({ automations, runs, executor }) }),
  kinds: (nouns) => ({
    automation: {
      work: automationWork(() => workPorts(nouns)),
      resumes: true,
      queues: ['automation'],
      results: ({ id }) => automationResults(id, nouns.automationRunRows, nouns.runStore),
    },
  }),
  due: ({ automationStore: store, automationCauseRows: causes, automationFiring: fire }) => ({
    automation: dueAutomations({ store, causes, fire }),
  }),
  open: ({ automationLoop }) => automationLoop.wake(),
  close: ({ automationLoop }) => automationLoop.stop(),
};

function workPorts(nouns: Nouns): AutomationWorkPorts {
  const { database, automationRunRows: rows, automationStore: store, clock, workflows, monitors, automations, notices, runs } = nouns;
  const shared = { database, rows, store, clock, workflows, monitors, automations, notices, runs };
  return {
    ...shared,
    crawls: nouns.crawlNouns.definitions,
    readings: nouns.monitorReadings,
    results: nouns.runResults,
    executor: nouns.executor,
  };
}
