// Works on one crawl for as long as its claim holds: the engine's loop on the rows of PostgreSQL, and every page paid in the transaction that keeps it.
import type { RunFailure } from '@weft/contract';
import { PageError, StaleOwnerError, failureOfPage, workCrawlByRules } from '@weft/engine';
import type { AskingPorts, Fetcher, KeptPage, ViewReader } from '@weft/engine';
import { createCookieStore } from '@weft/engine/io';
import { PAGE_PRICE } from '../credits/prices.ts';
import type { Credits } from '../credits/credits.ts';
import type { Database } from '../db/queries.ts';
import { CRAWL_OPERATION } from './crawl.ts';
import type { CrawlRow } from './crawl.ts';
import { openFrontier } from './frontier.ts';
import type { Claim, CrawlJobs } from './jobs.ts';
import type { KeptResult } from './ledger-change.ts';
import { keepPages, pageCopiesOf } from './pages.ts';

export interface CrawlWorkerPorts extends AskingPorts {
  readonly database: Database;
  readonly credits: Credits;
  readonly jobs: CrawlJobs;
  readonly views: ViewReader;
}

/** Nothing else waits for the place of a crawl: a process claims as many as it can work on. */
const PLACE = { rest: () => undefined, work: () => undefined, hear: () => undefined };

/** Crawls to the end. Its failure is a result; throws StaleOwnerError where the claim was lost, and what the database throws. */
export async function workOn(claim: Claim, ports: CrawlWorkerPorts, signal: AbortSignal): Promise<RunFailure | undefined> {
  const { database, jobs } = ports;
  const { crawl } = claim;
  const { max_credits: _, ...options } = crawl.options;
  const store = openFrontier<KeptPage>(database, crawl.number, {
    async mayOpen() {
      if (!(await jobs.holds(claim))) throw new StaleOwnerError();
    },
    keep: (kept) => keep(kept, crawl, ports),
  });
  const work = {
    ...ports,
    store,
    fetcher: payingFetcher(crawl, ports),
    copies: options.page_max_age === undefined ? undefined : pageCopiesOf(database, crawl.account_id),
    keepFile: refuseFile,
    acting: {},
    actingValues: { secrets: [], names: [] },
    cookies: createCookieStore(),
    place: PLACE,
    tell: async () => undefined,
    failureOf,
  };
  return await workCrawlByRules({ ...options, limit: crawl.pages_max }, work, signal);
}

/** Part of the frontier's own transaction. */
async function keep(kept: readonly KeptResult<KeptPage>[], crawl: CrawlRow, { database, credits }: CrawlWorkerPorts): Promise<void> {
  const { number, account_id: accountId, hold_id: id, url: about } = crawl;
  await keepPages(database, { crawl: number, accountId }, kept);
  const fetched = kept.filter(({ outcome }) => outcome === 'fetched');
  const charges = fetched.map(({ result: { record } }) => ({ about: record.url, amount: PAGE_PRICE[record.lane] }));
  const charged = await credits.charge({ id, accountId, operation: CRAWL_OPERATION, about }, charges);
  if (charged > 0) await database.rows('UPDATE crawl SET charged = charged + $2 WHERE number = $1', [number, charged]);
}

/** A browser is used for a page of lane `auto` while the budget has more than a credit for each page that may still come. */
function payingFetcher(crawl: CrawlRow, { database, fetcher }: CrawlWorkerPorts): Pick<Fetcher, 'fetch'> {
  const { lane = 'auto' } = crawl.options;
  if (lane !== 'auto') return fetcher;
  const pagesLeft = crawl.pages_max - crawl.fetched - crawl.reused;
  let browsersLeft = crawl.budget - crawl.charged - pagesLeft * PAGE_PRICE.http;
  let isTold = crawl.is_lane_limited;
  const beforeBrowser = async () => {
    if (browsersLeft >= PAGE_PRICE.browser - PAGE_PRICE.http) {
      browsersLeft -= PAGE_PRICE.browser - PAGE_PRICE.http;
      return true;
    }
    if (!isTold) await database.rows('UPDATE crawl SET is_lane_limited = true WHERE number = $1', [crawl.number]);
    isTold = true;
    return false;
  };
  return { fetch: (request, signal) => fetcher.fetch({ ...request, beforeBrowser }, signal) };
}

function failureOf(error: unknown): RunFailure {
  if (error instanceof PageError) return failureOfPage(error);
  return { code: 'internal', message: 'Something unexpected failed inside the cloud; its log has the details.' };
}

/** A crawl takes no pictures: there is no file that it could name. */
function refuseFile(): never {
  throw new Error('A crawl of the cloud keeps no files.');
}
