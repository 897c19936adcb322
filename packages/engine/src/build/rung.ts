// What a rung brings back, whoever climbed it: a crawl, a browser, a model.
import type { Catalogue } from './evidence/catalogue.ts';

/** The finding of one rung. */
export interface RungFinding {
  readonly catalogue: Catalogue;
  readonly counts: RungCounts;
  /** True where robots rules refused the target. */
  readonly isRefused: boolean;
  /** The line of robots.txt that did. */
  readonly robotsRule?: string;
  /** Why it ended before it had looked at everything; absent where it had. */
  readonly stopped?: string;
  /** Where nothing could be fetched, why. */
  readonly failure?: string;
}

/** What a rung did, as `fallback_reason` is measured by. */
export interface RungCounts {
  /** Pages that came and could be read. */
  readonly pages: number;
  /** Requests that were sent, those for robots.txt left out. */
  readonly requests: number;
  /** Pages that only scripts fill. */
  readonly shells: number;
}
