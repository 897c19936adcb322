// What a build is asked for.
import type { Step } from '@weft/contract';

/** A build: the site, what is wanted of it, and how far it may go. */
export interface BuildOptions {
  /** Absolute, http or https. */
  readonly url: string;
  /** What the API is for, in words; empty for a discovery without one. */
  readonly objective: string;
  /** Crawl rungs: whether robots rules are obeyed. */
  readonly respectRobots: boolean;
  /** Whether the supervising call may be made. */
  readonly aiSupervise: boolean;
  /** True for `deep-discovery`: the catalogue is the result, nothing is drafted or proved. */
  readonly isDiscovery: boolean;
  /** Evidence that a person brings. */
  readonly har?: string | undefined;
  /** What a person did in a browser, as recordings have it: words that they typed are tried first in search controls. */
  readonly recording?: readonly Step[] | undefined;
  readonly limits: BuildLimits;
}

/** How much one build may do. */
export interface BuildLimits {
  /** Pages and answers of each crawl rung, those of searches that are tried included. */
  readonly pagesMax: number;
  /** Calls that prove functions, over all rungs. */
  readonly proofCallsMax: number;
  /** Seconds that a rung may look, and as many that its proofs may take: it ends with what it has then. */
  readonly rungSecondsMax: number;
}

/**
 * A site shows what it is about within 25 pages; each of eight functions takes five calls, with room for a second try. Ten minutes are
 * enough for as many pages of a host that wants twenty seconds between them.
 */
export const DEFAULT_BUILD_LIMITS: BuildLimits = { pagesMax: 25, proofCallsMax: 60, rungSecondsMax: 600 };
