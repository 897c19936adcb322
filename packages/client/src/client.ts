// The client of an agent whose address and token are known. Safe to load in a browser.
import { ROUTES } from './generated/routes.ts';
import { createMethods } from './methods.ts';
import type { AgentMethods } from './methods.ts';
import { createTransport } from './transport.ts';
import type { Transport, TransportOptions } from './transport.ts';
import { waitForRun } from './wait.ts';
import type { WaitOptions } from './wait.ts';
import { scrapePage } from './scrape.ts';
import type { ScrapeOptions } from './scrape.ts';
import type { PageRecord, Run } from '@weft/contract';

/** The typed methods of the agent by group, and what goes beyond single calls. */
export type AgentClient = AgentMethods & {
  readonly transport: Transport;
  /** Reads one page. Throws ScrapeError where it does not come, RunWaitTimeoutError where that takes too long. */
  scrape(url: string, options?: ScrapeOptions): Promise<PageRecord>;
  /** Waits until run `id` is settled. Throws RunWaitTimeoutError. */
  waitForRun(id: number, options?: WaitOptions): Promise<Run>;
};

/** A client for the agent at `options.baseUrl`. Nothing is sent until a method is called. */
export function createClient(options: TransportOptions): AgentClient {
  const transport = createTransport(options);
  const methods = createMethods<AgentMethods>(ROUTES, () => transport);
  return {
    ...methods,
    transport,
    scrape: (url, scrapeOptions) => scrapePage(methods, url, scrapeOptions),
    waitForRun: (id, waitOptions) => waitForRun(methods, id, waitOptions),
  };
}
