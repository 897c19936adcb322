// How much this machine can look after, from what checks have cost on it (D40).
import { AppError } from '@weft/contract';
import type { Capacity } from '@weft/contract';
import type { CheckOutcome } from '@weft/engine';
import type { Database } from '../db/open.ts';
import { allRows } from '../db/rows.ts';
import { createDemandReads, perMinuteOf } from './demand.ts';
import type { Demand, LaneName, WantedMonitor } from './demand.ts';
import type { MonitorStore } from './store.ts';

const LANES: readonly LaneName[] = ['http', 'browser'];

export interface CapacityGauge {
  /** `every` is the interval, in seconds, of the one more that is asked about; an hour unless said. */
  read(every?: number): Capacity;
  /** Throws AppError `device_capacity` with the numbers where these ask for more than before, and for more than fits. */
  requireRoom(wanted: readonly WantedMonitor[]): void;
}

export interface CapacityPorts {
  readonly database: Database;
  readonly store: Pick<MonitorStore, 'count' | 'tag'>;
  /** Checks that each lane makes at once. */
  readonly slots: Readonly<Record<LaneName, number>>;
  /** How late checks began that began last, in milliseconds, and how many are due now. */
  readonly lateness: () => { readonly lateMs: readonly number[]; readonly due: number };
  readonly freeBytes: () => number;
}

/** The share of its time for which a lane is planned (D40): the rest is for what comes at once, and for what people ask for. */
const LOAD_MAX = 0.7;
/** Assumed of a lane until a check was measured: a page over HTTP, and one in a browser, with their network. */
export const SECONDS_ASSUMED: Readonly<Record<LaneName, number>> = { http: 1, browser: 5 };
/** From so many on what was assumed counts for nearly nothing. */
const MEASURED_ENOUGH = 50;
const EVERY_DEFAULT = 3600;
const NEEDED_BYTES = 500_000_000;

/**
 * Milliseconds of a place that a check took, of `slots`. All checks share the thread of the program, for `loopMs` of this one, and one that
 * reads pages: where those are what is short, more places would not help, and each counts for all of them.
 */
export function placeMs({ heldMs, readMs }: Pick<CheckOutcome, 'heldMs' | 'readMs'>, loopMs: number, slots: number): number {
  return Math.max(heldMs, slots * Math.max(loopMs, readMs));
}

export function createCapacityGauge({ database, store, slots, lateness, freeBytes }: CapacityPorts): CapacityGauge {
  const costs = database.fast.prepare('SELECT lane, seconds, measured FROM monitor_cost');
  const readCosts = () => new Map(allRows<{ lane: LaneName; seconds: number; measured: number }>(costs).map((row) => [row.lane, row]));
  const demands = createDemandReads(database, store);
  const gaugeOf = (lane: LaneName, every: number, all: readonly Demand[]) => {
    const { seconds = SECONDS_ASSUMED[lane], measured = 0 } = readCosts().get(lane) ?? {};
    const capacity = ((slots[lane] * 60) / Math.max(seconds, 0.001)) * LOAD_MAX;
    const demand = perMinuteOf(lane, all);
    const withOne = (demand + 60 / every) / capacity;
    return {
      slots: slots[lane],
      seconds_per_check: rounded(seconds),
      measured,
      capacity_per_minute: rounded(capacity),
      demand_per_minute: rounded(demand),
      used: rounded(demand / capacity),
      one_more: { every_seconds: every, used: rounded(withOne), fits: withOne <= 1 },
    };
  };
  return {
    read(every = EVERY_DEFAULT) {
      const all = demands.all();
      const { lateMs, due } = lateness();
      const sorted = [...lateMs].sort((a, b) => a - b);
      return {
        monitors: { active: store.count({ active: true }), all: store.count({}) },
        lanes: { http: gaugeOf('http', every, all), browser: gaugeOf('browser', every, all) },
        late: { p95_ms: sorted[Math.floor(sorted.length * 0.95)] ?? 0, due },
        disk: { free_bytes: freeBytes(), needed_bytes: NEEDED_BYTES },
      };
    },
    requireRoom(wanted) {
      const added = demands.added(wanted);
      const growing = LANES.filter((lane) => perMinuteOf(lane, added) > 0);
      if (growing.length === 0) return;
      const now = [...demands.all(), ...added];
      const free = freeBytes();
      if (free < NEEDED_BYTES)
        throw new AppError(
          'device_capacity',
          `${megabytes(free)} MB are free on the disk, and monitors need ${megabytes(NEEDED_BYTES)}; free some.`,
        );
      for (const lane of growing) {
        const { used, demand_per_minute: demand, capacity_per_minute: capacity, measured } = gaugeOf(lane, EVERY_DEFAULT, now);
        if (used <= 1) continue;
        const makes =
          measured < MEASURED_ENOUGH
            ? `is taken to make ${capacity} until ${MEASURED_ENOUGH} checks were measured on it (${measured} so far): make some, and the rest after them. Or check`
            : `makes ${capacity}. Check`;
        const sentence = `Checks in the ${lane} lane would come to ${demand} a minute, and this machine ${makes} less often, pause others, or raise "runs_max.monitor" in the settings.`;
        throw new AppError('device_capacity', sentence);
      }
    },
  };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / 1_000_000);
}
