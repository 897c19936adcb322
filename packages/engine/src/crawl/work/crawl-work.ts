// What the run of a crawl does, whichever program executes it: one page, or a site through the loop.
import type { RunFailure } from '@weft/contract';
import { createPageSink } from '../keep/page-sink.ts';
import { jobFetcher, restingPorts } from './job-fetcher.ts';
import { workOnlyPage } from './page-work.ts';
import { workSite } from './site-work.ts';
import type { SiteEnd } from './site-work.ts';
import { toEngineOptions } from './wire-options.ts';
import type { StoredCrawlOptions } from './wire-options.ts';
import type { CrawlWorkPorts } from './work-ports.ts';

/**
 * Runs the crawl to its end, or on from where an earlier process left it. Resolves with a failure where that is the result; throws what nobody
 * expected, and StaleOwnerError when another process took over. At the abort it stops within one request and leaves the rest pending.
 */
export async function workCrawl(asked: StoredCrawlOptions, ports: CrawlWorkPorts, signal: AbortSignal): Promise<RunFailure | undefined> {
  const { options, work } = prepare(asked, ports, signal);
  return options.limit === 1
    ? await workOnlyPage(asked.url, options, restingPorts(work, ports.place), signal)
    : (await workSite(asked.url, options, work, signal)).failure;
}

/** `workCrawl` for a program that obeys robots rules for a single page, too (D30), and that works in turns. */
export async function workCrawlByRules(asked: StoredCrawlOptions, ports: CrawlWorkPorts, signal: AbortSignal): Promise<SiteEnd> {
  const { options, work } = prepare(asked, ports, signal);
  return await workSite(asked.url, options, work, signal);
}

function prepare(asked: StoredCrawlOptions, ports: CrawlWorkPorts, signal: AbortSignal) {
  const options = toEngineOptions(asked, ports.agent);
  const sink = createPageSink(asked, ports, signal);
  const fetcher = jobFetcher(asked, ports);
  const robotsFor: CrawlWorkPorts['robotsFor'] = (privateTargets) => ports.robotsFor(privateTargets, ports.acting.proxy);
  return { options, work: { ...ports, sink, fetcher, robotsFor } };
}
