// Things that come due, on a database of their own: checks that the test does the work of, by a clock that only the test moves.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../packages/daemon/src/db/open.ts';
import { allRows } from '../packages/daemon/src/db/rows.ts';
import { createExecutor } from '../packages/daemon/src/runs/executor.ts';
import type { RunWork } from '../packages/daemon/src/runs/executor.ts';
import { createRunNotifier } from '../packages/daemon/src/runs/notifier.ts';
import { createRuns } from '../packages/daemon/src/runs/run.ts';
import { createRunStore } from '../packages/daemon/src/runs/store.ts';
import { ScheduleLoop } from '../packages/daemon/src/schedule/schedules.ts';
import type { DueKind, Occurrence } from '../packages/daemon/src/schedule/schedules.ts';
import { createDueStore } from '../packages/daemon/src/schedule/store.ts';
import { readSettings } from '../packages/daemon/src/settings.ts';
import { testClock } from './agent.ts';
import type { TestClock } from './agent.ts';

export const HOUR_MS = 3_600_000;
export const PLACES = 4;

export interface StageOptions {
  /** Left alone in the end when it is given. */
  readonly home?: string;
  readonly clock?: TestClock;
  /** What a check does; by default it ends at once. */
  readonly work?: RunWork;
  /** What is done in the place of making a run. */
  readonly begin?: (ownerId: number, occurrence: Occurrence, makeRun: () => number) => number | undefined;
  /** When it is due next; an hour after it was due, or after now. */
  readonly next?: DueKind['next'];
}

/** One occurrence that was begun. */
export interface Begun extends Occurrence {
  readonly ownerId: number;
}

/** As the engine reckons an interval: from one time to the next, and from now where that is over. */
function hourly(_ownerId: number, lastDueMs: number | undefined, nowMs: number): number {
  const dueMs = Math.min(lastDueMs ?? nowMs, nowMs) + HOUR_MS;
  return dueMs > nowMs ? dueMs : nowMs + HOUR_MS;
}

/** An executor with its loop of schedules, and one kind that comes due: `check`. It begins to work with `start`. */
export function scheduleStage(options: StageOptions = {}) {
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'weft-due-'));
  const clock = options.clock ?? testClock();
  const database = openDatabase({ path: join(home, 'weft.db'), backups: home, nowMs: 0 });
  const store = createRunStore(database);
  const runs = createRuns({ store, notifier: createRunNotifier(), clock });
  const logged: string[] = [];
  const begun: Begun[] = [];
  const logError = (message: string, error: unknown) => void logged.push(`${message}: ${(error as Error).message}`);
  const makeRun = (ownerId: number) => {
    const source = { source_kind: 'check', source_id: ownerId, source_name: `check ${ownerId}`, owner_id: 'runtime' };
    return runs.create({ kind: 'monitor', trigger: 'schedule', ...source }, () => null).id;
  };
  const check: DueKind = {
    queue: 'monitor',
    begin(ownerId, occurrence) {
      begun.push({ ownerId, ...occurrence });
      return options.begin ? options.begin(ownerId, occurrence, () => makeRun(ownerId)) : makeRun(ownerId);
    },
    next: options.next ?? hourly,
  };
  const schedules = new ScheduleLoop({ database, store: createDueStore(database), clock, kinds: () => ({ check }), logError });
  const work = options.work ?? (async () => undefined);
  const executor = createExecutor({
    runs,
    store,
    clock,
    kinds: { monitor: { work, resumes: false, queues: ['monitor'] } },
    places: { ...readSettings('/nowhere/config.json').runs_max, monitor: PLACES },
    due: schedules,
    logError,
  });
  return {
    home,
    clock,
    runs,
    store,
    schedules,
    executor,
    logged,
    begun,
    start: () => {
      executor.takeOver();
      executor.start();
    },
    fast: database.fast,
    /** By how a run ended, or stands. */
    counts(): Readonly<Record<string, number>> {
      const rows = allRows<{ status: string; n: number }>(database.fast.prepare('SELECT status, count(*) AS n FROM run GROUP BY status'));
      return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
    },
    /** How many runs of each thing came through. */
    succeeded(): readonly (readonly [id: number, runs: number])[] {
      const each = `SELECT source_id AS id, count(*) AS n FROM run WHERE status = 'succeeded' GROUP BY source_id ORDER BY source_id`;
      return allRows<{ id: number; n: number }>(database.fast.prepare(each)).map(({ id, n }) => [id, n]);
    },
    async [Symbol.asyncDispose]() {
      await executor.stop(1000);
      database.close();
      if (options.home === undefined) rmSync(home, { recursive: true });
    },
  };
}
