// A site-to-API build: walks the ladder, drafts from what each rung found, proves, and stops at the rung that proves its objective.
import type { Catalogue } from './evidence/catalogue.ts';
import type { Draft, DraftSource } from './draft.ts';
import type { BuiltFunction } from './functions/built-function.ts';
import type { Ladder } from './ladder.ts';
import type { BuildOptions } from './options.ts';
import type { BuildPorts } from './ports.ts';

/** What a build came to. */
export interface BuildResult {
  readonly ladder: Ladder;
  /** Of all rungs. */
  readonly catalogue: Catalogue;
  readonly draft: Draft;
  readonly draftSource: DraftSource;
  /** What the supervising call took; absent where none was made. */
  readonly supervised?: SupervisedCost;
  /** Proved, unproved and failed ones. */
  readonly functions: readonly BuiltFunction[];
  /** Candidates that became no function, and why. */
  readonly unused: readonly { readonly id: string; readonly reason: string }[];
  /** OpenAPI 3.1 of the proved functions, below `servers: []`; each operation has `x-proof`. */
  readonly openapi?: Readonly<Record<string, unknown>>;
}

/** What the supervising call took, and what was made of it. */
export interface SupervisedCost {
  readonly wasUsed: boolean;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly dropped: number;
  readonly reason?: string;
}

/** A build as it stands, for whoever keeps it: after each rung, and at the end. */
export interface BuildKeeping {
  /** Begins with a ladder of one queued rung, or goes on with the newest rung of one that was kept. */
  readonly ladder: Ladder;
  /** What the rungs before found. */
  readonly catalogue: Catalogue;
  /** Called after each rung has ended, before the next one begins; what it keeps survives. */
  readonly onRung: (ladder: Ladder, result: Omit<BuildResult, 'ladder'>) => Promise<void>;
}

/** Builds. */
export type RunBuild = (options: BuildOptions, ports: BuildPorts, keeping: BuildKeeping, signal: AbortSignal) => Promise<BuildResult>;
