// One page, asked for and answered at once: with a key, and keyless.
import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { json } from '../replies.ts';
import type { OperationGroup } from '../operation.ts';
import { crawlOptionFields } from '../groups/crawl/crawl.ts';
import { PageRecord } from '../groups/crawl/page.ts';
import { RunFailure } from '../groups/runs/run.ts';

const { url, formats, only_main_content, include_hidden, lane, wait_for, wait_for_selector, wait_ms, screenshot, pdf } = crawlOptionFields;

/** Pictures of a page as the cloud hands them out. */
export const pictureLinks = {
  screenshot: z.string().optional().describe('A link to the PNG that holds for an hour; the page is read again for a new one.'),
  pdf: z.string().optional().describe('A link to the PDF, as `screenshot`.'),
};

/** Seconds that a scrape may take (D45). */
export const SCRAPE_SECONDS = { default: 60, max: 300 } as const;

const reading = { url, formats, only_main_content, include_hidden };

/** The body of `POST /api/crawl/scrape`. */
export const ScrapePage = z
  .strictObject({
    ...reading,
    url: url.describe('The page.'),
    lane,
    wait_for,
    wait_for_selector,
    wait_ms,
    screenshot,
    pdf,
    respect_robots: z.boolean().optional().describe('True unless said. Send false only for a site that you may automate.'),
    timeout: z
      .int()
      .min(LIMITS.waitSecondsMin)
      .max(SCRAPE_SECONDS.max)
      .optional()
      .describe(`Seconds that it may take; ${SCRAPE_SECONDS.default} unless said.`),
  })
  .meta({ id: 'ScrapePage' });
export type ScrapePage = z.infer<typeof ScrapePage>;

/** The body of `POST /v1/keyless/scrape`: a public page over HTTP, as anybody would be given it (D44). */
export const KeylessScrapePage = z.strictObject({ ...reading, url: url.describe('The page.') }).meta({ id: 'KeylessScrapePage' });
export type KeylessScrapePage = z.infer<typeof KeylessScrapePage>;

/** A page, and what it cost. */
export const ScrapedPage = PageRecord.extend({
  ...pictureLinks,
  credits: z.int().min(0).describe('What was charged: 1 over HTTP, 2 where a browser rendered it.'),
  lane_limited: z.literal(true).optional().describe('The credits did not reach for the browser that the page needs.'),
}).meta({ id: 'ScrapedPage' });
export type ScrapedPage = z.infer<typeof ScrapedPage>;

/** A page that could not be had: nothing is charged for it. */
export const FailedScrape = z.strictObject({ url: z.string(), failure: RunFailure, credits: z.literal(0) }).meta({ id: 'FailedScrape' });
export type FailedScrape = z.infer<typeof FailedScrape>;

/** What a scrape answers. */
export const Scraped = z.union([ScrapedPage, FailedScrape]);
export type Scraped = z.infer<typeof Scraped>;

/** The metered scrape. */
export const scrape = {
  page: {
    id: 'scrape.page',
    method: 'POST',
    path: '/api/crawl/scrape',
    summary: 'scrape one page (metered)',
    scopes: ['run'],
    body: ScrapePage,
    replies: { 200: json(Scraped, 'The page, or why it could not be had.') },
    errors: ['captcha_required', 'insufficient_credits', 'conflict'],
    idempotency: 'replay',
  },
} as const satisfies OperationGroup;
