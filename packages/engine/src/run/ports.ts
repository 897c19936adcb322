// What a run of a workflow asks of the outside. All of it is asynchronous: rows, files and events may lie in another process (D54).
import type { CrawlClock, HostGate, RobotsReport } from '../crawl/crawl-ports.ts';
import type { WalkPorts } from '../build/ai/walk.ts';
import type { Acting, Fetcher, Lane, NameMemory } from '../ports.ts';
import type { BrowserSessions, StorageState } from './session.ts';
import type { ReadingRequest, ReadingResult } from './reading/read-page.ts';
import type { SealedReference } from './value.ts';

/** One execution of a step, as the run's events tell it. */
export interface StepEvent {
  readonly type: 'step';
  /** Grows with each execution; its tries share it. */
  readonly index: number;
  readonly step_type: string;
  readonly step_id: string;
  /** From the workflow down: places among steps, and `item:3` for rounds. */
  readonly path: readonly (string | number)[];
  readonly status: 'started' | 'succeeded' | 'failed' | 'skipped' | 'retrying' | 'waiting_human';
  readonly attempt: number;
  readonly lane?: Lane;
  readonly duration_ms?: number;
  readonly url?: string;
  readonly message?: string;
  readonly robots?: RobotsReport;
}

/** What a run tells of itself while it goes on. */
export type RunNews =
  | StepEvent
  | { readonly type: 'data'; readonly rows: number }
  | { readonly type: 'lane'; readonly from: string; readonly to: string; readonly reason: string }
  | { readonly type: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly message: string };

/** A file that a run has read or brought. */
export interface RunFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** A file that a run has kept. */
export interface KeptFile {
  readonly id: string;
  readonly name: string;
}

/** What a called workflow has come to. */
export interface CalledRun {
  readonly id: number;
  readonly status: string;
  readonly output: unknown;
  readonly message: string | undefined;
}

/** Where a session stays from run to run. */
export interface SessionStore {
  /** Cookies and storage in the form that Playwright writes; undefined where none are kept. */
  read(): Promise<StorageState | undefined>;
  /** What another run has left since this one read or replaced it; undefined where there is nothing newer. */
  readNewer(): Promise<StorageState | undefined>;
  /**
   * Keeps what a run has that proved itself logged in. `behind`: another run has changed the session since this one read it, and that one
   * stays. `locked`: the vault is, and nothing is kept.
   */
  replace(state: StorageState, logins: KnownLogins): Promise<'kept' | 'behind' | 'locked'>;
  /** Those of the session that was read last. */
  logins(): KnownLogins;
}

/** What is known of logins that worked, by the addresses of their pages. */
export interface KnownLogins {
  /** Where they led: some show their form to who is logged in, too. */
  readonly landings: Readonly<Record<string, string>>;
  /** Those that were taken from a browser and not by HTTP. */
  readonly scripted: readonly string[];
}

/** Nothing is known of any login. */
export const NO_LOGINS: KnownLogins = { landings: {}, scripted: [] };

/** What a run of a workflow stands on. */
export interface WorkflowPorts {
  readonly fetcher: Pick<Fetcher, 'fetch'>;
  /** Shared by everything that fetches (D32). */
  readonly gate: HostGate;
  /** Absent where there is no browser that could hold sessions. */
  readonly sessions?: BrowserSessions | undefined;
  /** Reads a page, in a thread of its own. Throws PageError. */
  readonly read: (request: ReadingRequest, signal: AbortSignal) => Promise<ReadingResult>;
  readonly clock: CrawlClock;
  /** Tells; nothing is told of a run that was stopped. */
  readonly tell: (news: RunNews) => Promise<void>;
  /** Keeps rows; those with a key replace what has it. How many were kept. */
  readonly keepRows: (rows: readonly { readonly key?: string; readonly row: Readonly<Record<string, unknown>> }[]) => Promise<number>;
  readonly keepFile: (file: RunFile) => Promise<KeptFile>;
  /** Throws PageError `internal` for one that is not there. */
  readonly readFile: (id: string) => Promise<RunFile>;
  /**
   * The value of a reference, for the exact origin that it is about to be sent to. Throws RunFault: `vault_locked`, or `input` where there
   * is none or it is not for that origin.
   */
  readonly reveal: (reference: SealedReference, origin: string, personaId: number | undefined, signal: AbortSignal) => Promise<string>;
  /** Waits until a person says that it is done; what they said. */
  readonly askPerson: (
    question: { readonly stepId: string; readonly reason: string; readonly instructions: string },
    signal: AbortSignal,
  ) => Promise<string>;
  /** What steps need in which a model acts; absent where none is named. */
  readonly ai?: Pick<WalkPorts, 'model' | 'see' | 'nonce'> | undefined;
  /** Runs another workflow to its end. Throws RunFault `input` where there is none. */
  readonly call: (workflow: string, inputs: Readonly<Record<string, unknown>>, signal: AbortSignal) => Promise<CalledRun>;
  readonly session: SessionStore;
  readonly acting: Acting;
  /** What robots rules say of an address; undefined where that is not known in time. */
  readonly robots: (url: string, signal: AbortSignal) => Promise<RobotsReport | undefined>;
  /** Executes `work` when no other run logs the same persona in at this origin. */
  readonly inLoginLine: <T>(origin: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;
  /** Private addresses that the run may reach, as `host:port` (D31). */
  readonly privateTargets: readonly string[];
  readonly names: NameMemory;
  readonly cookies: (state: StorageState | undefined) => RunCookies;
}

/** The cookies of one run. */
export interface RunCookies {
  headerFor(url: string): string;
  keep(url: string, setCookie: readonly string[]): void;
  records(): StorageState['cookies'];
}
