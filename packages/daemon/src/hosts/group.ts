// What hosts add to the agent: the one gate that everything asks them through, and what a person may see and decide of it.
import { MemoryHostGate } from '@weft/engine';
import type { Group } from '../group.ts';
import { hostHandlers } from './handlers.ts';
import { createHosts } from './host.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly hostGate: MemoryHostGate;
  }
}

export const group: Group = {
  nouns: { hostGate: ({ clock }) => new MemoryHostGate(clock) },
  extra: ({ hostGate, clock }) => ({ hosts: hostHandlers(createHosts(hostGate, clock)) }),
};
