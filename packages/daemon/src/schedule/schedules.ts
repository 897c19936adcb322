// What comes due by itself: durable rows, one look at a time, and a run for each once there is a place for it.
import type { AgentClock } from '../clock.ts';
import { explainFault } from '../db/fault.ts';
import { transaction } from '../db/open.ts';
import type { Database } from '../db/open.ts';
import type { DueRuns } from '../runs/executor.ts';
import type { RunQueue } from '../runs/run.ts';
import type { DueCounts, DueRow, DueStore, Owner } from './store.ts';

/** One time at which something was due. */
export interface Occurrence {
  /** Epoch milliseconds. */
  readonly dueMs: number;
  /** The agent slept or was stopped at that time, or while the run of it went on. */
  readonly isMissed: boolean;
  /** The run of this occurrence that the end of the agent interrupted; undefined where it is begun for the first time. */
  readonly interruptedRun: number | undefined;
}

/** What a group does when one of its things is due. */
export interface DueKind {
  /** Where its runs wait for a place: nothing is begun before there is one. */
  readonly queue: RunQueue;
  /**
   * Makes the run of an occurrence, with the trigger `schedule`, and answers its id; undefined where none is to be made. Called in the
   * transaction that moves the row on, and begun without a wake of the executor. What it throws is logged, and tried again later.
   */
  begin(ownerId: number, occurrence: Occurrence): number | undefined;
  /**
   * When it is due next, after `nowMs`; undefined for never, also where its owner rests or is gone. `lastDueMs` is the occurrence that was
   * begun last.
   */
  next(ownerId: number, lastDueMs: number | undefined, nowMs: number): number | undefined;
}

/** The rows of what is due: each belongs to a thing of a kind, and its owner writes it in its own transactions. */
export interface Schedules {
  /** Makes it due at `dueMs`, whatever was reckoned before: to look again sooner, or at once. */
  set(kind: string, ownerId: number, dueMs: number): void;
  /** Reckons anew when it is due, from when it was due last: once a run has told something that changes it. */
  plan(kind: string, ownerId: number): void;
  /** Reckons as if it had never been due: for what is new, or has another schedule. */
  renew(kind: string, ownerId: number): void;
  clear(kind: string, ownerId: number): void;
  /** When it is due, in epoch milliseconds; undefined where it is not. */
  dueMs(kind: string, ownerId: number): number | undefined;
  /** How many are due, and how late those began that began last. */
  state(): SchedulesState;
}

export interface SchedulesState extends DueCounts {
  /** Milliseconds from due to begun, of the last 200 at most, in no order; time that the agent slept is not counted. */
  readonly lateMs: readonly number[];
}

export interface SchedulePorts {
  readonly database: Database;
  readonly store: DueStore;
  readonly clock: AgentClock;
  readonly kinds: () => Readonly<Record<string, DueKind>>;
  logError(message: string, error: unknown): void;
}

/** The time of day is looked at so often, since it can be set, and machines sleep. */
const LOOK_MS = 60_000;
/** Rows that come to no run are passed over in one turn of the process. */
const PASSED_MAX = 20;
/** Rows that are reckoned anew in one turn. */
const PLANNED_MAX = 50;
/** A row that could not be begun is tried again after a look, then after twice as long each time, to the interval of a monitor that names none (D36). */
const PUT_OFF_MS_MAX = 3_600_000;
const LATE_KEPT = 200;

export class ScheduleLoop implements Schedules, DueRuns {
  private readonly ports: SchedulePorts;
  private kinds: Readonly<Record<string, DueKind>> | undefined;
  private readonly late: number[] = [];
  /** Rows are due by the time of the last look. */
  private lookedMs = 0;
  /** What was due before was missed. */
  private awakeSinceMs = 0;
  /** Some rows may have been reckoned by a clock that was ahead. */
  private isAhead = true;
  private armedMs = Number.POSITIVE_INFINITY;
  private disarm = () => {};
  /** Whoever wakes the executor while a run is made asks for that run once more. */
  private isMaking = false;
  private wake: (() => void) | undefined;

  constructor(ports: SchedulePorts) {
    this.ports = ports;
  }

  start(wake: () => void): void {
    const { store, clock } = this.ports;
    this.wake = wake;
    this.lookedMs = this.awakeSinceMs = clock.now();
    store.putBackInterrupted(this.lookedMs);
    this.planAhead();
    this.arm();
  }

  make(queue: RunQueue): boolean {
    if (!this.wake || this.isMaking) return false;
    this.isMaking = true;
    try {
      return this.makeFirst(queue);
    } finally {
      this.isMaking = false;
    }
  }

  stop(): void {
    this.wake = undefined;
    this.disarm();
  }

  set(kind: string, ownerId: number, dueMs: number): void {
    this.ports.store.set({ kind, owner_id: ownerId }, dueMs, this.ports.clock.now());
    if (dueMs < this.armedMs) this.arm(dueMs);
  }

  plan(kind: string, ownerId: number): void {
    this.reckon({ kind, owner_id: ownerId });
  }

  renew(kind: string, ownerId: number): void {
    this.ports.store.forgetLast({ kind, owner_id: ownerId });
    this.reckon({ kind, owner_id: ownerId });
  }

  clear(kind: string, ownerId: number): void {
    this.ports.store.clear({ kind, owner_id: ownerId });
  }

  dueMs(kind: string, ownerId: number): number | undefined {
    return this.ports.store.find({ kind, owner_id: ownerId })?.due_at;
  }

  state(): SchedulesState {
    return { ...this.ports.store.count(this.ports.clock.now()), lateMs: this.late };
  }

  /** The time has come to something, or a minute is over. */
  private look(): void {
    const nowMs = this.ports.clock.now();
    const passedMs = nowMs - this.lookedMs;
    if (passedMs > 2 * LOOK_MS) this.awakeSinceMs = nowMs;
    if (passedMs < -LOOK_MS) this.isAhead = true;
    this.lookedMs = nowMs;
    if (this.isAhead) this.planAhead();
    this.arm();
    this.wake?.();
  }

  /** Sets the one alarm: for `atMs`, or what is due next, but for no later than the next look. */
  private arm(atMs?: number): void {
    if (!this.wake) return;
    this.disarm();
    const { clock, store } = this.ports;
    const nowMs = clock.now();
    this.armedMs = Math.min(atMs ?? this.orLook(() => store.nextMs(Object.keys(this.allKinds()), this.lookedMs)), nowMs + LOOK_MS);
    this.disarm = clock.appointment(clock.steadyMs() + Math.max(0, this.armedMs - nowMs), () => this.look());
  }

  /** A database that can't be read now is asked at the next look. */
  private orLook(read: () => number | undefined): number {
    try {
      return read() ?? Number.POSITIVE_INFINITY;
    } catch (error) {
      this.ports.logError('what is due could not be read', error);
      return Number.POSITIVE_INFINITY;
    }
  }

  private makeFirst(queue: RunQueue): boolean {
    for (let passed = 0; passed < PASSED_MAX; passed++) {
      const row = this.firstDue(queue);
      if (!row) return false;
      if (this.begin(row)) return true;
    }
    setImmediate(() => this.wake?.());
    return false;
  }

  private firstDue(queue: RunQueue): DueRow | undefined {
    let first: DueRow | undefined;
    for (const [kind, due] of Object.entries(this.allKinds())) {
      const row = due.queue === queue ? this.ports.store.firstDue(kind, this.lookedMs) : undefined;
      if (row && (!first || row.due_at < first.due_at)) first = row;
    }
    return first;
  }

  /** Whether it came to a run. */
  private begin(row: DueRow): boolean {
    const { database, clock } = this.ports;
    try {
      const runId = transaction(database.fast, () => this.moveOn(row));
      if (runId !== undefined) this.noteLate(clock.now() - Math.max(row.due_at, this.awakeSinceMs));
      return runId !== undefined;
    } catch (error) {
      // Of a database that can't be written no row is to blame.
      if (explainFault(error)) throw error;
      this.putOff(row, error);
      return false;
    }
  }

  private moveOn(row: DueRow): number | undefined {
    const { store, clock } = this.ports;
    const { kind, owner_id: ownerId, due_at: dueMs } = row;
    const due = this.requireKind(kind);
    const isAgain = dueMs === row.last_due_at;
    const isMissed = isAgain || dueMs + LOOK_MS < this.awakeSinceMs;
    const runId = due.begin(ownerId, { dueMs, isMissed, interruptedRun: isAgain ? (row.run_id ?? undefined) : undefined });
    const nowMs = clock.now();
    const nextMs = due.next(ownerId, dueMs, nowMs);
    if (nextMs === undefined) store.clear(row);
    else store.moveOn(row, runId ?? null, requireAfter(nextMs, nowMs), nowMs);
    return runId;
  }

  private reckon(owner: Owner): void {
    const { store, clock } = this.ports;
    const nowMs = clock.now();
    const lastDueMs = store.find(owner)?.last_due_at ?? undefined;
    const nextMs = this.requireKind(owner.kind).next(owner.owner_id, lastDueMs, nowMs);
    if (nextMs === undefined) store.clear(owner);
    else this.set(owner.kind, owner.owner_id, requireAfter(nextMs, nowMs));
  }

  /** Reckons those anew that a clock reckoned which was ahead: they would wait for as long as it was. Some in each turn. */
  private planAhead(): void {
    const { store, clock, logError } = this.ports;
    if (!this.wake) return;
    try {
      const owners = store.reckonedAfter(clock.now() + LOOK_MS, PLANNED_MAX);
      for (const owner of owners) this.reckonOrPutOff(owner);
      this.isAhead = owners.length === PLANNED_MAX;
      if (this.isAhead) setImmediate(() => this.planAhead());
    } catch (error) {
      logError('what is due could not be reckoned anew', error);
    }
  }

  private reckonOrPutOff(owner: Owner): void {
    try {
      this.reckon(owner);
    } catch (error) {
      if (explainFault(error)) throw error;
      this.putOff({ ...owner, faults: 0 }, error);
    }
  }

  private putOff(row: Owner & Pick<DueRow, 'faults'>, error: unknown): void {
    const { store, clock, logError } = this.ports;
    logError(`${row.kind} ${row.owner_id} is due and could not be begun`, error);
    const nowMs = clock.now();
    store.putOff(row, nowMs + Math.min(PUT_OFF_MS_MAX, LOOK_MS * 2 ** Math.min(row.faults, 20)), nowMs);
  }

  private requireKind(kind: string): DueKind {
    const due = this.allKinds()[kind];
    if (!due) throw new Error(`Nothing is done when a ${kind} is due.`);
    return due;
  }

  /** Made when first asked for: kinds are made of nouns that schedule. */
  private allKinds(): Readonly<Record<string, DueKind>> {
    return (this.kinds ??= this.ports.kinds());
  }

  private noteLate(ms: number): void {
    this.late.push(Math.max(0, ms));
    if (this.late.length > LATE_KEPT) this.late.shift();
  }
}

function requireAfter(dueMs: number, nowMs: number): number {
  if (!Number.isFinite(dueMs) || dueMs <= nowMs) throw new Error(`It would be due again at ${dueMs}, which is not after ${nowMs}.`);
  return Math.ceil(dueMs);
}
