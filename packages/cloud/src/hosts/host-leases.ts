// Rows of hosts: which process asks one, until when, which others want to and in what order, and how the host wants to be treated.
import { NEW_HOST, URGENT_IN_A_ROW_MAX } from '@weft/engine';
import type { HostState, HostTurns } from '@weft/engine';
import type { Queries } from '../db/queries.ts';
import { unnest } from '../db/sets.ts';
import { toSaved, toState } from './saved-state.ts';
import type { SavedState } from './saved-state.ts';

/** A host and what is remembered of it. */
export interface HeldHost {
  readonly host: string;
  readonly state: HostState;
  readonly turns: HostTurns;
}

/** What a process has of a host that is its own from now on. */
export interface Lease extends Omit<HeldHost, 'host'> {
  /** Other processes have had to wait for it in the last minute. */
  readonly isShared: boolean;
}

/** Those of one account and haste who wait in a process, for as long as the first of them does. */
export interface Wish {
  readonly tenant: string | undefined;
  readonly isUrgent: boolean;
  readonly waitedMs: number;
}

/** Who waits for a host in other processes: nobody, somebody, or somebody who stays for the answer and has the next turn. */
export type Wanted = 'no' | 'yes' | 'urgently';

/** What a process that keeps a host hears. */
export interface KeptLease {
  readonly wanted: Wanted;
  readonly isShared: boolean;
}

export interface HostLeases {
  /** What is remembered of `host`, which is this process's from now on; undefined while it is another's, or others stand in its line. */
  acquire(host: string, nowMs: number): Promise<Lease | undefined>;
  /** Stands in the line of `host` with these wishes and no others, and has the host where it is free and theirs is the next turn; else how many processes come before. */
  stand(host: string, wishes: readonly Wish[], nowMs: number): Promise<Lease | number>;
  /** Leaves the line of a host. */
  leave(host: string): Promise<void>;
  /** Keeps hosts, and what is remembered of them; those that it still holds. */
  renew(held: readonly HeldHost[], nowMs: number): Promise<ReadonlyMap<string, KeptLease>>;
  /** Gives hosts on to whoever is next. */
  release(held: readonly HeldHost[], nowMs: number): Promise<void>;
  /** What is remembered of a host that another may hold. */
  stateOf(host: string, nowMs: number): Promise<HostState>;
  /** Forgets hosts that nobody has asked for long. */
  prune(): Promise<void>;
}

/** How long one who is the next in line waits between two looks; others wait once more for each before them. */
export const LOOK_MS = 150;
export const LOOK_MS_MAX = 2000;
/** Who has not looked for so long after the next look was due has left the line. */
const GONE_MS = 2000;
/** A host that is free for so long is had by whoever looks: who is next may look late. */
const UNCLAIMED_MS = 1000;

interface LeaseRow {
  /** Whether another held it until its lease ended. */
  readonly is_of_dead: boolean;
  readonly state: SavedState | null;
  readonly age_ms: number;
  readonly served: readonly string[];
  readonly urgent_turns: number;
  readonly is_shared: boolean;
}

const SEEN = `state, (extract(epoch FROM now() - state_at) * 1000)::float8 AS age_ms, served, urgent_turns,
  (wanted_at > now() - interval '1 minute') IS TRUE AS is_shared`;
const HAS_ENDED = `(lease.until_at < now() OR lease.holder IS NULL)`;
const UNTIL = `now() + $3 * interval '1 millisecond'`;
/** `wanted_by` is how the release before told that somebody waits. */
const TAKES = `holder = $2, until_at = excluded.until_at, wanted_by = NULL`;
/** Takes a host that is free and nobody's turn: one statement, as every host that a crawl meets needs it. */
const ACQUIRE = `WITH before AS (SELECT holder FROM host_lease WHERE host = $1),
  taken AS (
    INSERT INTO host_lease AS lease (host, holder, until_at, state_at) VALUES ($1, $2, ${UNTIL}, now())
    ON CONFLICT (host) DO UPDATE SET ${TAKES}
    WHERE ${HAS_ENDED} AND NOT EXISTS (SELECT 1 FROM host_line w WHERE w.host = $1 AND w.holder <> $2 AND w.until_at > now())
    RETURNING *)
  SELECT ${SEEN}, (SELECT holder IS NOT NULL FROM before) IS TRUE AS is_of_dead FROM taken`;
/** Whose turn is next, as `HostQueue` has it in one process. */
const NEXT_FIRST = `(is_urgent = (coalesce(urgent_turns, 0) < ${URGENT_IN_A_ROW_MAX})) DESC, array_position(served, account) DESC NULLS FIRST, since, holder`;
const STAND = `WITH lease AS (SELECT * FROM host_lease WHERE host = $1),
  mine AS (SELECT $2 AS holder, account, is_urgent, now() - waited_ms * interval '1 millisecond' AS since
    FROM unnest($4::text[], $5::boolean[], $6::float8[]) AS wish(account, is_urgent, waited_ms)),
  line AS (
    SELECT w.holder, account, is_urgent, since FROM host_line w WHERE w.host = $1 AND w.holder <> $2 AND w.until_at > now()
    UNION ALL SELECT * FROM mine),
  ranked AS (SELECT line.holder, row_number() OVER (ORDER BY ${NEXT_FIRST.replaceAll('holder', 'line.holder')}) AS place FROM line LEFT JOIN lease ON true),
  ahead AS (SELECT count(DISTINCT holder)::int AS ahead FROM ranked WHERE place < (SELECT min(place) FROM ranked WHERE holder = $2)),
  free AS (SELECT coalesce((SELECT CASE WHEN holder IS NULL THEN state_at ELSE until_at END < now() - ${UNCLAIMED_MS} * interval '1 millisecond' FROM lease), true) AS is_unclaimed),
  taken AS (
    INSERT INTO host_lease AS lease (host, holder, until_at, state_at) SELECT $1, $2, ${UNTIL}, now() FROM ahead, free WHERE ahead = 0 OR is_unclaimed
    ON CONFLICT (host) DO UPDATE SET ${TAKES} WHERE ${HAS_ENDED}
    RETURNING *),
  left_line AS (DELETE FROM host_line w WHERE w.host = $1 AND w.holder = $2
    AND (EXISTS (SELECT 1 FROM taken) OR NOT EXISTS (SELECT 1 FROM mine WHERE mine.account = w.account AND mine.is_urgent = w.is_urgent))),
  stood AS (
    INSERT INTO host_line (host, holder, account, is_urgent, since, until_at)
    SELECT $1, $2, account, is_urgent, since, now() + (least(${LOOK_MS} * (1 + ahead), ${LOOK_MS_MAX}) + ${GONE_MS}) * interval '1 millisecond'
    FROM mine, ahead WHERE NOT EXISTS (SELECT 1 FROM taken)
    ON CONFLICT (host, holder, account, is_urgent) DO UPDATE SET since = excluded.since, until_at = excluded.until_at),
  told AS (UPDATE host_lease l SET wanted_at = now(), wanted_by = $2 WHERE l.host = $1 AND l.holder <> $2
    AND (l.wanted_by IS NULL OR l.wanted_at IS NULL OR l.wanted_at < now() - interval '10 seconds') AND NOT EXISTS (SELECT 1 FROM taken))
  SELECT ahead, taken.host IS NOT NULL AS is_taken, ${SEEN}, (SELECT holder IS NOT NULL FROM lease) IS TRUE AS is_of_dead FROM ahead LEFT JOIN taken ON true`;
const OTHERS = `SELECT 1 FROM host_line w WHERE w.host = host_lease.host AND w.holder <> $1 AND w.until_at > now()`;
const WANTED = `CASE WHEN host_lease.urgent_turns < ${URGENT_IN_A_ROW_MAX} AND EXISTS (${OTHERS} AND is_urgent) THEN 'urgently'
  WHEN wanted_by IS NOT NULL OR EXISTS (${OTHERS}) THEN 'yes' ELSE 'no' END`;

/** The leases of the process `holder`, each for `leaseMs` from its last renewal. */
export function createHostLeases({ rows, find }: Queries, holder: string, leaseMs: number): HostLeases {
  return {
    async acquire(host, nowMs) {
      const row = await find<LeaseRow>(ACQUIRE, [host, holder, leaseMs]);
      return row && toLease(row, nowMs);
    },
    async stand(host, wishes, nowMs) {
      const [accounts, hastes, waits] = [
        wishes.map(({ tenant }) => tenant ?? NOBODY),
        wishes.map(({ isUrgent }) => isUrgent),
        wishes.map(({ waitedMs }) => waitedMs),
      ];
      const row = await find<LeaseRow & { ahead: number; is_taken: boolean }>(STAND, [host, holder, leaseMs, accounts, hastes, waits]);
      return row?.is_taken ? toLease(row, nowMs) : (row?.ahead ?? 0);
    },
    async leave(host) {
      await rows('DELETE FROM host_line WHERE host = $1 AND holder = $2', [host, holder]);
    },
    async renew(held, nowMs) {
      const { from, values } = rememberedOf(held, nowMs, 3);
      const kept = await rows<{ host: string; wanted: Wanted; is_shared: boolean }>(
        `UPDATE host_lease SET until_at = now() + $2 * interval '1 millisecond', ${REMEMBERED}
         FROM ${from} WHERE host_lease.host = new.host AND holder = $1
         RETURNING host_lease.host, ${WANTED} AS wanted, (wanted_at > now() - interval '1 minute') IS TRUE AS is_shared`,
        [holder, leaseMs, ...values],
      );
      return new Map(kept.map(({ host, wanted, is_shared: isShared }) => [host, { wanted, isShared }]));
    },
    async release(held, nowMs) {
      const { from, values } = rememberedOf(held, nowMs, 2);
      await rows(
        `UPDATE host_lease SET holder = NULL, until_at = now(), ${REMEMBERED} FROM ${from} WHERE host_lease.host = new.host AND holder = $1`,
        [holder, ...values],
      );
    },
    async stateOf(host, nowMs) {
      const row = await find<LeaseRow>(`SELECT ${SEEN}, false AS is_of_dead FROM host_lease WHERE host = $1`, [host]);
      return row?.state ? toState(row.state, nowMs, row.age_ms) : NEW_HOST;
    },
    async prune() {
      await rows(`DELETE FROM host_lease WHERE until_at < now() - interval '2 days'`);
      await rows(`DELETE FROM host_line WHERE until_at < now()`);
    },
  };
}

/** Who asks for no account. */
const NOBODY = '';
const REMEMBERED = `state = new.state::json, state_at = now(), urgent_turns = new.urgent_turns,
  served = (SELECT coalesce(array_agg(account), '{}') FROM json_array_elements_text(new.served::json) AS account)`;

function rememberedOf(held: readonly HeldHost[], nowMs: number, first: number) {
  return unnest(
    held,
    [
      ['host', 'text', ({ host }) => host],
      ['state', 'text', ({ state }) => JSON.stringify(toSaved(state, nowMs))],
      ['urgent_turns', 'smallint', ({ turns }) => turns.urgentInARow],
      // An array for each row, as `unnest` takes none.
      ['served', 'text', ({ turns }) => JSON.stringify(turns.served.map((tenant) => tenant ?? NOBODY))],
    ],
    first,
  );
}

function toLease(row: LeaseRow, nowMs: number): Lease {
  const saved = row.state ? toState(row.state, nowMs, row.age_ms) : NEW_HOST;
  // Whoever died with it may have asked the host until just now.
  const nextStartMs = row.is_of_dead ? Math.max(saved.nextStartMs, nowMs + Math.max(saved.gapMs, saved.ownGapMs)) : saved.nextStartMs;
  const served = row.served.map((account) => (account === NOBODY ? undefined : account));
  return { state: { ...saved, nextStartMs }, turns: { served, urgentInARow: row.urgent_turns }, isShared: row.is_shared };
}
