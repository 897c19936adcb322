// What a walk is asked for, and what each of its steps is told as.
import type { ToolName } from './tools.ts';

/** What is looked for, and within which bounds. */
export interface WalkOrder {
  /** In the words of whoever asked. */
  readonly objective: string;
  /** Where it may go: the site of this address. */
  readonly siteUrl: string;
  /** Opened first; without it the walk begins on the page that is open. */
  readonly startUrl?: string | undefined;
  readonly tools: readonly ToolName[];
  readonly stepsMax: number;
  /** Of questions and answers together. */
  readonly tokensMax: number;
  /** For one act on a page. */
  readonly actTimeoutMs: number;
}

/** One step, as it is told and as the model is reminded of it. */
export interface WalkStep {
  readonly tool: ToolName | 'answer';
  /** What was acted on, by role and name; the name is the site's. */
  readonly on: string;
  readonly outcome: 'done' | 'refused' | 'failed';
  /** Why it was refused or failed. */
  readonly reason?: string;
  /** The page on which it was done. */
  readonly url: string;
}

/** What all questions and answers of one walk may take, unless less is said: some twenty pages of ten thousand tokens. */
export const AI_TOKENS_MAX = 300_000;
