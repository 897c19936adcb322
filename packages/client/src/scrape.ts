// Reads one page: a crawl of one page, awaited.
import type { DaemonTable, PageRecord } from '@weft/contract';
import { ScrapeError } from './errors.ts';
import type { AgentMethods, CallInput } from './methods.ts';
import { waitForRun } from './wait.ts';

/** What a crawl takes, less what makes it one of a single page. */
export type ScrapeOptions = Omit<CallInput<DaemonTable['crawl']['start']>, 'url' | 'limit' | 'wait' | 'timeout'> & {
  /** Seconds; default 120. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
};

/** The page at `url`, with its Markdown unless `formats` say otherwise. Throws ScrapeError, RunWaitTimeoutError. */
export async function scrapePage(methods: AgentMethods, url: string, options: ScrapeOptions = {}): Promise<PageRecord> {
  const { timeout, signal, ...asked } = options;
  const call = signal ? { signal } : {};
  const { id } = await methods.crawl.start({ ...asked, url, limit: 1 }, call);
  await waitForRun(methods, id, { ...call, ...(timeout === undefined ? {} : { timeout }) });
  const crawl = await methods.crawl.read({ id, limit: 1 }, call);
  const [page] = crawl.data;
  if (page) return page;
  throw new ScrapeError(url, crawl.failure?.code ?? crawl.status, crawl.failure?.message ?? `its crawl is ${crawl.status}.`);
}
