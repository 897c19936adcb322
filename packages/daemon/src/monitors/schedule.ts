// When monitors are due, and what is done then.
import { AppError } from '@weft/contract';
import type { Schedule } from '@weft/contract';
import { FIRST_CADENCE, cadenceAfter, nextDue, scheduleOf } from '@weft/engine';
import type { Cadence, Clock } from '@weft/engine';
import type { RunStore } from '../runs/run.ts';
import type { DueKind, Schedules } from '../schedule/schedules.ts';
import type { CapacityGauge } from './capacity.ts';
import type { CheckRows } from './check-store.ts';
import type { KeptCheck } from './checks.ts';
import { effectiveSpec, parseSpec } from './definition.ts';
import type { MonitorSchedule, Monitors } from './monitor.ts';
import { MONITOR_SOURCE } from './store.ts';
import type { MonitorRow, MonitorStore } from './store.ts';
import type { Workflows } from '../workflows/workflow.ts';

/** The kind under which checks are due. */
const KIND = 'monitor';
/** For whom checks are made that come by themselves. */
const OWNER = 'schedule';
/** An agent without network looks again so soon; one check at a time finds out for all. */
const OFFLINE_MS = 60_000;

export interface MonitorSchedulePorts {
  readonly schedules: Schedules;
  readonly capacity: CapacityGauge;
  readonly clock: Clock;
}

/** The rows of due checks, as monitors write them. */
export function createMonitorSchedule({ schedules, capacity, clock }: MonitorSchedulePorts): MonitorSchedule {
  return {
    set({ id, active }, isNew) {
      if (active === 0) schedules.clear(KIND, id);
      else if (isNew) schedules.set(KIND, id, clock.now());
      else schedules.renew(KIND, id);
    },
    clear: (id) => schedules.clear(KIND, id),
    nextOf: (id) => schedules.dueMs(KIND, id),
    requireSometime: (settings) => requireSometime(scheduleOf(settings), clock.now()),
    requireRoom(wanted) {
      for (const { effective } of wanted) requireSometime(scheduleOf(effective), clock.now());
      capacity.requireRoom(wanted);
    },
  };
}

interface DuePorts {
  readonly monitors: Monitors;
  readonly monitorStore: MonitorStore;
  readonly runStore: Pick<RunStore, 'liveOf'>;
  readonly workflows: Pick<Workflows, 'mayHaveChanged'>;
}

/** What is done when a check is due. */
export function dueChecks({ monitors, monitorStore: store, runStore, workflows }: DuePorts): DueKind {
  return {
    queue: KIND,
    begin(id, { isMissed, interruptedRun }) {
      const row = store.find(id);
      const { missed } = row ? scheduleOf(effectiveSpec(parseSpec(row), store)) : {};
      // One check of a monitor at a time: what the one under way finds is as new.
      const isUnderWay = runStore.liveOf({ source_kind: MONITOR_SOURCE, source_id: id }).length > 0;
      // What a workflow has sent is not sent again; the next check comes at its time.
      const hasSent = interruptedRun !== undefined && workflows.mayHaveChanged(interruptedRun);
      if (isUnderWay || hasSent || (isMissed && missed === 'skip')) return undefined;
      return monitors.check(id, OWNER, { trigger: 'schedule' });
    },
    next(id, lastDueMs, nowMs) {
      const row = store.find(id);
      if (!row || row.active === 0) return undefined;
      const schedule = scheduleOf(effectiveSpec(parseSpec(row), store));
      return nextDue(schedule, { seed: `${KIND}-${id}`, startedMs: row.scheduled_at, lastDueMs, cadence: cadenceOf(row) }, nowMs);
    },
  };
}

/** Throws AppError `bad_request` for a schedule that has no time at all, such as noon in a window of the night. */
function requireSometime(schedule: Schedule, nowMs: number): void {
  if (nextDue(schedule, { seed: KIND, startedMs: nowMs, cadence: FIRST_CADENCE }, nowMs) !== undefined) return;
  throw new AppError('bad_request', '"schedule" never comes due: none of its times lies in one of its windows.');
}

/** What a check tells of the next one: sooner where a change waits to be confirmed, later where the site asks for it or is down. */
export function planAfter(
  { monitor, effective, check, outcome }: KeptCheck,
  { schedules, rows, clock }: { readonly schedules: Schedules; readonly rows: Pick<CheckRows, 'setCadence'>; readonly clock: Clock },
): void {
  const { id } = monitor;
  if (monitor.active === 0) return;
  if (check.state === 'offline') return schedules.set(KIND, id, clock.now() + OFFLINE_MS);
  const cadence = cadenceAfter(scheduleOf(effective), cadenceOf(monitor), check, outcome);
  rows.setCadence(id, JSON.stringify(cadence));
  const every = effective.confirm?.every;
  if (check.verdict === 'pending' && every !== undefined) schedules.set(KIND, id, clock.now() + every * 1000);
  else schedules.plan(KIND, id);
}

function cadenceOf({ cadence }: Pick<MonitorRow, 'cadence'>): Cadence {
  return { ...FIRST_CADENCE, ...(JSON.parse(cadence) as Partial<Cadence>) };
}
