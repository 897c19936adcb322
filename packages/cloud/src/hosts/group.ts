// What hosts add to the cloud: one gate and one robots.txt for all processes, and what pages are asked for and read with.
import { randomUUID } from 'node:crypto';
import { createRobotsSources } from '@weft/engine';
import type { AskingPorts, ViewReader } from '@weft/engine';
import { PRODUCT_TOKEN } from '../config.ts';
import type { Database, Queries } from '../db/queries.ts';
import type { Group } from '../group.ts';
import { createHostLeases } from './host-leases.ts';
import type { HostLeases } from './host-leases.ts';
import { HOST_LEASE_MS, LeaseGate } from './lease-gate.ts';
import { createSharedRobots } from './shared-robots.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly hostLeases: HostLeases;
    readonly hostGate: LeaseGate;
    readonly sharedRobots: ReturnType<typeof createSharedRobots>;
    readonly askingPorts: AskingPorts & { readonly views: ViewReader };
  }
}

/** Hosts are of no account: what is asked of their rows needs no role, and so no transaction around each statement. */
function ofNobody(database: Database): Queries {
  return {
    rows: (text, values) => database.asProgram(() => database.rows(text, values)),
    find: (text, values) => database.asProgram(() => database.find(text, values)),
  };
}

export const group: Group = {
  nouns: {
    hostLeases: ({ database }) => createHostLeases(ofNobody(database), randomUUID(), HOST_LEASE_MS),
    hostGate: ({ hostLeases: leases, clock, logError }) => new LeaseGate({ leases, clock, logError }),
    sharedRobots: ({ database }) => createSharedRobots(ofNobody(database)),
    askingPorts({ fetcher, clock, views, hostGate: gate, sharedRobots: shared }) {
      const asking = { fetcher, clock, gate, shared, agent: PRODUCT_TOKEN };
      return { ...asking, robotsFor: createRobotsSources(asking), views };
    },
  },
  async upkeep({ hostLeases, sharedRobots }) {
    await hostLeases.prune();
    await sharedRobots.prune();
  },
  close: ({ hostGate }) => hostGate.close(),
};
