// What monitors ask of the machine: in which lane, and how often.
import type { MonitorSpec, Schedule } from '@weft/contract';
import { FIRST_CADENCE, nextDue, scheduleOf } from '@weft/engine';
import type { Database } from '../db/open.ts';
import { allRows } from '../db/rows.ts';
import { effectiveSpec } from './definition.ts';
import type { MonitorStore } from './store.ts';

export type LaneName = 'http' | 'browser';

/** Checks a minute in a lane; below 0 for what is asked no more. */
export interface Demand {
  readonly lane: LaneName;
  readonly perMinute: number;
}

/** A monitor as it is to be checked. */
export interface WantedMonitor {
  /** Of the one that it takes the place of; undefined for one more. */
  readonly id: number | undefined;
  readonly effective: MonitorSpec;
}

export interface DemandReads {
  /** Of all active monitors. Those that ask for the same are one. */
  all(): readonly Demand[];
  /** What `wanted` add to that: each of them, less what it took the place of. */
  added(wanted: readonly WantedMonitor[]): readonly Demand[];
}

/** Assumed of cron whose times can't be told. */
const CRON_SECONDS = 3600;
/** The interval of cron is the mean of so many, from the first minute of a week on. */
const CRON_TIMES = 10;
const CRON_FROM_MS = Date.UTC(2024, 0, 1) - 1;

interface DemandRow {
  /** JSON of the members that decide it. */
  readonly spec: string;
  /** Where the page came from last; null where it never came. */
  readonly seen: LaneName | null;
  readonly n: number;
}

export function createDemandReads({ fast }: Database, store: Pick<MonitorStore, 'tag'>): DemandReads {
  const all = fast.prepare('SELECT spec, seen, count(*) AS n FROM monitor_demand WHERE active = 1 GROUP BY seen, spec');
  const one = fast.prepare('SELECT spec, seen, active AS n FROM monitor_demand WHERE id = ?');
  const demandOf = ({ spec, seen, n }: DemandRow) => demand(effectiveSpec(JSON.parse(spec) as MonitorSpec, store), seen ?? 'http', n);
  return {
    all: () => allRows<DemandRow>(all).map(demandOf),
    added: (wanted) =>
      wanted.flatMap(({ id, effective }) => {
        const before = id === undefined ? undefined : (one.get(id) as DemandRow | undefined);
        const asked = demand(effective, before?.seen ?? 'http', 1);
        return before ? [asked, demandOf({ ...before, n: -before.n })] : [asked];
      }),
  };
}

/** Of one lane, checks a minute. */
export function perMinuteOf(lane: LaneName, all: readonly Demand[]): number {
  return all.filter((one) => one.lane === lane).reduce((sum, { perMinute }) => sum + perMinute, 0);
}

function demand(effective: MonitorSpec, seen: LaneName, monitors: number): Demand {
  return { lane: laneOf(effective, seen), perMinute: (monitors * 60) / secondsOf(scheduleOf(effective)) };
}

function laneOf({ lane, workflow_id: workflow, screenshot }: MonitorSpec, seen: LaneName): LaneName {
  if (lane === 'http' || lane === 'browser') return lane;
  if (screenshot !== undefined) return 'browser';
  return workflow === undefined ? seen : 'http';
}

function secondsOf({ every, cron, timezone = 'UTC', adaptive }: Schedule): number {
  return adaptive?.min ?? every ?? (cron === undefined ? CRON_SECONDS : cronSeconds(cron, timezone));
}

/** The mean of its first intervals. */
function cronSeconds(cron: string, timezone: string): number {
  const after = (ms: number) =>
    nextDue({ cron, timezone, jitter: 0 }, { seed: '', startedMs: ms, lastDueMs: ms, cadence: FIRST_CADENCE }, ms);
  const firstMs = after(CRON_FROM_MS);
  let lastMs = firstMs;
  for (let i = 0; i < CRON_TIMES && lastMs !== undefined; i++) lastMs = after(lastMs);
  return firstMs === undefined || lastMs === undefined ? CRON_SECONDS : (lastMs - firstMs) / 1000 / CRON_TIMES;
}
