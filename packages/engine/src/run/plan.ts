// What one run executes, and what it comes to.
import type { RunFailure, Step } from '@weft/contract';
import type { Lane } from '../ports.ts';
import type { AskedByScripts } from './candidate/asked-by-scripts.ts';
import type { TracedStep } from './candidate/traced-step.ts';
import type { GoodReadings } from './guard/guards.ts';
import type { StepSeen } from './guard/seen.ts';
import type { LastPage } from './last-page.ts';
import type { StepRepair } from './repair/step-repair.ts';
import type { KeptFile } from './ports.ts';

/** One run of a workflow. */
export interface RunPlan {
  readonly steps: readonly Step[];
  readonly finally: readonly Step[];
  readonly lane: Lane | 'auto';
  readonly limits: RunLimits;
  /** As the workflow's schema has them. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** A template of what the run gives. */
  readonly output: unknown;
  readonly personaId: number | undefined;
  /** A dry run ends after this step. */
  readonly until?: string | undefined;
  /** By the id of a step what it gives instead of being executed. */
  readonly pins?: Readonly<Record<string, unknown>> | undefined;
  /** What the guards of its steps know; absent where they are off. */
  readonly guards?: GoodReadings | undefined;
  /** False where a failed step leaves nothing behind: there is no place for files. */
  readonly keepsEvidence?: boolean | undefined;
  /** True where the page that its steps leave open is asked for. */
  readonly givesPage?: boolean | undefined;
  /** True where its browser has a window that a person sees. */
  readonly isHeaded?: boolean | undefined;
  /** True where it is asked what scripts of its pages asked for. */
  readonly gathersRequests?: boolean | undefined;
  /** True where a page by HTTP may be one that scripts fill: something else of it is wanted, such as a token. */
  readonly takesShells?: boolean | undefined;
}

/** How much one run may do. */
export interface RunLimits {
  readonly stepsMax: number;
  readonly secondsMax: number;
  readonly pagesMax: number;
}

/** What is allowed unless the workflow says something else. */
export const DEFAULT_RUN_LIMITS: RunLimits = { stepsMax: 10_000, secondsMax: 3600, pagesMax: 1000 };

/** What a run came to. */
export interface RunEnd {
  readonly failure: RunFailure | undefined;
  readonly output: unknown;
  /** What each step gave last, by its id. */
  readonly steps: Readonly<Record<string, unknown>>;
  readonly files: readonly KeptFile[];
  readonly warnings: readonly string[];
  /** What its steps saw, for later runs to be held against if this one is good. */
  readonly seen: Readonly<Record<string, StepSeen>>;
  /** The lane that it ended on. */
  readonly lane: Lane;
  /** The page that its steps left open, before `finally`; undefined where none was, and where nobody asked for it. */
  readonly page: LastPage | undefined;
  /** Of a step that did not find its element, where that may stand now. */
  readonly repairs: readonly StepRepair[];
  /** Where its own steps began, in a browser; empty by HTTP. */
  readonly trace: readonly TracedStep[];
  /** Undefined unless it was asked for, and where the run failed. */
  readonly asked?: AskedByScripts | undefined;
  /** How many requests its pages sent that may have changed something. */
  readonly writes: number;
}
