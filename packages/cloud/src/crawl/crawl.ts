// Crawls of accounts: made with the credits that they may spend, read page by page, cancelled, deleted.
import { randomBytes } from 'node:crypto';
import { AppError, CLOUD_CRAWL_PAGES, LIMITS } from '@weft/contract';
import type { AccountTable, CloudTable, Input, ReplyOf, StartCloudCrawl } from '@weft/contract';
import type { Credits } from '../credits/credits.ts';
import { PAGE_PRICE } from '../credits/prices.ts';
import type { Database } from '../db/queries.ts';
import { CRAWL_OPERATION } from './crawl-row.ts';
import type { CrawlRow, Job } from './crawl-row.ts';
import { endCrawl, lockCrawl } from './ending.ts';
import type { Pictures } from '../pictures/picture.ts';
import { readPages } from './read-pages.ts';
import { toFields, toJob, withParts } from './shown.ts';
import type { Tell } from '../webhooks/outbox.ts';

type CloudCrawl = ReplyOf<CloudTable['crawls']['read']>['body'];
type ReadQuery = Input<CloudTable['crawls']['read']>['query'];
type Page = Input<AccountTable['jobs']['list']>['query'];

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

/** What crawls need beside rows and credits. */
export interface CrawlPorts {
  readonly pictures: Pick<Pictures, 'linked'>;
  /** The call that a crawl comes from, for traces. */
  traceOf?(): string | undefined;
  /** Told where one is cancelled; nobody is unless said. */
  readonly tell?: Tell;
}

export function createCrawls(
  database: Database,
  credits: Credits,
  { pictures, traceOf, tell = async () => undefined }: CrawlPorts,
): Crawls {
  const { rows, find, transaction } = database;

  const require = async (accountId: string, id: string): Promise<CrawlRow> => {
    const row = await find<CrawlRow>('SELECT * FROM crawl WHERE id = $1 AND account_id = $2 AND parent IS NULL', [id, accountId]);
    const [counted] = row ? await withParts(database, accountId, [row]) : [];
    if (!counted) throw new AppError('not_found', `There is no crawl "${id}".`);
    return counted;
  };

  /** Ends a live crawl, whoever works on it: what is pending stays undone, and what it held is given back. */
  const stop = async (accountId: string, id: string): Promise<boolean> => {
    // The job first, as whoever works on it does.
    const live = await rows(
      'DELETE FROM crawl_job WHERE crawl_id = $1 AND account_id = $2 AND EXISTS (SELECT 1 FROM crawl WHERE id = $1 AND parent IS NULL) RETURNING 1',
      [id, accountId],
    );
    if (live.length === 0) return false;
    await endCrawl({ database, credits, tell }, await require(accountId, id), { status: 'cancelled' });
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
        await rows(
          'INSERT INTO crawl (id, account_id, url, options, hold_id, budget, pages_max, trace) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
          [id, accountId, url, kept, hold.id, amount, Math.min(limit, Math.floor(amount / least)), traceOf?.()],
        );
        await rows('INSERT INTO crawl_job (crawl_id, account_id) VALUES ($1, $2)', [id, accountId]);
        return id;
      }),
    async read(accountId, id, { limit = LIMITS.listLimitDefault, cursor }) {
      const row = await require(accountId, id);
      const { data, next } = await readPages(database, row, limit, cursor);
      const pages = data.map((page) => pictures.linked(accountId, page));
      return { ...toFields(row), data: pages, ...(next === undefined ? {} : { next_cursor: next }) };
    },
    async list(accountId, { limit = LIMITS.listLimitDefault, offset = 0 }) {
      const data = await rows<CrawlRow>(
        'SELECT * FROM crawl WHERE account_id = $1 AND parent IS NULL ORDER BY number DESC LIMIT $2 OFFSET $3',
        [accountId, limit, offset],
      );
      const all = await find<{ total: number }>('SELECT count(*) AS total FROM crawl WHERE account_id = $1 AND parent IS NULL', [
        accountId,
      ]);
      return { data: (await withParts(database, accountId, data)).map(toJob), total: all?.total ?? 0 };
    },
    cancel: (accountId, id) =>
      transaction(async () => {
        const hasRun = await stop(accountId, id);
        return { hasRun, job: toJob(await require(accountId, id)) };
      }),
    delete: (accountId, id) =>
      transaction(async () => {
        await stop(accountId, id);
        await lockCrawl(database, accountId, id);
        const gone = await rows('DELETE FROM crawl WHERE id = $1 AND account_id = $2 AND parent IS NULL RETURNING 1', [id, accountId]);
        if (gone.length === 0) throw new AppError('not_found', `There is no job "${id}".`);
      }),
    async prune() {
      await rows(
        `DELETE FROM crawl c USING account a WHERE a.id = c.account_id AND c.finished_at < now() - a.retention_days * interval '1 day'`,
      );
    },
  };
}
