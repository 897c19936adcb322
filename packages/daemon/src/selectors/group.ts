// What selectors add to the agent.
import type { Group } from '../group.ts';
import { checkPortsOf } from '../monitors/work.ts';
import { extraSelectorHandlers, selectorHandlers } from './handlers.ts';
import { createProber } from './probe.ts';
import type { Prober } from './probe.ts';
import { createSelectors } from './selector.ts';
import type { Selectors } from './selector.ts';
import { createSelectorStore } from './store.ts';
import type { SelectorStore } from './store.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly selectorStore: SelectorStore;
    readonly selectors: Selectors;
    readonly prober: Prober;
  }
}

/** Somebody waits for the answer: there is no place that others could have meanwhile. */
const NO_PLACE = {
  rest: () => undefined,
  work: () => undefined,
  hear: () => undefined,
  heldMs: () => 0,
  whileWaiting: async <T>(wait: () => Promise<T>) => await wait(),
};

const DAY_MS = 86_400_000;

export const group: Group = {
  nouns: {
    selectorStore: ({ database }) => createSelectorStore(database),
    selectors: ({ selectorStore: store, extractors, clock }) => createSelectors({ store, extractors, clock }),
    prober: (nouns) => {
      const { selectors, extractors, monitors, checkStore: store, checkWorkPorts, files, clock } = nouns;
      const checkPorts = (ownerId: string) => checkPortsOf({ ownerId, runId: null }, checkWorkPorts, NO_PLACE);
      return createProber({ selectors, extractors, monitors, store, files, checkPorts, now: () => clock.now() });
    },
  },
  specified: ({ selectors, monitors, prober }) => ({ selectors: selectorHandlers({ selectors, monitors, prober }) }),
  extra: ({ selectors }) => ({ selectors: extraSelectorHandlers(selectors) }),
  prune({ files, clock, settings }, signal) {
    const beforeMs = clock.now() - settings.retention.run_days * DAY_MS;
    for (const id of files.ofNoSelector(beforeMs)) if (!signal.aborted) files.delete(id);
  },
};
