// What automations need from the outside.
import type { Action, ActionTrace, AutomationCondition, ConditionTrace, NoticeLevel, RunFailure, RunStatus } from '@weft/contract';
import type { CrawlClock } from '../crawl/crawl-ports.ts';
import type { Cause, MonitorReading } from './cause.ts';
import type { Hearing, Listener, TriggerData } from './hear.ts';

/** A cause that waits, with all triggers that listen for it. */
export interface WaitingCause {
  readonly id: number;
  readonly cause: Cause;
  readonly listeners: readonly Listener[];
  /** How often in a row it could not be heard. */
  readonly faults: number;
}

/**
 * Causes, written in the transaction of what has happened, and triggers with what they know. Every call is one transaction. One suite
 * (tests/store/automation-store-suite.ts) holds for every implementation.
 */
export interface CauseStore {
  /** The oldest that is not put off; undefined where none waits. */
  next(nowMs: number): Promise<WaitingCause | undefined>;
  /** When the next one that is put off waits again; undefined where none is. */
  nextMs(): Promise<number | undefined>;
  /**
   * Makes the runs that follow, as the modes of their automations have it, notes what triggers know, and forgets the cause. Nothing, and
   * false, where the cause has been heard already or its triggers are others by now.
   */
  settle(waiting: WaitingCause, hearing: Hearing): Promise<boolean>;
  putOff(id: number, untilMs: number): Promise<void>;
}

/** What the loop needs. */
export interface HearingPorts {
  readonly store: CauseStore;
  readonly clock: CrawlClock;
  /** Runs were made: somebody has to begin them. */
  wakeRuns(): void;
  logError(message: string, error: unknown): void;
}

/** A run of an automation, with all that it has done so far. */
export interface AutomationRun {
  readonly id: number;
  readonly automation: { readonly id: number; readonly name: string };
  readonly conditions: readonly AutomationCondition[];
  readonly actions: readonly Action[];
  readonly trigger: TriggerData;
  /** Undefined before they were decided. */
  readonly decided: readonly ConditionTrace[] | undefined;
  /** By the place of the action; of those that were begun. */
  readonly begun: ReadonlyMap<number, BegunAction>;
}

/** An action that was begun. */
export interface BegunAction {
  readonly status: ActionTrace['status'];
  readonly message: string;
  /** The run that it made. */
  readonly runId: number | undefined;
  /** Of a pause, epoch milliseconds. */
  readonly untilMs: number | undefined;
  /** Of one that failed. */
  readonly code: RunFailure['code'] | undefined;
}

/** An action with its templates filled in. */
export type Order =
  | { readonly type: 'run_workflow'; readonly workflowId: number; readonly inputs: Readonly<Record<string, unknown>> }
  | {
      readonly type: 'notify';
      readonly channels: readonly number[] | undefined;
      readonly title: string;
      readonly body: string;
      readonly level: NoticeLevel;
    }
  | { readonly type: 'pause'; readonly untilMs: number }
  | Extract<Action, { readonly type: 'run_crawl' | 'check' | 'set' }>;

/** How a run that an action made has ended. */
export interface EndedRun {
  readonly status: RunStatus;
  readonly failure: RunFailure | undefined;
}

/** What an action could not do. `message` is a public sentence. */
export class ActionFault extends Error {
  readonly code: RunFailure['code'];

  constructor(code: RunFailure['code'], message: string) {
    super(message);
    this.name = 'ActionFault';
    this.code = code;
  }
}

/** Rows of one run. Every call is one transaction. */
export interface AutomationRunStore {
  /** Undefined for one that there is not. */
  load(runId: number): Promise<AutomationRun | undefined>;
  keepConditions(runId: number, decided: readonly ConditionTrace[]): Promise<void>;
  /**
   * Does what `order` says and writes that action `place` was begun, in one transaction: what was done is known as done whatever ends the
   * process. One that was begun before is not done again, and answers what it did. Throws ActionFault, and nothing is written.
   */
  begin(runId: number, place: number, order: Order): Promise<BegunAction>;
  /** How it ended; with the `code` of a failure. */
  end(runId: number, place: number, message: string, code: RunFailure['code'] | undefined): Promise<void>;
}

/** What a run needs. */
export interface AutomationPorts {
  readonly store: AutomationRunStore;
  readonly clock: CrawlClock;
  /** Resolves once no older run of the automation is live, where its mode is `queued`. */
  myTurn(signal: AbortSignal): Promise<void>;
  /** How a monitor stands now; undefined for one that there is not. */
  readingOf(monitorId: number): Promise<MonitorReading | undefined>;
  /** The run of an action once it is settled; at the abort it is cancelled. */
  follow(runId: number, signal: AbortSignal): Promise<EndedRun>;
  /** What the run of an action came to so far: `status`, `output`, `rows_extracted`. */
  resultOf(runId: number): Promise<Readonly<Record<string, unknown>>>;
  /** Waits until this epoch millisecond, or the abort. */
  pause(untilMs: number, signal: AbortSignal): Promise<void>;
  tell(event: AutomationNews): void;
}

/** What is told of a run while it goes on. */
export type AutomationNews =
  | { readonly kind: 'sentence'; readonly level: 'info' | 'warn'; readonly message: string }
  | {
      readonly kind: 'action';
      readonly place: number;
      readonly type: Action['type'];
      readonly status: 'started' | 'succeeded' | 'failed';
      readonly message: string;
    };
