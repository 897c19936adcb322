// What the visits of one crawl share.
import type { RobotsDecision } from '../../robots/decide.ts';
import type { Admission } from '../admission.ts';
import type { CanonicalWaits } from '../judge/canonical-waits.ts';
import type { CrawlMemory } from '../learn/crawl-memory.ts';
import type { CrawlPorts } from '../crawl-ports.ts';
import type { DuplicateLinks } from '../judge/duplicate-links.ts';
import type { FoundLinks } from '../links/found-links.ts';
import type { HeldPages } from './held-pages.ts';
import type { CrawlOptions } from '../options.ts';
import type { LinkMemo } from '../links/link-memo.ts';
import type { RecentPages } from '../judge/recent-pages.ts';
import type { RedirectTargets } from '../judge/redirect-trail.ts';

/** The crawl as one visit sees it. */
export interface VisitContext<Result> {
  readonly options: CrawlOptions;
  readonly ports: CrawlPorts<Result>;
  readonly admission: Admission;
  readonly found: FoundLinks;
  readonly memory: CrawlMemory;
  readonly recent: RecentPages;
  readonly waits: CanonicalWaits;
  readonly held: HeldPages;
  readonly duplicates: DuplicateLinks;
  readonly targets: RedirectTargets;
  readonly linkMemo: LinkMemo;
  /** What the robots rules of an address's host say, where they are known. */
  readonly robotsOf: (url: string) => RobotsDecision | undefined;
  readonly signal: AbortSignal;
}
