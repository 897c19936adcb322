// What the agent itself adds: its status, its health, and where it is found.
import type { Group } from '../group.ts';
import { agentHandlers } from './handlers.ts';
import { answerProbe } from './probe.ts';
import type { Presence } from './presence.ts';
import { createPresence } from './presence.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly presence: Presence;
    /** When this process began, by the clock that nobody sets. */
    readonly startedMs: number;
  }
}

export const group: Group = {
  nouns: {
    startedMs: ({ clock }) => clock.steadyMs(),
    presence: ({ home, config, identity, startedMs }) => createPresence({ home, config, identity, startedMs }),
  },
  routes: ({ presence }) => ({
    '/probe': { methods: ['GET'], answer: ({ own, target }) => answerProbe(presence.probe, own.origin, target.split('?')[1] ?? '') },
  }),
  specified(nouns) {
    const { config, home, database, runs, vault, clock, startedMs, presence, groups, probes = [] } = nouns;
    const healths = groups.flatMap(({ health }) => (health ? [() => health(nouns)] : []));
    const { address, probe } = presence;
    return {
      agent: agentHandlers({
        config,
        home,
        database,
        runs,
        vault,
        clock,
        startedMs,
        address,
        instanceId: probe.instanceId,
        probes: [...healths, ...probes],
      }),
    };
  },
};
