// A fetcher for the pages of one run: its browser options on each, and one cookie store for all of them.
import type { BrowserOptions, Fetcher } from '@weft/engine';
import { createCookieStore } from '@weft/engine/io';
import type { StoredCrawlOptions } from './engine-options.ts';

/** What is asked for by HTTP (robots.txt, sitemaps) stays as it is; pages share cookies, and in the browser a context. */
export function jobFetcher(fetcher: Fetcher, options: StoredCrawlOptions): Fetcher {
  const cookies = createCookieStore();
  const browser = browserOptions(options);
  return {
    fetch: (request, signal) =>
      fetcher.fetch(request.lane === 'http' ? request : { cookies, ...request, ...(browser ? { browser } : {}) }, signal),
    close: () => fetcher.close(),
  };
}

function browserOptions(options: StoredCrawlOptions): BrowserOptions | undefined {
  const { wait_for: waitFor, wait_for_selector: waitForSelector, wait_ms: waitMs, screenshot, pdf } = options;
  const given = {
    ...(waitFor === undefined ? {} : { waitFor }),
    ...(waitForSelector === undefined ? {} : { waitForSelector }),
    ...(waitMs === undefined ? {} : { waitMs }),
    ...(screenshot === undefined ? {} : { screenshot }),
    ...(pdf === undefined ? {} : { pdf }),
  };
  return Object.keys(given).length > 0 ? given : undefined;
}
