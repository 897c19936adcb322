// Rows of hosts: which process asks one, until when, who else wants to, and how the host wants to be treated.
import { NEW_HOST } from '@weft/engine';
import type { HostState } from '@weft/engine';
import type { Database } from '../db/queries.ts';
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
  readonly holder: string | null;
  readonly wanted_by: string | null;
  readonly is_over: boolean;
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
const READ = `holder, wanted_by, until_at < now() AS is_over, state, (extract(epoch FROM now() - state_at) * 1000)::float8 AS age_ms`;

/** The leases of the process `holder`, each for `leaseMs` from its last renewal. */
export function createHostLeases({ rows, find, transaction }: Database, holder: string, leaseMs: number): HostLeases {
  return {
    acquire: (host, nowMs) =>
      transaction(async () => {
        await rows('INSERT INTO host_lease (host, until_at, state_at) VALUES ($1, now(), now()) ON CONFLICT DO NOTHING', [host]);
        const row = await find<LeaseRow>(`SELECT ${READ} FROM host_lease WHERE host = $1 FOR UPDATE`, [host]);
        if (!row) return undefined;
        const isFree = row.is_over || (row.holder === null && (row.wanted_by === null || row.wanted_by === holder));
        if (!isFree) {
          if (row.wanted_by === null) await rows('UPDATE host_lease SET wanted_by = $2 WHERE host = $1', [host, holder]);
          return undefined;
        }
        await rows(
          `UPDATE host_lease SET holder = $2, wanted_by = NULL, until_at = now() + $3 * interval '1 millisecond' WHERE host = $1`,
          [host, holder, leaseMs],
        );
        const state = row.state ? toState(row.state, nowMs, row.age_ms) : NEW_HOST;
        // Whoever died with it may have asked the host until just now.
        return row.holder === null
          ? state
          : { ...state, nextStartMs: Math.max(state.nextStartMs, nowMs + Math.max(state.gapMs, state.ownGapMs)) };
      }),
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
      const row = await find<LeaseRow>(`SELECT ${READ} FROM host_lease WHERE host = $1`, [host]);
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
