// What a proof leaves behind: which answers a function gave, and what each rule says of them. Enough to decide again without asking anybody.
import type { Lane } from '../../ports.ts';
import type { EvidenceId, RowReading } from '../evidence/catalogue.ts';

/**
 * `proved`: every rule that applies holds. `failed`: one is broken. `unproved`: none is broken, and one could not be tried, for want of a
 * second input or of an answer.
 */
export type ProofState = 'proved' | 'unproved' | 'failed';

/**
 * Which call an answer is of: with the recorded input, with another one, with the recorded one again, with a word that the site can't know,
 * and the second page of the recorded one.
 */
export const PROBE_ROLES = ['recorded', 'second', 'repeat', 'negative', 'page_2'] as const;
/** One of them. */
export type ProbeRole = (typeof PROBE_ROLES)[number];

/** One answer, whose bytes are kept under their hash. */
export interface StoredAnswer {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly contentType?: string;
  readonly lane: Lane;
  /** Epoch milliseconds at which it was complete. */
  readonly atMs: number;
  readonly bytes: number;
  /** Of the bytes. */
  readonly sha256: string;
}

/** One call of the function, while it was proved. */
export interface Probe {
  readonly role: ProbeRole;
  /** What the function was called with, by the names of its inputs. */
  readonly inputs: Readonly<Record<string, string | number>>;
  /** The word that its rows are held against; absent where the input is none. */
  readonly word?: string;
  /** The answer that its rows are read from; absent where none came. */
  readonly answer?: StoredAnswer;
  /** How many rows, and the hash of them as JSON. */
  readonly rows: number;
  readonly rowsSha256: string;
  /** Why the call ended without rows, where it failed. */
  readonly failure?: string;
}

/** The rules, in the order in which they are decided. */
export const PROOF_RULES = [
  'answers',
  'filled',
  'repeats',
  'second_differs',
  'second_shape',
  'word_in_rows',
  'word_tells',
  'negative_differs',
  'negative_fewer',
  'negative_none',
  'page_2_differs',
  'page_2_shape',
  'page_2_word',
] as const;
/** One of them. */
export type ProofRule = (typeof PROOF_RULES)[number];

/** What one rule says. */
export interface RuleOutcome {
  readonly rule: ProofRule;
  /** `untried`: what it compares is missing. A rule that does not apply to the function is not listed. */
  readonly verdict: 'holds' | 'broken' | 'untried';
  /** What was measured, and the bound that it is held against; absent where it was untried. */
  readonly measured?: number;
  readonly bound?: number;
}

/** The proof of one function. */
export interface Certificate {
  readonly version: 1;
  readonly function: string;
  readonly candidate: EvidenceId;
  readonly kind: 'search' | 'list' | 'detail';
  /** True where it has an input; and where that is a word which rows are searched for, and not one of several choices. */
  readonly hasInput: boolean;
  readonly isWord: boolean;
  /** True where the input is one of several choices: nothing else can be asked for. */
  readonly hasChoices: boolean;
  /** True where the words stand in rows of the site, so that the answers must have them; false where they were only offered. */
  readonly isSeen: boolean;
  /** Other words of the site: rows that speak of one of them more than of what was asked for are not those that were asked for. */
  readonly otherWords: readonly string[];
  /** True where the function has further pages. */
  readonly hasPages: boolean;
  /** How many rows a full page has, where that is known: a second page behind a shorter first one may be empty. */
  readonly pageRows?: number;
  /** How many rows it was made from, where that is known. */
  readonly madeRows?: number;
  /** Names of the fields that its rows had when it was made. */
  readonly required: readonly string[];
  readonly state: ProofState;
  /** In a sentence: what was shown, or which rule is broken. */
  readonly reason: string;
  readonly lane: Lane;
  readonly reading: RowReading;
  readonly probes: readonly Probe[];
  readonly rules: readonly RuleOutcome[];
  /** Of the workflow that was proved, as JSON. */
  readonly workflowSha256: string;
  /** Epoch milliseconds. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}
