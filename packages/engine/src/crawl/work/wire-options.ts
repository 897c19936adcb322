// The options of a crawl as the wire has them, turned into those of the engine.
import type { CrawlOptions as WireOptions } from '@weft/contract';
import { crawlOptions } from '../options.ts';
import type { CrawlOptions } from '../options.ts';

/** What a program keeps of a crawl's options: those of the wire, and the private address that the caller's own URL named (D31). */
export interface StoredCrawlOptions extends WireOptions {
  readonly private_targets?: readonly string[];
  /** The caller sends something of its own, which is nowhere but in memory. */
  readonly sends?: true;
}

/** Requests in flight over all hosts, unless said. */
const CONCURRENCY = 16;

/** The options of a crawl as the engine takes them. Throws RangeError for a start that is no http or https address. */
export function toEngineOptions(options: StoredCrawlOptions, agent: string): CrawlOptions {
  const given = {
    limit: options.limit,
    maxDepth: options.max_depth,
    includePaths: options.include_paths,
    excludePaths: options.exclude_paths,
    sitemap: options.sitemap,
    allowSubdomains: options.allow_subdomains,
    allowExternalLinks: options.allow_external_links,
    crawlEntireDomain: options.crawl_entire_domain,
    ignoreQueryParameters: options.ignore_query_parameters,
    followActions: options.follow_actions,
    allViews: options.all_views,
    obeyNofollow: options.obey_nofollow,
    delayMs: options.delay_ms,
    maxConcurrency: options.max_concurrency ?? CONCURRENCY,
    hostConcurrency: options.max_concurrency,
    pageMaxAgeSeconds: options.page_max_age,
    lane: options.lane ?? 'auto',
    privateTargets: options.private_targets,
  };
  // Who acts as a persona does what the person might (D30), unless robots rules are asked for.
  const { respect_robots: isRespected = options.persona_id === undefined } = options;
  const robots = isRespected ? ('enforce' as const) : ('report' as const);
  return crawlOptions({ seeds: [options.url], agent, robots, ...withoutUndefined(given) });
}

/** The members that have a value, so that the engine's defaults stand for the others. */
function withoutUndefined<T extends object>(given: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  // Every member that is left has a value.
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
}
