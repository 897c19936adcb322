// The wait of one process for one host: it stands in the line for all of its own who want the host, and looks whether it is their turn.
import type { LineClock } from '@weft/engine';
import { LOOK_MS, LOOK_MS_MAX } from './host-leases.ts';
import type { HostLeases, Lease, Wish } from './host-leases.ts';

/** One here who wants a host. */
export interface Wanting {
  readonly tenant: string | undefined;
  readonly isUrgent: boolean;
  readonly sinceMs: number;
}

export interface HostWait {
  /** Resolves with the first look, and whether that found the host free. */
  readonly first: Promise<boolean>;
  /** The lease, once it is had; undefined when nobody here wants it any more. Rejects with what the database throws. */
  readonly done: Promise<Lease | undefined>;
  /** Looks now: the host was just given on here. */
  look(): void;
  /** One more wants the host, until the answer is called. */
  add(wanting: Wanting): () => void;
}

export interface HostWaitOptions {
  readonly leases: HostLeases;
  readonly clock: LineClock;
  /** Ends the wait of all. */
  readonly closing: AbortSignal;
  /** This process still has the host, and will give it on. */
  readonly isHeldHere: boolean;
}

/** Begins to wait for `host`. */
export function waitForHost(host: string, { leases, clock, closing, isHeldHere }: HostWaitOptions): HostWait {
  const all = new Set<Wanting>();
  const first = Promise.withResolvers<boolean>();
  /** Ends the sleep between two looks: what is wanted has changed. */
  let changed = new AbortController();
  const change = () => changed.abort();

  const look = async (): Promise<Lease | undefined> => {
    const lease = isHeldHere ? undefined : await leases.acquire(host, clock.steadyMs());
    first.resolve(lease !== undefined);
    if (lease) return lease;
    // Whoever began comes now.
    if (isHeldHere) await Promise.resolve();
    let isInLine = false;
    while (all.size > 0 && !closing.aborted) {
      changed = new AbortController();
      const nowMs = clock.steadyMs();
      const found = await leases.stand(host, wishesOf(all, nowMs), nowMs);
      if (typeof found !== 'number') return found;
      isInLine = true;
      const lookMs = Math.min(LOOK_MS_MAX, LOOK_MS * (1 + found));
      const signal = AbortSignal.any([changed.signal, closing]);
      if (!signal.aborted) await clock.sleepUntil(nowMs + lookMs, signal);
    }
    if (isInLine) await leases.leave(host);
    return undefined;
  };

  const done = look();
  // Whoever waits for `done` hears of it.
  done.catch(() => first.resolve(false));
  return {
    first: first.promise,
    done,
    look: change,
    add(wanting) {
      const isNew = !wishesOf(all, wanting.sinceMs).some(
        ({ tenant, isUrgent }) => tenant === wanting.tenant && isUrgent === wanting.isUrgent,
      );
      all.add(wanting);
      if (isNew) change();
      return () => {
        all.delete(wanting);
        if (all.size === 0) change();
      };
    },
  };
}

/** One for each account and haste. */
function wishesOf(all: Iterable<Wanting>, nowMs: number): readonly Wish[] {
  const wishes = new Map<string, Wish>();
  for (const { tenant, isUrgent, sinceMs } of all) {
    const key = `${isUrgent} ${tenant ?? ''}`;
    const waitedMs = Math.max(nowMs - sinceMs, wishes.get(key)?.waitedMs ?? 0);
    wishes.set(key, { tenant, isUrgent, waitedMs });
  }
  return [...wishes.values()];
}
