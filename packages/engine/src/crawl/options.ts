// What a crawl is asked to do.
import type { Lane } from '../ports.ts';
import type { ScopeOptions } from '../url/scope.ts';

/** How much the robots rules count: obeyed, only noted in the ledger, or not read at all. */
export type RobotsMode = 'enforce' | 'report' | 'off';

/** Options of one crawl; every member has a value, `crawlOptions` fills in what the caller left out. */
export interface CrawlOptions extends ScopeOptions {
  /** Where to begin; the first is the crawl's own address. At least one, absolute, http or https. */
  readonly seeds: readonly string[];
  /** How many pages are kept at most; duplicates, failures and skipped addresses don't count. */
  readonly limit: number;
  /** How many links a page may be away from a seed; pagination uses none. */
  readonly maxDepth: number;
  /** Globs, or RE2 expressions behind `regex:`; empty includes everything. Seeds need not be included. */
  readonly includePaths: readonly string[];
  readonly excludePaths: readonly string[];
  /** Sitemaps beside links, not at all, or instead of them. */
  readonly sitemap: 'include' | 'skip' | 'only';
  /** Addresses that differ in their query alone are one: the first that is found is fetched. */
  readonly ignoreQueryParameters: boolean;
  /** Least time between two requests to one host, in milliseconds; a longer crawl-delay of the host wins. */
  readonly delayMs: number;
  /** Requests in flight over all hosts. */
  readonly maxConcurrency: number;
  /** Requests in flight to one host. */
  readonly hostConcurrency: number;
  /** A stored copy that is at most so old, in seconds, is taken instead of asking; 0 always asks. */
  readonly pageMaxAgeSeconds: number;
  readonly lane: Lane | 'auto';
  readonly robots: RobotsMode;
  /** Also asks for what changes something, such as links that delete; see `followsActs`. */
  readonly followActions: boolean;
  /** Also asks for views that brought nothing new so far, and for those that no page of their kind wants listed. */
  readonly allViews: boolean;
  /** Leaves out what pages link to as `nofollow` alone. */
  readonly obeyNofollow: boolean;
  /** Product token that robots groups are chosen by. */
  readonly agent: string;
  /** Whole-crawl budget in milliseconds; undefined for none. */
  readonly timeoutMs: number | undefined;
  /** Private addresses that the caller named, as `host:port`; handed to the fetcher. */
  readonly privateTargets: readonly string[];
}

const DEFAULTS: Omit<CrawlOptions, 'seeds' | 'agent'> = {
  limit: 10_000,
  maxDepth: 10,
  includePaths: [],
  excludePaths: [],
  sitemap: 'include',
  allowSubdomains: false,
  allowExternalLinks: false,
  crawlEntireDomain: false,
  ignoreQueryParameters: false,
  delayMs: 0,
  maxConcurrency: 16,
  hostConcurrency: 2,
  pageMaxAgeSeconds: 0,
  lane: 'http',
  robots: 'enforce',
  followActions: false,
  allViews: false,
  obeyNofollow: false,
  timeoutMs: undefined,
  privateTargets: [],
};

/** The options with defaults for what is left out. Throws RangeError when there is no seed or one is no http or https address. */
export function crawlOptions(asked: Partial<CrawlOptions> & Pick<CrawlOptions, 'seeds' | 'agent'>): CrawlOptions {
  const options = { ...DEFAULTS, ...asked };
  if (options.seeds.length === 0) throw new RangeError('A crawl needs an address to begin with.');
  for (const seed of options.seeds) {
    const parsed = URL.parse(seed);
    if (!parsed || !/^https?:$/.test(parsed.protocol))
      throw new RangeError(`A crawl can't begin at "${seed}": it is no http or https address.`);
  }
  return options;
}

/** Whether links that change something are followed. The one place that decides it. */
export function followsActs({ followActions }: Pick<CrawlOptions, 'followActions'>): boolean {
  return followActions;
}
