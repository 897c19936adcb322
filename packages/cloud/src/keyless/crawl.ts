// A few pages of a site for one who stays for them: crawled in memory, and kept nowhere.
import { KEYLESS } from '@weft/contract';
import type { CloudTable, KeylessCrawl, ReplyOf } from '@weft/contract';
import { CrawlTables, MemoryFrontierStore, PageError, failureOfPage, workCrawlByRules } from '@weft/engine';
import type { AskingPorts, KeptPage, ViewReader } from '@weft/engine';
import { createCookieStore } from '@weft/engine/io';
import { KEYLESS_ASKER, askingFor } from '../hosts/asker.ts';

type Crawled = ReplyOf<CloudTable['keyless']['crawl']>['body'];

export interface KeylessCrawls {
  /** The first `pages` pages that are found, within a minute. Throws only what nobody expected. */
  run(asked: KeylessCrawl, pages: number, signal: AbortSignal): Promise<Crawled>;
}

/** Of the minute that a caller is let wait: what is asked for then is waited for until it is over. */
const TURN_MS = KEYLESS.crawlSeconds * 900;

export function createKeylessCrawls(ports: AskingPorts & { readonly views: ViewReader }): KeylessCrawls {
  return {
    async run(asked, pages, signal) {
      const tables = new CrawlTables<KeptPage>();
      const ending = AbortSignal.any([signal, AbortSignal.timeout(KEYLESS.crawlSeconds * 1000)]);
      const work = {
        ...askingFor(ports, KEYLESS_ASKER),
        store: new MemoryFrontierStore(tables),
        copies: undefined,
        keepFile: refuseFile,
        acting: {},
        actingValues: { secrets: [], names: [] },
        cookies: createCookieStore(),
        place: { rest: () => undefined, work: () => undefined, hear: () => undefined },
        tell: async () => undefined,
        failureOf: failureOfPage,
        turn: { over: AbortSignal.timeout(TURN_MS), sinceBeginMs: 0 },
      };
      const { end, failure } = await workCrawlByRules({ ...asked, limit: pages, lane: 'http' }, work, ending).catch(stopped);
      signal.throwIfAborted();
      const data = tables.results.map(({ result }) => result.record);
      const late = end === 'complete' || end === 'limit' || data.length > 0 ? undefined : lateFailure(asked.url);
      return {
        url: asked.url,
        data,
        count: data.length,
        counts: { ...tables.counts },
        complete: end === 'complete',
        ...((failure ?? late) ? { failure: failure ?? late } : {}),
      };
    },
  };
}

function lateFailure(url: string) {
  return { code: 'timeout' as const, message: `${url}: no page came within ${KEYLESS.crawlSeconds} seconds.` };
}

/** What stopped in the middle of a page has ended all the same. */
function stopped(error: unknown) {
  if (error instanceof PageError && error.next === 'stop') return { end: 'cancelled' as const, failure: undefined };
  throw error;
}

/** Nobody without a key has pictures taken. */
function refuseFile(): never {
  throw new Error('A keyless crawl keeps no files.');
}
