// What calls cost (D43), in one place.
import type { AccountTable, ReplyOf } from '@weft/contract';

type Price = ReplyOf<AccountTable['credits']['prices']>['body']['data'][number];

/** Credits of a page by its lane. */
export const PAGE_PRICE = { http: 1, browser: 2 } as const;

/** Credits of a map; one that finds nothing is free. */
export const MAP_PRICE = 1;

/** What a page of `lane` may cost before a browser is asked about: lane `auto` begins over HTTP. */
export function firstPrice(lane: 'http' | 'browser' | 'auto' | undefined): number {
  return PAGE_PRICE[lane === 'browser' ? 'browser' : 'http'];
}

/** Credits of the supervising call of a build (D43). */
export const SUPERVISE_PRICE = 5;

/** The price list, by operation. */
export const PRICES: readonly Price[] = [
  {
    operation: 'accountBuilds.check',
    unit: 'page',
    ...PAGE_PRICE,
    free: 'A check that could not look.',
  },
  {
    operation: 'cloudBuilds.start',
    unit: 'page',
    ...PAGE_PRICE,
    free: 'A discovery and a build cost the pages that they ask for; the supervising call is 5, a step of a model 1.',
  },
  { operation: 'crawls.start', unit: 'page', ...PAGE_PRICE, free: 'Pages that failed, were skipped, or are taken from an earlier crawl.' },
  { operation: 'mcp.map', unit: 'map', http: MAP_PRICE, free: 'A map that finds nothing.' },
  { operation: 'published.call', unit: 'call', ...PAGE_PRICE, free: 'A run that failed.' },
  { operation: 'scrape.page', unit: 'page', ...PAGE_PRICE, free: 'A page that could not be had.' },
  {
    operation: 'targets.run',
    unit: 'check',
    ...PAGE_PRICE,
    free: 'A check that could not look.',
  },
];
