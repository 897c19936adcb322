// Runs: one table for everything that executes, one log of what happened, one way to wait for it (D19-D22).
import { AppError, LIMITS, isSettled } from '@weft/contract';
import type { FeedRun, Run, RunFailure, RunStatus, ServerEvent } from '@weft/contract';
import type { CrawlClock } from '@weft/engine';
import { toInstant } from '@weft/serve';
import type { RunNotifier } from './notifier.ts';
import type { LiveCounts, NewEvent, NewRun, RunFilter, RunRow, RunSource, RunStore } from './store.ts';
import type { UnchangedHour } from './unchanged-store.ts';

export type { NewRun, RunQueue, RunRow, RunStore } from './store.ts';

const EVENTS_PER_READ = 200;

export interface Runs {
  /**
   * Creates a queued run; `also` writes what belongs to it in the same transaction and answers its dataset. Throws AppError
   * `device_capacity`, but for a run that its schedule makes: that one has its place already.
   */
  create(run: Omit<NewRun, 'created_at'>, also: (id: number) => number | null): Run;
  /** Throws AppError `not_found`. */
  require(id: number): Run;
  list(query: RunFilter & { readonly limit?: number | undefined; readonly offset?: number | undefined }): {
    readonly data: FeedRun[];
    readonly total: number;
  };
  countLive(): LiveCounts;
  /** The newest run of what is saved, in short; undefined before the first. */
  lastOf(source: RunSource): LastRun | undefined;
  /** Settles the live runs of what is saved as cancelled; their ids. */
  cancelOf(source: RunSource): readonly number[];
  /** The same of those that act as a persona. */
  cancelOfPersona(id: number): readonly number[];
  /** Appends to the run's log and wakes its readers. */
  append(id: number, event: NewEvent): void;
  addRows(id: number, rows: number): void;
  /** Notes the lane that a run went on, where only its end tells. */
  setLane(id: number, lane: 'http' | 'browser'): void;
  /** Says of a live run that it found nothing new: once it has succeeded it counts in the sums of its hour, and older ones go for it. */
  markUnchanged(id: number): void;
  /** The hours from `sinceMs` on in which runs of what is saved found nothing new, in their order. */
  unchangedHours(source: RunSource, sinceMs: number): readonly UnchangedHour[];
  /** Deletes those sums, of what is saved no more. */
  forgetUnchanged(source: RunSource): void;
  /** queued -> running; false when the run is no longer queued. */
  begin(row: RunRow): boolean;
  /** running -> waiting_human, with a sentence in its log that says what a person must do; false when the run is not running. */
  pause(id: number, message: string): boolean;
  /** waiting_human -> running; false when the run does not wait for a person. */
  resume(id: number): boolean;
  /** Settles a live run; false when it had already settled. */
  settle(id: number, status: RunStatus, failure?: RunFailure): boolean;
  /** The settled run, or the live one once `timeoutMs` is over or `signal` aborts. */
  wait(id: number, timeoutMs: number, signal: AbortSignal): Promise<Run>;
  /** True when a reader of the log up to `seq` has seen all that there will ever be. Throws AppError `not_found`. */
  hasTold(id: number, seq: number): boolean;
  /** `snapshot`, then the log after `afterSeq`, and the end once `finished` was given. Throws AppError `not_found`. */
  events(id: number, afterSeq: number, signal: AbortSignal): AsyncIterable<ServerEvent>;
}

/** A run as what is saved shows its last. */
export type LastRun = Pick<Run, 'id' | 'status' | 'finished_at'>;

export interface RunPorts {
  readonly store: RunStore;
  readonly notifier: RunNotifier;
  readonly clock: CrawlClock;
}

export function createRuns({ store, notifier, clock }: RunPorts): Runs {
  const requireRow = (id: number): RunRow => {
    const row = store.find(id);
    if (!row) throw new AppError('not_found', `There is no run ${id}.`);
    return row;
  };
  const begunMs = new Map<number, number>();
  const settle: Runs['settle'] = (id, status, failure) => {
    const begun = begunMs.get(id);
    const durationMs = begun === undefined ? undefined : Math.max(0, clock.steadyMs() - begun);
    const settled = store.settle(id, status, failure, clock.now(), durationMs);
    if (settled) begunMs.delete(id);
    if (settled) notifier.notify(id);
    return settled;
  };
  const append = (id: number, event: NewEvent): void => {
    store.append(id, event, clock.now());
    notifier.notify(id);
  };
  return {
    create(run, also) {
      const { queued } = store.countLive();
      if (queued >= LIMITS.queuedRunsMax && run.trigger !== 'schedule')
        throw new AppError(
          'device_capacity',
          `${queued} runs are waiting already and at most ${LIMITS.queuedRunsMax} may; wait for some to finish or cancel some.`,
        );
      return toRun(requireRow(store.insert({ ...run, created_at: clock.now() }, also)));
    },
    require: (id) => toRun(requireRow(id)),
    list(query) {
      const rows = store.list(query, query.limit ?? LIMITS.listLimitDefault, query.offset ?? 0);
      return { data: rows.map(toFeedRun), total: store.count(query) };
    },
    countLive: () => store.countLive(),
    lastOf(source) {
      const row = store.lastOf(source);
      if (!row) return undefined;
      return { id: row.id, status: row.status, ...(row.finished_at === null ? {} : { finished_at: toInstant(row.finished_at) }) };
    },
    cancelOf: (source) => store.liveOf(source).filter((id) => settle(id, 'cancelled')),
    cancelOfPersona: (persona) => store.liveOfPersona(persona).filter((id) => settle(id, 'cancelled')),
    append,
    addRows: (id, rows) => store.addRows(id, rows),
    setLane: (id, lane) => store.setLane(id, lane),
    markUnchanged: (id) => store.markUnchanged(id),
    unchangedHours: (source, sinceMs) => store.unchangedHours(source, sinceMs),
    forgetUnchanged: (source) => store.forgetUnchanged(source),
    begin(row) {
      if (!store.start(row.id, clock.now())) return false;
      // How long one took that an earlier process began is known by the time of day alone.
      if (row.started_at === null) begunMs.set(row.id, clock.steadyMs());
      return true;
    },
    pause(id, message) {
      const isPaused = store.pause(id);
      if (isPaused) append(id, { type: 'log', level: 'warn', message });
      return isPaused;
    },
    resume: (id) => store.resume(id),
    settle,
    async wait(id, timeoutMs, signal) {
      const ended = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      while (!isSettled(requireRow(id).status) && !ended.aborted) await notifier.next(id, ended);
      return toRun(requireRow(id));
    },
    hasTold: (id, seq) => seq > 0 && isSettled(requireRow(id).status) && store.eventsAfter(id, seq, 1).length === 0,
    events(id, afterSeq, signal) {
      const first = toRun(requireRow(id));
      return readEvents({ store, notifier }, first, afterSeq, signal);
    },
  };
}

async function* readEvents(
  { store, notifier }: Pick<RunPorts, 'store' | 'notifier'>,
  run: Run,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  yield { data: { type: 'snapshot', run } };
  let seq = afterSeq;
  for (;;) {
    const events = store.eventsAfter(run.id, seq, EVENTS_PER_READ);
    for (const { seq: id, event } of events) {
      yield { id, data: event };
      if (event.type === 'finished') return;
      seq = id;
    }
    if (signal.aborted) return;
    if (events.length > 0) continue;
    // The log may have been read past its end by a Last-Event-ID from the future, or be pruned; a settled run has nothing more to tell.
    const row = store.find(run.id);
    if (!row || isSettled(row.status)) {
      if (row)
        yield { data: { type: 'finished', seq: Math.max(1, seq), at: toInstant(row.finished_at ?? row.created_at), status: row.status } };
      return;
    }
    await notifier.next(run.id, signal);
  }
}

/** A row as `/v1/runs/{id}` shows it. */
export function toRun(row: RunRow): Run {
  return { id: row.id, ...runFields(row) };
}

function toFeedRun(row: RunRow): FeedRun {
  return { id: `${row.kind}-${row.id}`, row_id: row.id, ...runFields(row) };
}

function runFields(row: RunRow): Omit<Run, 'id'> {
  return {
    kind: row.kind,
    status: row.status,
    source: { kind: row.source_kind, ...(row.source_id === null ? {} : { id: row.source_id }), name: row.source_name },
    trigger: row.trigger,
    ...(row.parent_id === null ? {} : { parent_id: row.parent_id }),
    ...(row.persona_id === null ? {} : { persona_id: row.persona_id }),
    ...(row.lane === null ? {} : { lane: row.lane }),
    ...(row.revision === null ? {} : { revision: row.revision }),
    ...(row.deadline_at === null ? {} : { deadline_at: toInstant(row.deadline_at) }),
    rows_extracted: row.rows_extracted,
    ...(row.dataset_id === null ? {} : { dataset_id: row.dataset_id }),
    ...(row.failure === null ? {} : { failure: JSON.parse(row.failure) as RunFailure }),
    created_at: toInstant(row.created_at),
    ...(row.started_at === null ? {} : { started_at: toInstant(row.started_at) }),
    ...(row.finished_at === null ? {} : { finished_at: toInstant(row.finished_at) }),
    ...(row.started_at === null || row.finished_at === null
      ? {}
      : { duration_ms: row.duration_ms ?? Math.max(0, row.finished_at - row.started_at) }),
  };
}
