// Crawls of the cloud: started, polled (D26), and paid by the page (D43); and the jobs of an account.
import { z } from 'zod';
import { CrawlCounts, crawlOptionFields, crawlReadQuery } from '../groups/crawl/crawl.ts';
import { PageRecord } from '../groups/crawl/page.ts';
import { RunFailure } from '../groups/runs/run.ts';
import { instant, listQuery } from '../ids.ts';
import type { OperationGroup } from '../operation.ts';
import { json, list, none } from '../replies.ts';
import { pictureLinks } from './scrape.ts';

// There is nobody to act as.
const { persona_id: _persona, ...optionFields } = crawlOptionFields;

/** Pages of a crawl that says no limit. */
export const CLOUD_CRAWL_PAGES = 10_000;

/** The body of `POST /api/crawl`: the options of a crawl (D27), and what it may cost. */
export const StartCloudCrawl = z
  .strictObject({
    ...optionFields,
    limit: optionFields.limit.describe(`How many pages at most; ${CLOUD_CRAWL_PAGES} unless said.`),
    max_credits: z.int().min(1).max(1_000_000_000).optional().describe('What it may cost at most; it ends where that is spent.'),
  })
  .meta({ id: 'StartCloudCrawl' });
export type StartCloudCrawl = z.infer<typeof StartCloudCrawl>;

const jobFields = {
  id: z.string().describe('`crl_` and a random part.'),
  status: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']),
  url: z.string(),
  counts: CrawlCounts,
  credits: z
    .strictObject({
      charged: z.int().min(0),
      budget: z.int().min(0).describe('Held for it when it began; the rest comes back when it ends.'),
    })
    .describe('1 for a page over HTTP, 2 for one that a browser rendered, none for one that was reused.'),
  clamped: z
    .strictObject({ limit: z.int().min(1).describe('Pages that it ends with.'), by: z.enum(['balance', 'max_credits']) })
    .optional()
    .describe('The credits do not reach for as many pages as were asked for.'),
  lane_limited: z
    .literal(true)
    .optional()
    .describe('The credits did not reach for the browser that a page needs; it is what came over HTTP.'),
  failure: RunFailure.optional(),
  created_at: instant,
  finished_at: instant.optional(),
};

const CloudPage = PageRecord.extend(pictureLinks).meta({ id: 'CloudPage' });

const CloudCrawl = z
  .strictObject({
    ...jobFields,
    data: z.array(CloudPage).describe('Pages in the order in which they were kept.'),
    next_cursor: z.string().optional().describe('Send as `cursor` for the pages that follow; absent at the end.'),
  })
  .meta({ id: 'CloudCrawl' });

const Job = z.strictObject({ kind: z.literal('crawl'), ...jobFields }).meta({ id: 'Job' });

const params = z.strictObject({ id: z.string().regex(/^crl_[A-Za-z0-9_-]{22}$/, 'must be the id of a crawl, `crl_...`') });

/** Crawls of a site, started and read. */
export const crawls = {
  start: {
    id: 'crawls.start',
    method: 'POST',
    path: '/api/crawl',
    summary: 'start a full-site crawl',
    scopes: ['run'],
    body: StartCloudCrawl,
    replies: { 202: json(CloudCrawl, 'It is queued; poll it under its id.') },
    errors: ['insufficient_credits', 'conflict'],
    idempotency: 'replay',
  },
  read: {
    id: 'crawls.read',
    method: 'GET',
    path: '/api/crawl/{id}',
    summary: 'poll a crawl',
    scopes: ['read'],
    params,
    query: crawlReadQuery,
    replies: { 200: json(CloudCrawl, 'The crawl with its counts and a part of its pages.') },
    errors: ['not_found'],
  },
} as const satisfies OperationGroup;

/** The crawls of an account, to be looked after. */
export const jobs = {
  list: {
    id: 'jobs.list',
    method: 'GET',
    path: '/api/account/jobs',
    summary: 'list what the account has started',
    scopes: ['read'],
    query: z.strictObject(listQuery),
    replies: { 200: list(Job, 'Newest first.') },
  },
  cancel: {
    id: 'jobs.cancel',
    method: 'POST',
    path: '/api/account/jobs/{id}/cancel',
    summary: 'cancel a job',
    scopes: ['run'],
    params,
    replies: { 200: json(Job, 'It is cancelled; what it held is given back.'), 409: json(Job, 'It had already settled; it is unchanged.') },
    errors: ['not_found'],
  },
  delete: {
    id: 'jobs.delete',
    method: 'DELETE',
    path: '/api/account/jobs/{id}',
    summary: 'delete a job and its results',
    scopes: ['admin'],
    params,
    replies: { 204: none('Gone, cancelled first where it still ran.') },
    errors: ['not_found'],
  },
} as const satisfies OperationGroup;
