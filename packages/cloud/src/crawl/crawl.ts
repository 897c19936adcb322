// Crawls of accounts: made with the credits that they may spend, read page by page, cancelled, deleted.
import { randomBytes } from 'node:crypto';
import { AppError, CLOUD_CRAWL_PAGES, LIMITS } from '@weft/contract';
import type { AccountTable, CloudTable, Input, PageRecord, ReplyOf, StartCloudCrawl } from '@weft/contract';
import type { CrawlCounts } from '@weft/engine';
import type { Credits } from '../credits/credits.ts';
import { PAGE_PRICE } from '../credits/prices.ts';
import type { Database } from '../db/queries.ts';
import { NOTHING } from './frontier.ts';
import { ledgerSql } from './ledger-sql.ts';

type CloudCrawl = ReplyOf<CloudTable['crawls']['read']>['body'];
type ReadQuery = Input<CloudTable['crawls']['read']>['query'];
type Job = ReplyOf<AccountTable['jobs']['list']>['body']['data'][number];
type Page = Input<AccountTable['jobs']['list']>['query'];

/** A crawl as it is stored, for those who work on it. */
export interface CrawlRow extends CrawlCounts {
  readonly id: string;
  readonly number: number;
  readonly account_id: string;
  readonly url: string;
  readonly options: StartCloudCrawl;
  readonly status: Job['status'];
  readonly failure: Job['failure'] | null;
  readonly created_at: Date;
  readonly finished_at: Date | null;
  readonly hold_id: string;
  readonly budget: number;
  readonly charged: number;
  readonly pages_max: number;
  readonly is_lane_limited: boolean;
}

export interface Crawls {
  /** Reserves what it may cost and queues it; its id. Throws AppError `insufficient_credits`, and `bad_request` for too few `max_credits`. */
  start(accountId: string, asked: StartCloudCrawl): Promise<string>;
  /** Throws AppError `not_found`. */
  read(accountId: string, id: string, query: ReadQuery): Promise<CloudCrawl>;
  list(accountId: string, page: Page): Promise<{ readonly data: Job[]; readonly total: number }>;
  /** Whether it still ran, and what it is now. Throws AppError `not_found`. */
  cancel(accountId: string, id: string): Promise<{ readonly hasRun: boolean; readonly job: Job }>;
  /** Deletes a crawl with its pages. Throws AppError `not_found`. */
  delete(accountId: string, id: string): Promise<void>;
  /** Deletes what is past its time. */
  prune(): Promise<void>;
}

/** What the credits of a crawl are reserved for. */
export const CRAWL_OPERATION = 'crawls.start';
const RETENTION_DAYS = 30;

export function createCrawls(database: Database, credits: Credits): Crawls {
  const { rows, find, transaction } = database;

  const require = async (accountId: string, id: string): Promise<CrawlRow> => {
    const row = await find<CrawlRow>('SELECT * FROM crawl WHERE id = $1 AND account_id = $2', [id, accountId]);
    if (!row) throw new AppError('not_found', `There is no crawl "${id}".`);
    return row;
  };

  /** Ends a live crawl, whoever works on it: what is pending stays undone, and what it held is given back. */
  const stop = async (accountId: string, id: string): Promise<boolean> => {
    // The job first, as whoever works on it does.
    const live = await rows('DELETE FROM crawl_job WHERE crawl_id = $1 AND account_id = $2 RETURNING 1', [id, accountId]);
    if (live.length === 0) return false;
    const row = await find<CrawlRow>(
      `UPDATE crawl SET status = 'cancelled', finished_at = now(), owner = owner + 1 WHERE id = $1 RETURNING *`,
      [id],
    );
    if (!row) return false;
    const sql = ledgerSql(database, row.number);
    const closed = await sql.closePending('cancelled', undefined);
    await sql.addCounts({ ...NOTHING, pending: -closed, skipped: closed }, undefined);
    await credits.settle({ id: row.hold_id, accountId, operation: CRAWL_OPERATION, about: row.url }, 0);
    return true;
  };

  return {
    start: (accountId, { max_credits: maxCredits = Infinity, ...options }) =>
      transaction(async () => {
        const { url, limit = CLOUD_CRAWL_PAGES, lane } = options;
        const least = lane === 'browser' ? PAGE_PRICE.browser : PAGE_PRICE.http;
        const most = lane === 'http' ? PAGE_PRICE.http : PAGE_PRICE.browser;
        if (maxCredits < least)
          throw new AppError('bad_request', `max_credits is ${maxCredits}; a page of lane "${lane}" costs ${least}: send at least that.`);
        const purpose = { accountId, operation: CRAWL_OPERATION, about: url };
        const { hold, amount } = await credits.reserveUpTo(purpose, { least, most: Math.min(limit * most, maxCredits) });
        const id = `crl_${randomBytes(16).toString('base64url')}`;
        const kept = JSON.stringify({ ...options, limit, ...(maxCredits === Infinity ? {} : { max_credits: maxCredits }) });
        await rows('INSERT INTO crawl (id, account_id, url, options, hold_id, budget, pages_max) VALUES ($1, $2, $3, $4, $5, $6, $7)', [
          id,
          accountId,
          url,
          kept,
          hold.id,
          amount,
          Math.min(limit, Math.floor(amount / least)),
        ]);
        await rows('INSERT INTO crawl_job (crawl_id, account_id) VALUES ($1, $2)', [id, accountId]);
        return id;
      }),
    async read(accountId, id, { limit = LIMITS.listLimitDefault, cursor }) {
      const row = await require(accountId, id);
      const pages = await rows<{ id: number; record: PageRecord }>(
        'SELECT id, record FROM crawl_page WHERE crawl = $1 AND account_id = $2 AND id > $3 ORDER BY id LIMIT $4',
        [row.number, accountId, parseCursor(cursor), limit + 1],
      );
      const shown = pages.slice(0, limit);
      const last = pages.length > limit ? shown.at(-1) : undefined;
      return { ...toFields(row), data: shown.map(({ record }) => record), ...(last ? { next_cursor: String(last.id) } : {}) };
    },
    async list(accountId, { limit = LIMITS.listLimitDefault, offset = 0 }) {
      const data = await rows<CrawlRow>('SELECT * FROM crawl WHERE account_id = $1 ORDER BY number DESC LIMIT $2 OFFSET $3', [
        accountId,
        limit,
        offset,
      ]);
      const all = await find<{ total: number }>('SELECT count(*) AS total FROM crawl WHERE account_id = $1', [accountId]);
      return { data: data.map(toJob), total: all?.total ?? 0 };
    },
    cancel: (accountId, id) =>
      transaction(async () => {
        const hasRun = await stop(accountId, id);
        return { hasRun, job: toJob(await require(accountId, id)) };
      }),
    delete: (accountId, id) =>
      transaction(async () => {
        await stop(accountId, id);
        const gone = await rows('DELETE FROM crawl WHERE id = $1 AND account_id = $2 RETURNING 1', [id, accountId]);
        if (gone.length === 0) throw new AppError('not_found', `There is no job "${id}".`);
      }),
    async prune() {
      await rows(`DELETE FROM crawl WHERE finished_at < now() - $1 * interval '1 day'`, [RETENTION_DAYS]);
    },
  };
}

/** The page that a cursor stands for; 0 without one. Throws AppError `bad_request`. */
function parseCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^[1-9]\d{0,14}$/.test(cursor))
    throw new AppError('bad_request', 'The cursor is not one that this crawl gave; leave it out to begin anew.');
  return Number(cursor);
}

function toJob(row: CrawlRow): Job {
  return { kind: 'crawl', ...toFields(row) };
}

function toFields(row: CrawlRow): Omit<Job, 'kind'> {
  const { id, status, url, options, budget, charged, pages_max, is_lane_limited, failure, created_at, finished_at } = row;
  const { discovered, fetched, reused, failed, skipped, pending } = row;
  const isClamped = pages_max < (options.limit ?? CLOUD_CRAWL_PAGES);
  const by = options.max_credits === budget ? ('max_credits' as const) : ('balance' as const);
  return {
    id,
    status,
    url,
    counts: { discovered, fetched, reused, failed, skipped, pending },
    credits: { charged, budget },
    ...(isClamped ? { clamped: { limit: pages_max, by } } : {}),
    ...(is_lane_limited ? { lane_limited: true as const } : {}),
    ...(failure ? { failure } : {}),
    created_at: created_at.toISOString(),
    ...(finished_at ? { finished_at: finished_at.toISOString() } : {}),
  };
}
