// Scrapes: a page for one who stays for it, and what it costs.
import { randomBytes } from 'node:crypto';
import { AppError, SCRAPE_SECONDS } from '@weft/contract';
import type { KeylessScrapePage, PageRecord, RunFailure, ScrapePage, Scraped } from '@weft/contract';
import { PageError, failureOfPage, scrapePage } from '@weft/engine';
import type { AskingPorts, FetchRequest, ScrapePorts, ViewReader } from '@weft/engine';
import { createCookieStore } from '@weft/engine/io';
import { PAGE_PRICE } from '../credits/prices.ts';
import { KEYLESS_ASKER, askingFor } from '../hosts/asker.ts';
import type { Asker } from '../hosts/asker.ts';
import type { Pictures } from '../pictures/picture.ts';
import type { Hold } from '../credits/books.ts';
import type { Credits } from '../credits/credits.ts';
import type { Database } from '../db/queries.ts';

/** What was had for a hold, before anything is charged. */
export interface Had {
  /** Under which its answer is kept. */
  readonly id: string;
  readonly hold: Hold;
  readonly page: PageRecord | { readonly failure: RunFailure };
  /** True where the page needs a browser that the credits did not reach for. */
  readonly isLimited: boolean;
}

export interface Scrapes {
  /** Reserves the price and asks for the page. Throws AppError `insufficient_credits`, and `captcha_required` (D20); nothing is held then. */
  fetch(accountId: string, asked: ScrapePage, signal: AbortSignal): Promise<Had>;
  /** Charges for the page and keeps the answer, in one transaction; its id. */
  keep(had: Had): Promise<string>;
  /** Gives back what was reserved. */
  discard(had: Had): void;
  /** The answer under an id. */
  answer(accountId: string, id: string): Promise<Scraped>;
  /** A public page over HTTP, for nobody's credits. Throws AppError `captcha_required`. */
  keyless(asked: KeylessScrapePage, signal: AbortSignal): Promise<Scraped>;
  /** Deletes the answers that are past their time. */
  prune(): Promise<void>;
}

const OPERATION = 'scrape.page';

/** What scrapes ask and keep with. */
export interface ScrapeNouns extends AskingPorts {
  readonly views: ViewReader;
  readonly pictures: Pick<Pictures, 'keep' | 'linked'>;
}

export function createScrapes(database: Database, credits: Credits, ports: ScrapeNouns): Scrapes {
  const { rows, find, transaction } = database;
  /** What was kept a moment ago and is not answered yet: nobody has to read it. */
  const fresh = new Map<string, { readonly accountId: string; readonly answer: Scraped }>();

  const scrape = async (
    asked: Omit<ScrapePage, 'timeout'>,
    asker: Asker,
    { keepFile = refuseFile, ...more }: Partial<FetchRequest> & Partial<Pick<ScrapePorts, 'keepFile'>>,
    ms: number,
    signal: AbortSignal,
  ) => {
    const ending = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
    const asking = askingFor(ports, asker);
    const fetcher: ScrapePorts['fetcher'] = { fetch: (request, own) => asking.fetcher.fetch({ ...request, ...more }, own) };
    try {
      return await scrapePage(asked, { ...asking, fetcher, cookies: createCookieStore(), keepFile }, ending);
    } catch (error) {
      if (!(error instanceof PageError)) throw error;
      if (error.code === 'captcha') throw new AppError('captcha_required', error.message);
      const isLate = ending.aborted && !signal.aborted;
      const late: RunFailure = { code: 'timeout', message: `${asked.url}: not finished within ${ms} ms.` };
      return { failure: isLate ? late : failureOfPage(error) };
    }
  };

  return {
    async fetch(accountId, { timeout = SCRAPE_SECONDS.default, ...asked }, signal) {
      const { url, lane } = asked;
      const hold = await credits.reserve(
        { accountId, operation: OPERATION, about: url },
        PAGE_PRICE[lane === 'browser' ? 'browser' : 'http'],
      );
      let isLimited = false;
      const beforeBrowser = async () => {
        const isPaid = await credits.topUp(hold, PAGE_PRICE.browser - PAGE_PRICE.http);
        isLimited = !isPaid;
        return isPaid;
      };
      try {
        const keepFile: ScrapePorts['keepFile'] = (file) => ports.pictures.keep({ accountId }, file);
        const more = lane === 'browser' ? {} : { beforeBrowser };
        const page = await scrape(asked, { tenant: accountId, isUrgent: true }, { ...more, keepFile }, timeout * 1000, signal);
        return { id: `scr_${randomBytes(16).toString('base64url')}`, hold, page, isLimited };
      } catch (error) {
        await credits.settle(hold, 0);
        throw error;
      }
    },
    keep: ({ id, hold, page, isLimited }) =>
      transaction(async () => {
        const charged = await credits.settle(hold, 'failure' in page ? 0 : PAGE_PRICE[page.lane]);
        const limited = isLimited ? { lane_limited: true as const } : {};
        const answer: Scraped = 'failure' in page ? { url: hold.about, ...page, credits: 0 } : { ...page, credits: charged, ...limited };
        await rows('INSERT INTO scrape (id, account_id, answer) VALUES ($1, $2, $3)', [id, hold.accountId, JSON.stringify(answer)]);
        fresh.set(id, { accountId: hold.accountId, answer });
        return id;
      }).catch((error: unknown) => {
        fresh.delete(id);
        throw error;
      }),
    discard({ id, hold }) {
      fresh.delete(id);
      // Where this fails, the hold ends with its time.
      void credits.settle(hold, 0).catch(() => undefined);
    },
    async answer(accountId, id) {
      const kept = fresh.get(id);
      fresh.delete(id);
      const shown = (answer: Scraped) => ('failure' in answer ? answer : ports.pictures.linked(accountId, answer));
      if (kept?.accountId === accountId) return shown(kept.answer);
      const row = await find<{ answer: Scraped }>('SELECT answer FROM scrape WHERE id = $1 AND account_id = $2', [id, accountId]);
      if (!row) throw new AppError('not_found', 'The page of this call is no longer kept; ask for it again under another Idempotency-Key.');
      return shown(row.answer);
    },
    async keyless(asked, signal) {
      const page = await scrape({ ...asked, lane: 'http' }, KEYLESS_ASKER, {}, SCRAPE_SECONDS.default * 1000, signal);
      return 'failure' in page ? { url: asked.url, ...page, credits: 0 } : { ...page, credits: 0 };
    },
    async prune() {
      await rows(`DELETE FROM scrape s USING account a WHERE a.id = s.account_id AND s.at < now() - a.retention_days * interval '1 day'`);
    },
  };
}

/** Nobody without a key has pictures taken. */
function refuseFile(): never {
  throw new Error('A keyless scrape keeps no files.');
}
