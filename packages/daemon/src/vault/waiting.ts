// What was refused because the vault was locked, and goes on once it is open: each is told of once.
import type { VaultWaiting } from '@weft/contract';
import { toInstant } from '@weft/serve';

/** Something that needs the vault and comes by itself. */
export interface Waiter {
  /** Such as `workflow`. */
  readonly kind: string;
  readonly id?: number;
  readonly name: string;
}

export interface WaitingList {
  /** True for one that was not on the list. */
  add(waiter: Waiter, nowMs: number): boolean;
  all(): readonly VaultWaiting[];
  clear(): void;
}

export function createWaitingList(): WaitingList {
  const waiting = new Map<string, VaultWaiting>();
  return {
    add(waiter, nowMs) {
      const key = JSON.stringify([waiter.kind, waiter.id, waiter.id === undefined ? waiter.name : '']);
      const known = waiting.get(key);
      waiting.set(key, known ? { ...known, times: known.times + 1 } : { ...waiter, since: toInstant(nowMs), times: 1 });
      return known === undefined;
    },
    all: () => [...waiting.values()],
    clear: () => waiting.clear(),
  };
}
