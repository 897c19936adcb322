// The keyless tier (D44): a device id is the only identity, and its allowance is for a UTC day.
import { z } from 'zod';
import { CrawlCounts, crawlOptionFields } from '../groups/crawl/crawl.ts';
import { PageRecord } from '../groups/crawl/page.ts';
import { MapSite, MappedSite } from '../groups/map/extra-rows.ts';
import { RunFailure } from '../groups/runs/run.ts';
import { instant } from '../ids.ts';
import type { OperationGroup } from '../operation.ts';
import { json } from '../replies.ts';
import { KeylessScrapePage, Scraped } from './scrape.ts';

/** The allowance of the tier, in pages: of a device, of all behind one network, and of the host that they ask. */
export const KEYLESS = {
  pagesPerDay: 50,
  pagesPerDayAndNetwork: 200,
  inFlightPerNetwork: 2,
  pagesPerDayAndHost: 1000,
  inFlightPerHost: 4,
  crawlPages: 5,
  crawlPagesMax: 10,
  crawlSeconds: 60,
} as const;

const { search, limit } = MapSite.shape;

/** What a map of the cloud takes: a site, and words that rank its links. */
export const MapOfCloud = z
  .strictObject({ url: crawlOptionFields.url.describe('A page of the site.'), search, limit })
  .meta({ id: 'MapOfCloud' });

const reading = crawlOptionFields;

/** The body of `POST /v1/keyless/crawl`: a few public pages over HTTP, while the caller waits. */
export const KeylessCrawl = z
  .strictObject({
    url: reading.url,
    limit: z.int().min(1).max(KEYLESS.crawlPagesMax).optional().describe(`How many pages at most; ${KEYLESS.crawlPages} unless said.`),
    max_depth: reading.max_depth,
    include_paths: reading.include_paths,
    exclude_paths: reading.exclude_paths,
    sitemap: reading.sitemap,
    allow_subdomains: reading.allow_subdomains,
    crawl_entire_domain: reading.crawl_entire_domain,
    ignore_query_parameters: reading.ignore_query_parameters,
    formats: reading.formats,
    only_main_content: reading.only_main_content,
    include_hidden: reading.include_hidden,
  })
  .meta({ id: 'KeylessCrawl' });
export type KeylessCrawl = z.infer<typeof KeylessCrawl>;

const KeylessCrawled = z
  .strictObject({
    url: z.string(),
    data: z.array(PageRecord).describe('Pages in the order in which they were read.'),
    count: z.int().min(0).describe('Length of `data`: what it took of the allowance.'),
    counts: CrawlCounts,
    complete: z.boolean().describe('False where the limit, the allowance or the time left pages unread.'),
    failure: RunFailure.optional().describe('Why there is no page.'),
  })
  .meta({ id: 'KeylessCrawled' });

const KeylessQuota = z
  .strictObject({
    limit: z.int().min(0).describe('Pages of a day.'),
    remaining: z.int().min(0).describe('Of them, what is left to this device from where it calls.'),
    reset_at: instant.describe('When the day ends.'),
  })
  .meta({ id: 'KeylessQuota' });

const device = ['keyless'] as const;

/** What a device may ask for. */
export const keyless = {
  scrape: {
    id: 'keyless.scrape',
    method: 'POST',
    path: '/v1/keyless/scrape',
    summary: 'scrape one page (keyless)',
    scopes: ['run'],
    credentials: device,
    body: KeylessScrapePage,
    replies: { 200: json(Scraped, 'The page, or why it could not be had.') },
    errors: ['captcha_required', 'keyless_rate_limited'],
  },
  crawl: {
    id: 'keyless.crawl',
    method: 'POST',
    path: '/v1/keyless/crawl',
    summary: 'crawl a few pages (keyless)',
    scopes: ['run'],
    credentials: device,
    body: KeylessCrawl,
    replies: { 200: json(KeylessCrawled, `What was read within ${KEYLESS.crawlSeconds} seconds.`) },
    errors: ['keyless_rate_limited'],
  },
  map: {
    id: 'keyless.map',
    method: 'POST',
    path: '/v1/keyless/map',
    summary: 'map the URLs of a site (keyless)',
    scopes: ['run'],
    credentials: device,
    body: MapOfCloud,
    replies: { 200: json(MappedSite, 'What was found; a site that can not be reached has a `failure`.') },
    errors: ['keyless_rate_limited'],
  },
  quota: {
    id: 'keyless.quota',
    method: 'GET',
    path: '/v1/keyless/quota',
    summary: 'remaining keyless allowance',
    scopes: ['run'],
    credentials: device,
    replies: { 200: json(KeylessQuota, 'What is left, and until when.') },
  },
} as const satisfies OperationGroup;
