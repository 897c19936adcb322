// Crawls: their options (D27), their ledger in numbers (D28), and how they read (D26).
import { z } from 'zod';
import { WEB_URL_WIRE, instant, integerText, slug, webUrl } from '../../ids.ts';
import { LIMITS } from '../../limits.ts';
import { patchOf } from '../../patch.ts';
import { PageFormat, PageRecord } from './page.ts';
import { RunFailure, RunStatus } from '../runs/run.ts';
import { proxy, send } from './send.ts';

/** How a page is fetched: over HTTP, in a browser, or in whichever it needs. */
export const LaneChoice = z.enum(['auto', 'http', 'browser']);
export type LaneChoice = z.infer<typeof LaneChoice>;

/** What becomes of a site's sitemaps: beside its links, not at all, or alone. */
export const SitemapUse = z.enum(['include', 'skip', 'only']);
export type SitemapUse = z.infer<typeof SitemapUse>;

const pathFilter = z.string().min(1).max(500);

/** The options of a crawl, for every body that holds them (D27). */
export const crawlOptionFields = {
  url: webUrl.describe('Where the crawl begins.'),
  limit: z.int().min(1).max(LIMITS.crawlPagesMax).optional().describe('How many pages at most; 1 makes it a scrape.'),
  max_depth: z.int().min(0).max(1000).optional().describe('Links away from the start; pagination uses none.'),
  include_paths: z
    .array(pathFilter)
    .max(200)
    .optional()
    .describe(
      'Globs over the path, or `regex:` and an expression that is searched for in path and query; with a scheme, over the whole address.',
    ),
  exclude_paths: z.array(pathFilter).max(200).optional().describe('As `include_paths`, and stronger.'),
  sitemap: SitemapUse.optional(),
  allow_subdomains: z.boolean().optional(),
  allow_external_links: z.boolean().optional(),
  crawl_entire_domain: z
    .boolean()
    .optional()
    .describe(
      'Also what lies outside the folder of the start: `/wiki/` for `/wiki/Main_Page`, `/docs/` for a `/docs` that leads below itself.',
    ),
  ignore_query_parameters: z.boolean().optional(),
  delay_ms: z.int().min(0).max(600_000).optional(),
  max_concurrency: z.int().min(1).max(100).optional(),
  formats: z.array(PageFormat).max(20).optional().describe('What to keep of each page; `markdown` and `metadata` unless said.'),
  only_main_content: z.boolean().optional().describe('True unless said.'),
  include_hidden: z
    .boolean()
    .optional()
    .describe('Also reads what a page hides: closed details and dialogs, folded panels, what `aria-hidden` mutes. False unless said.'),
  page_max_age: z.int().min(0).max(31_536_000).optional().describe('Seconds for which a page that was already fetched is reused.'),
  lane: LaneChoice.optional(),
  wait_for: z.enum(['load', 'domcontentloaded', 'networkidle']).optional().describe('When a page in the browser is ready to be read.'),
  wait_for_selector: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('A selector of any kind that points at elements. Waits in the browser until it appears; a page without it fails.'),
  wait_ms: z.int().min(0).max(30_000).optional().describe('Waits in the browser, after everything else.'),
  screenshot: z.enum(['viewport', 'full']).optional().describe('Keeps a picture of each page as a file.'),
  pdf: z.boolean().optional().describe('Keeps each page as a PDF file.'),
  follow_actions: z.boolean().optional().describe('Also asks for links that sign out, delete, vote or change anything else.'),
  all_views: z
    .boolean()
    .optional()
    .describe('Also asks for kinds of views (`action=history`) that brought nothing new so far, or that their pages want in no index.'),
  obey_nofollow: z.boolean().optional().describe('Leaves out what pages link to as `nofollow` alone.'),
  proxy,
  persona_id: z
    .int()
    .min(1)
    .optional()
    .describe('Whom the crawl acts as: with its session, by its proxy, in its language. Needs the admin scope.'),
  respect_robots: z
    .boolean()
    .optional()
    .describe('True unless said, and where the crawl acts as a persona false unless said; to say false needs the admin scope.'),
};

/** The options of a crawl as a saved definition keeps them. */
export const CrawlOptions = z.strictObject(crawlOptionFields).meta({ id: 'CrawlOptions' });
export type CrawlOptions = z.infer<typeof CrawlOptions>;

const waitFields = {
  wait: z.boolean().optional().describe('Answer when the crawl is settled.'),
  timeout: z.int().min(LIMITS.waitSecondsMin).max(LIMITS.waitSecondsMax).optional().describe('Seconds that `wait` waits.'),
};

/** The body of `POST /v1/crawl`: the options, and whether to wait. */
export const StartCrawl = z.strictObject({ ...crawlOptionFields, send, ...waitFields }).meta({ id: 'StartCrawl' });
export type StartCrawl = z.infer<typeof StartCrawl>;

/** The ledger of a crawl in numbers (D28). */
export const CrawlCounts = z
  .strictObject({
    discovered: z.int().min(0),
    fetched: z.int().min(0),
    reused: z.int().min(0),
    failed: z.int().min(0),
    skipped: z.int().min(0),
    pending: z.int().min(0),
  })
  .describe('discovered = fetched + reused + failed + skipped + pending, always.')
  .meta({ id: 'CrawlCounts' });
export type CrawlCounts = z.infer<typeof CrawlCounts>;

const crawlFields = {
  id: z.int().describe('The row id of its run.'),
  status: RunStatus,
  url: z.string(),
  counts: CrawlCounts,
  dataset_id: z.int().describe('0 where there is none: nothing was collected, or it was deleted.'),
  failure: RunFailure.optional(),
  created_at: instant,
  finished_at: instant.optional(),
};

/** A crawl in a list: its options instead of its pages. */
export const CrawlSummary = z.strictObject({ ...crawlFields, options: z.record(z.string(), z.unknown()) }).meta({ id: 'CrawlSummary' });
export type CrawlSummary = z.infer<typeof CrawlSummary>;

/** A rule that kept most of a site out of a crawl. */
export const CrawlHold = z
  .strictObject({
    reason: z.string().describe('As in the ledger.'),
    count: z.int().min(1).describe('Addresses that it kept out.'),
    says: z.string().describe('The same in words.'),
    rule: z.string().optional().describe('What decided about the first of them.'),
    example: z.string().describe('The first of them.'),
    option: z
      .enum([
        'crawl_entire_domain',
        'allow_subdomains',
        'allow_external_links',
        'include_paths',
        'exclude_paths',
        'respect_robots',
        'max_depth',
      ])
      .describe('The option that lets them in.'),
    value: z
      .union([z.boolean(), z.array(z.string())])
      .optional()
      .describe('What it would have to be, where that is known.'),
  })
  .meta({ id: 'CrawlHold' });
export type CrawlHold = z.infer<typeof CrawlHold>;

/** A crawl with a slice of its pages (D26). */
export const Crawl = z
  .strictObject({
    ...crawlFields,
    reused: z.literal(true).optional().describe('Nothing was loaded: an earlier run of the saved crawl is recent enough.'),
    held_by: z.array(CrawlHold).optional().describe('Of a settled crawl that kept next to nothing: the rules that kept the rest out.'),
    data: z.array(PageRecord).describe('Pages in the order in which they were kept.'),
    next_cursor: z.string().optional().describe('Send as `cursor` for the pages that follow; absent at the end.'),
  })
  .meta({ id: 'Crawl' });
export type Crawl = z.infer<typeof Crawl>;

/** Which slice of its pages a crawl is read with. */
export const crawlReadQuery = z.strictObject({
  limit: integerText(1, LIMITS.listLimitMax).optional(),
  cursor: z.string().max(200).optional(),
});

const definitionName = z.string().min(1).max(200).describe('For people; host and path of the address unless said.');

/** The body that saves a crawl: the options of a crawl, and what to call it. */
export const NewCrawlDefinition = z
  .strictObject({
    slug: slug.optional().describe('Made from the name unless said.'),
    name: definitionName.optional(),
    ...crawlOptionFields,
  })
  .meta({ id: 'CreateCrawlDefinition' });
export type NewCrawlDefinition = z.infer<typeof NewCrawlDefinition>;

/** A merge patch of a saved crawl (RFC 7396): members that are sent replace, null removes all but `url`, lists are replaced whole. */
export const CrawlDefinitionPatch = z
  .strictObject({ ...patchOf(NewCrawlDefinition.shape), url: z.nullable(webUrl).meta({ wire: WEB_URL_WIRE }).optional() })
  .meta({ id: 'CrawlDefinitionPatch' });
export type CrawlDefinitionPatch = z.infer<typeof CrawlDefinitionPatch>;

/** A saved crawl. Its runs are crawls; what all of them collected is one dataset. */
export const CrawlDefinition = z
  .strictObject({
    id: z.int(),
    slug: z.string(),
    name: z.string(),
    ...crawlOptionFields,
    dataset_id: z.int(),
    last_run: z.strictObject({ id: z.int(), status: RunStatus, finished_at: instant.optional() }).optional().describe('The newest run.'),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'CrawlDefinition' });
export type CrawlDefinition = z.infer<typeof CrawlDefinition>;

/** The body that runs a saved crawl (D29). */
export const RunCrawlDefinition = z
  .strictObject({
    max_age: z
      .int()
      .min(0)
      .max(31_536_000)
      .optional()
      .describe('Seconds: an earlier successful run with the same options that finished no longer ago answers instead of a new one.'),
    ...waitFields,
  })
  .meta({ id: 'RunCrawlDefinition' });
export type RunCrawlDefinition = z.infer<typeof RunCrawlDefinition>;

/** How an address of a crawl ended, or `pending`. */
export const CrawlOutcome = z.enum(['pending', 'fetched', 'reused', 'failed', 'skipped']);
export type CrawlOutcome = z.infer<typeof CrawlOutcome>;

/** What became of one address that a crawl discovered (D28). */
export const LedgerLine = z
  .strictObject({
    url: z.string(),
    outcome: CrawlOutcome,
    reason: z.string().optional().describe('Why it was skipped or failed, in a word.'),
    rule: z.string().optional().describe('What decided: a pattern, a line of robots.txt, an option, an address.'),
    parent: z.string().optional().describe('Where it was found.'),
    source: z.enum(['seed', 'link', 'pagination', 'sitemap', 'canonical', 'redirect']),
    depth: z.int().min(0),
    status: z.int().optional().describe('The HTTP status, where there was an answer.'),
    final_url: z.string().optional().describe('Where it answered, when that is another address.'),
  })
  .meta({ id: 'LedgerLine' });
export type LedgerLine = z.infer<typeof LedgerLine>;

/** How many addresses ended one way. */
export const LedgerReason = z
  .strictObject({ outcome: CrawlOutcome, reason: z.string().optional(), count: z.int().min(1) })
  .meta({ id: 'LedgerReason' });
export type LedgerReason = z.infer<typeof LedgerReason>;

/** What a crawl with certain options would do with one address, and which rule decides. */
export const UrlExplanation = z
  .strictObject({
    url: z.string(),
    fetched: z.boolean(),
    reason: z.string().optional().describe('Why it would be skipped, in a word.'),
    rule: z.string().optional().describe('What decides, or lets it in.'),
    robots_line: z.int().optional().describe('The line of robots.txt that decides.'),
    robots_age: z.int().min(0).optional().describe('Seconds since robots.txt was read; a crawl reads it again when it starts.'),
  })
  .meta({ id: 'UrlExplanation' });
export type UrlExplanation = z.infer<typeof UrlExplanation>;
