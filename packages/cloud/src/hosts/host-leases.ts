// Rows of hosts: which process asks one, until when, who else wants to, and how the host wants to be treated.
import { NEW_HOST } from '@weft/engine';
import type { HostState } from '@weft/engine';
import type { Queries } from '../db/queries.ts';
import { unnest } from '../db/sets.ts';

/** A host and what is remembered of it. */
export interface HeldHost {
  readonly host: string;
  readonly state: HostState;
}

export interface HostLeases {
  /** What is remembered of `host`, which is this process's from now on; undefined while it is another's, who is told that it is wanted. */
  acquire(host: string, nowMs: number): Promise<HostState | undefined>;
  /** Keeps hosts, and what is remembered of them; those that it still holds, and whether another wants them. */
  renew(held: readonly HeldHost[], nowMs: number): Promise<ReadonlyMap<string, { readonly isWanted: boolean }>>;
  /** Gives a host to whoever wants it. */
  release(held: HeldHost, nowMs: number): Promise<void>;
  /** What is remembered of a host that another may hold. */
  stateOf(host: string, nowMs: number): Promise<HostState>;
  /** Forgets hosts that nobody has asked for long. */
  prune(): Promise<void>;
}

interface LeaseRow {
  /** Whether another held it until its lease ended. */
  readonly is_of_dead: boolean;
  readonly state: SavedState | null;
  readonly age_ms: number;
}

/** Times are how long something lasts from when it was saved: no two processes count from the same beginning. */
interface SavedState {
  readonly ownGapMs: number;
  readonly gapMs: number;
  readonly startsInMs: number;
  readonly blockedForMs: number;
  readonly refusals: number;
  readonly refusedForMs: number | null;
}

/** For how long a host that is given back is kept for the one who wants it. */
const KEPT_SECONDS = 1;
const SEEN = `state, (extract(epoch FROM now() - state_at) * 1000)::float8 AS age_ms`;
const FREE = `(lease.until_at < now() OR (lease.holder IS NULL AND (lease.wanted_by IS NULL OR lease.wanted_by = $2)))`;
/** Takes a host that is free, or says that it is wanted: one statement, as every host that a crawl meets needs it. */
const ACQUIRE = `WITH before AS (SELECT holder FROM host_lease WHERE host = $1),
  asked AS (
    INSERT INTO host_lease AS lease (host, holder, until_at, state_at) VALUES ($1, $2, now() + $3 * interval '1 millisecond', now())
    ON CONFLICT (host) DO UPDATE SET holder = CASE WHEN ${FREE} THEN $2 ELSE lease.holder END,
      until_at = CASE WHEN ${FREE} THEN excluded.until_at ELSE lease.until_at END, wanted_by = CASE WHEN ${FREE} THEN NULL ELSE $2 END
    WHERE ${FREE} OR lease.wanted_by IS NULL
    RETURNING holder, state, state_at)
  SELECT ${SEEN}, (SELECT holder IS NOT NULL FROM before) IS TRUE AS is_of_dead FROM asked WHERE holder = $2`;

/** The leases of the process `holder`, each for `leaseMs` from its last renewal. */
export function createHostLeases({ rows, find }: Queries, holder: string, leaseMs: number): HostLeases {
  return {
    async acquire(host, nowMs) {
      const row = await find<LeaseRow>(ACQUIRE, [host, holder, leaseMs]);
      if (!row) return undefined;
      const state = row.state ? toState(row.state, nowMs, row.age_ms) : NEW_HOST;
      // Whoever died with it may have asked the host until just now.
      return row.is_of_dead ? { ...state, nextStartMs: Math.max(state.nextStartMs, nowMs + Math.max(state.gapMs, state.ownGapMs)) } : state;
    },
    async renew(held, nowMs) {
      const { from, values } = unnest(
        held,
        [
          ['host', 'text', ({ host }) => host],
          ['state', 'text', ({ state }) => JSON.stringify(toSaved(state, nowMs))],
        ],
        3,
      );
      const kept = await rows<{ host: string; is_wanted: boolean }>(
        `UPDATE host_lease SET until_at = now() + $2 * interval '1 millisecond', state = new.state::json, state_at = now()
         FROM ${from} WHERE host_lease.host = new.host AND holder = $1 RETURNING host_lease.host, wanted_by IS NOT NULL AS is_wanted`,
        [holder, leaseMs, ...values],
      );
      return new Map(kept.map(({ host, is_wanted: isWanted }) => [host, { isWanted }]));
    },
    async release({ host, state }, nowMs) {
      await rows(
        `UPDATE host_lease SET holder = NULL, state = $3, state_at = now(),
           until_at = now() + CASE WHEN wanted_by IS NULL THEN 0 ELSE $4 END * interval '1 second' WHERE host = $1 AND holder = $2`,
        [host, holder, JSON.stringify(toSaved(state, nowMs)), KEPT_SECONDS],
      );
    },
    async stateOf(host, nowMs) {
      const row = await find<LeaseRow>(`SELECT ${SEEN}, false AS is_of_dead FROM host_lease WHERE host = $1`, [host]);
      return row?.state ? toState(row.state, nowMs, row.age_ms) : NEW_HOST;
    },
    async prune() {
      await rows(`DELETE FROM host_lease WHERE until_at < now() - interval '2 days'`);
    },
  };
}

function toSaved(state: HostState, nowMs: number): SavedState {
  const { ownGapMs, gapMs, nextStartMs, blockedUntilMs, refusals, refusedSinceMs } = state;
  return {
    ownGapMs,
    gapMs,
    startsInMs: Math.max(0, nextStartMs - nowMs),
    blockedForMs: Math.max(0, blockedUntilMs - nowMs),
    refusals,
    refusedForMs: refusedSinceMs === undefined ? null : nowMs - refusedSinceMs,
  };
}

function toState(
  { ownGapMs, gapMs, startsInMs, blockedForMs, refusals, refusedForMs }: SavedState,
  nowMs: number,
  ageMs: number,
): HostState {
  return {
    inFlight: 0,
    ownGapMs,
    gapMs,
    nextStartMs: nowMs + startsInMs - ageMs,
    blockedUntilMs: nowMs + blockedForMs - ageMs,
    refusals,
    refusedSinceMs: refusedForMs === null ? undefined : nowMs - refusedForMs - ageMs,
  };
}
