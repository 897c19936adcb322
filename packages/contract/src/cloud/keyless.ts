// The keyless tier (D44): a device id is the only identity, and its allowance is for a UTC day.
import { z } from 'zod';
import { crawlOptionFields } from '../groups/crawl/crawl.ts';
import { MapSite, MappedSite } from '../groups/map/extra-rows.ts';
import { instant } from '../ids.ts';
import type { OperationGroup } from '../operation.ts';
import { json } from '../replies.ts';
import { KeylessScrapePage, Scraped } from './scrape.ts';

/** The allowance of the tier, in pages. */
export const KEYLESS = { pagesPerDay: 50, pagesPerDayAndNetwork: 200, inFlightPerNetwork: 2 } as const;

const { search, limit } = MapSite.shape;

/** What a map of the cloud takes: a site, and words that rank its links. */
export const MapOfCloud = z
  .strictObject({ url: crawlOptionFields.url.describe('A page of the site.'), search, limit })
  .meta({ id: 'MapOfCloud' });

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
