// What a check needs from the program that makes it. Stores may answer later than they are asked (D54).
import type { Acting, ActingValues } from '../ports.ts';
import type { RunPlace } from '../crawl/work/work-ports.ts';
import type { AskingPorts } from '../crawl/hosts/paced-fetcher.ts';
import type { ViewReader } from '../page/view-work.ts';
import type { LastPage as LastPageOfRun } from '../run/last-page.ts';
import type { CookieStore, FetchRequest, Lane } from '../ports.ts';
import type { KnownMonitor } from './known.ts';
import type { NetworkWatch } from './network.ts';
import type { ReadingPlan, TargetPlan, TargetReading } from './plan.ts';
import type { MonitorSettings, TargetSettings } from './settings.ts';
import type { Judgement } from './verdict/judgement.ts';

/** What is looked at, as it is kept, and what is known of it. */
export interface CheckSubject {
  readonly monitorId: number;
  /** Another one means that somebody has changed the monitor or its selectors since. */
  readonly version: number;
  readonly source: PageToCheck | WorkflowToCheck;
  readonly watch: ReadingPlan['watch'];
  readonly settings: MonitorSettings;
  /** Active selectors, each with its settings. */
  readonly targets: readonly (TargetPlan & { readonly settings: TargetSettings })[];
  readonly known: KnownMonitor;
  /** What the page was when it was read last; undefined where it has to be read anew. */
  readonly lastPage: LastPage | undefined;
}

/** A page that is asked for. */
export interface PageToCheck {
  readonly kind: 'page';
  readonly request: Omit<FetchRequest, 'validators' | 'cookies'>;
  /** Whether robots.txt may forbid it (D30). */
  readonly respectRobots: boolean;
  /** Statuses that are a page like any other. */
  readonly acceptStatuses: readonly number[];
  readonly personaId: number | undefined;
}

/** What a workflow gives. */
export interface WorkflowToCheck {
  readonly kind: 'workflow';
  /** Its rows, or the page that its steps leave open. */
  readonly gives: 'rows' | 'page';
  readonly workflowId: number;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** What lets a page that has not changed go unread. */
export interface LastPage {
  /** Of what it was read by. */
  readonly version: number;
  /** Print of the body and of all that it is read by. */
  readonly print: string;
  readonly url: string;
  readonly status: number;
  readonly lane: Lane;
  readonly bytes: number;
  readonly title?: string;
  /** True where pictures that it shows were looked at: these can change while the page does not. */
  readonly hasPictures?: boolean;
  readonly etag?: string;
  readonly lastModified?: string;
}

/** What a workflow came to: its last page, or its rows as a list in JSON. */
export interface WorkflowOutcome extends LastPageOfRun {
  readonly runId: number;
  readonly lane: Lane;
}

/** What a check read its values from. */
export interface SeenContents {
  readonly body: Uint8Array;
  readonly contentType: string | undefined;
  /** A PNG. */
  readonly picture: Uint8Array | undefined;
}

/** What a check leaves behind. */
export interface CheckOutcome {
  readonly subject: CheckSubject;
  readonly judgement: Judgement;
  readonly page: (LastPage & { readonly fromCache: boolean }) | undefined;
  /** Of the gate `fetch`. */
  readonly fetched: { readonly outcome: 'passed' | 'stopped'; readonly reasons: readonly string[]; readonly durationMs: number };
  /** Of targets that were found and had no baseline, what was recorded now. */
  readonly baselines: readonly Pick<TargetReading, 'id' | 'baseline' | 'values'>[];
  readonly proposals: readonly Pick<TargetReading, 'id' | 'proposal'>[];
  /** Where it found something new, for whoever keeps what was seen. */
  readonly seen: SeenContents | undefined;
  /** Of an answer that is no page. */
  readonly refusedStatus: number | undefined;
  /** Epoch milliseconds before which the host must not be asked again. */
  readonly retryAtMs: number | undefined;
  readonly durationMs: number;
  /** The part of it in which it held its place, and did not wait for others to be read. */
  readonly heldMs: number;
  /** CPU that reading the page took, in a thread that reads one page of them at a time; 0 where none was read. */
  readonly readMs: number;
}

/** Rows of monitors; one suite (tests/store/check-store-suite.ts) holds for every implementation. */
export interface CheckStore {
  /** Undefined where the monitor is gone. */
  load(monitorId: number): Promise<CheckSubject | undefined>;
  /** Keeps all of it in one transaction. `stale`: the monitor has changed meanwhile, and nothing is kept; `gone`: it is. */
  save(runId: number, outcome: CheckOutcome): Promise<'kept' | 'stale' | 'gone'>;
}

/** As whom a check looks. */
export interface CheckActor {
  readonly cookies: CookieStore;
  readonly acting: Acting;
  readonly values: () => ActingValues;
}

/** What a check needs lies in a vault that is locked. */
export class VaultLocked extends Error {}

/** The outside of one check. */
export interface CheckPorts extends AskingPorts {
  readonly store: CheckStore;
  readonly views: ViewReader;
  /** As whom it looks, by the id of a persona: its session, its way out and its language. Throws VaultLocked. */
  readonly actAs: (personaId: number) => Promise<CheckActor>;
  /** The value of a secret, for sending it to `origin` now. Throws PageError `address` where there is none for it, VaultLocked. */
  readonly secretFor: (key: string, origin: string) => string;
  /** Runs a workflow to its end. Throws PageError where it failed, VaultLocked. */
  readonly runWorkflow: (of: WorkflowToCheck, signal: AbortSignal) => Promise<WorkflowOutcome>;
  readonly network: NetworkWatch;
  readonly place: RunPlace & {
    /** For how many milliseconds the place was held so far: what a check costs while others wait. */
    heldMs(): number;
  };
}
