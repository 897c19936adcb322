// One page for one who stays for the answer: asked for and read as the page of a crawl of one, and written into no ledger.
import type { PageRecord } from '@weft/contract';
import type { ViewReader } from '../../page/view-work.ts';
import type { CookieStore } from '../../ports.ts';
import type { AskingPorts } from '../hosts/paced-fetcher.ts';
import { createPageSink } from '../keep/page-sink.ts';
import type { KeepFile } from '../keep/page-pictures.ts';
import { visitOnlyPage } from '../loop/only-page.ts';
import { jobFetcher } from './job-fetcher.ts';
import { toEngineOptions } from './wire-options.ts';
import type { StoredCrawlOptions } from './wire-options.ts';

/** What a scrape asks hosts and reads pages with. */
export interface ScrapePorts extends AskingPorts {
  readonly views: ViewReader;
  readonly keepFile: KeepFile;
  readonly cookies: CookieStore;
}

/** Nothing else waits for the place of a scrape. */
const PLACE = { rest: () => undefined, work: () => undefined, hear: () => undefined };

/** The page at `options.url` as a crawl would keep it. Throws PageError, for a status that no page has as well. */
export async function scrapePage(options: Omit<StoredCrawlOptions, 'limit'>, ports: ScrapePorts, signal: AbortSignal): Promise<PageRecord> {
  const fetcher = jobFetcher(options, { ...ports, place: PLACE, acting: {}, actingValues: { secrets: [], names: [] } });
  const sink = createPageSink(options, { ...ports, copies: undefined }, signal);
  const { url } = options;
  const leased = {
    id: 0,
    url,
    key: url,
    host: new URL(url).origin,
    depth: 0,
    source: 'seed',
    parent: undefined,
    ignoresCanonical: false,
    twin: undefined,
  } as const;
  const engineOptions = toEngineOptions({ ...options, limit: 1 }, ports.agent);
  const { result } = await visitOnlyPage(leased, engineOptions, { ...ports, fetcher, sink }, signal);
  return result.record;
}
