// One page for one who stays for the answer: asked for and read as the page of a crawl of one, and written into no ledger.
import type { PageRecord } from '@weft/contract';
import type { ViewReader } from '../../page/view-work.ts';
import { PageError } from '../../errors.ts';
import type { CookieStore, FetchRequest } from '../../ports.ts';
import { decideRobots } from '../../robots/decide.ts';
import { askForOneWhoStays } from '../hosts/paced-fetcher.ts';
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

/**
 * The page at `options.url` as a crawl would keep it; robots rules are enforced unless the options say otherwise (D30). Throws PageError, for
 * a status that no page has as well.
 */
export async function scrapePage(options: Omit<StoredCrawlOptions, 'limit'>, ports: ScrapePorts, signal: AbortSignal): Promise<PageRecord> {
  const requireAllowed = robotsRule(options, ports);
  // Before a turn at the host is taken: its robots.txt needs one, too.
  await requireAllowed(options.url, signal);
  const job = jobFetcher(options, { ...ports, place: PLACE, acting: {}, actingValues: { secrets: [], names: [] } });
  const fetcher = obeying(job, requireAllowed);
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

/** Throws PageError `robots` for what the robots.txt of its host forbids. */
type RequireAllowed = (url: string, signal: AbortSignal) => Promise<void>;

function robotsRule(
  { respect_robots: isRespected = true }: Pick<StoredCrawlOptions, 'respect_robots'>,
  ports: ScrapePorts,
): RequireAllowed {
  const { robots } = askForOneWhoStays(ports, []);
  return async (url, signal) => {
    const rules = isRespected ? await robots.rulesFor(new URL(url).origin, signal) : undefined;
    // A host that does not say is asked for the page, which says why.
    if (!rules || rules.unasked) return;
    const { allowed, rule } = decideRobots(rules, ports.agent, url);
    if (allowed) return;
    throw new PageError('robots', `${url} is forbidden by its robots.txt${rule === undefined ? '' : ` (${rule})`}.`, { url, next: 'drop' });
  };
}

/** `fetcher`, which follows no redirect to what is forbidden. */
function obeying(fetcher: ScrapePorts['fetcher'], requireAllowed: RequireAllowed): ScrapePorts['fetcher'] {
  return {
    fetch(request, signal) {
      const beforeRedirect: FetchRequest['beforeRedirect'] = async (next, status, reach) => {
        await requireAllowed(next, signal);
        await request.beforeRedirect?.(next, status, reach);
      };
      return fetcher.fetch({ ...request, beforeRedirect }, signal);
    },
  };
}
