// Works on one crawl, or a part of one, for a turn: the engine's loop on the rows of PostgreSQL, and every page paid in the transaction that keeps it.
import type { RunFailure } from '@weft/contract';
import { PageError, StaleOwnerError, failureOfPage, workCrawlByRules } from '@weft/engine';
import type { AskingPorts, CrawlEnd, FrontierStore, KeptPage, PageFile, PendingByHost, ViewReader } from '@weft/engine';
import { createCookieStore } from '@weft/engine/io';
import { PAGE_PRICE } from '../credits/prices.ts';
import type { Credits } from '../credits/credits.ts';
import type { Database } from '../db/queries.ts';
import { CRAWL_OPERATION } from './crawl-row.ts';
import type { CrawlRow } from './crawl-row.ts';
import { ownPace } from '../hosts/own-pace.ts';
import { askingFor } from '../hosts/asker.ts';
import { openFrontier } from './frontier.ts';
import type { Claim, CrawlJobs } from './jobs.ts';
import type { KeptResult } from './ledger-change.ts';
import { keepPages, pageCopiesOf } from './pages.ts';
import type { Pictures } from '../pictures/picture.ts';
import { HOSTS_UNDIVIDED, openPart, pageShareOf } from './parts.ts';
import { payingFetcher } from './paying-fetcher.ts';

export interface CrawlWorkerPorts extends AskingPorts {
  readonly database: Database;
  readonly credits: Credits;
  readonly jobs: CrawlJobs;
  readonly views: ViewReader;
  readonly pictures: Pick<Pictures, 'keep'>;
}

/** How a turn ended. */
export interface TurnEnd {
  /** `wide`: it has met so many hosts that it is to be divided. */
  readonly end: CrawlEnd | 'wide';
  readonly failure: RunFailure | undefined;
}

/** Nothing else waits for the place of a crawl: a process claims as many as it can work on. */
const PLACE = { rest: () => undefined, work: () => undefined, hear: () => undefined };

/**
 * Crawls to the end, or until `over` aborts: then it drains, and stops where `signal` aborts; it sees the rows of its account alone. Its failure
 * is a result; throws StaleOwnerError where the claim was lost, and what the database throws.
 */
export async function workOn(claim: Claim, ports: CrawlWorkerPorts, over: AbortSignal, signal: AbortSignal): Promise<TurnEnd> {
  const { database, jobs } = ports;
  const { crawl, whole } = claim;
  const { max_credits: _, ...options } = crawl.options;
  const hooks = {
    async mayOpen() {
      if (!(await jobs.holds(claim))) throw new StaleOwnerError();
    },
    keep: (kept: readonly KeptResult<KeptPage>[]) => keep(kept, claim, ports),
  };
  const wide = new AbortController();
  const store = whole
    ? await openPart<KeptPage>(database, crawl, whole, hooks)
    : noting(openFrontier<KeptPage>(database, crawl.number, hooks), hostsOf(crawl), () => wide.abort());
  const turn = {
    over: AbortSignal.any([over, wide.signal]),
    sinceBeginMs: claim.ageMs,
    ...(whole ? { share: pageShareOf(database, crawl, whole) } : {}),
  };
  const asking = askingFor({ ...ports, fetcher: payingFetcher(claim, ports) }, { tenant: crawl.account_id, isUrgent: false });
  const gate = options.delay_ms === undefined ? asking.gate : ownPace(asking.gate, `crawl ${(whole ?? crawl).number}`);
  const work = {
    ...asking,
    gate,
    store,
    copies: options.page_max_age === undefined ? undefined : pageCopiesOf(database, crawl.account_id),
    keepFile: (file: PageFile) => ports.pictures.keep({ accountId: crawl.account_id, crawl: (whole ?? crawl).number }, file),
    acting: {},
    actingValues: { secrets: [], names: [] },
    cookies: createCookieStore(),
    place: PLACE,
    tell: async () => undefined,
    failureOf,
    turn,
  };
  const asked = { ...options, limit: (whole ?? crawl).pages_max };
  const { end, failure } = await database.as(crawl.account_id, () => workCrawlByRules(asked, work, signal), { byIndexAlone: true });
  return { end: end === 'turn' && wide.signal.aborted ? 'wide' : end, failure };
}

/** With how many hosts a crawl is as wide as one worker is let have; one whose caller said how much it asks for at once is never divided. */
function hostsOf({ options, pages_max: pagesMax }: CrawlRow): number {
  return options.max_concurrency === undefined && pagesMax > HOSTS_UNDIVIDED ? HOSTS_UNDIVIDED : Infinity;
}

/** `store`, which tells once more than `hostsMax` hosts had something that waits. */
function noting<Result>(store: FrontierStore<Result>, hostsMax: number, onWide: () => void): FrontierStore<Result> {
  const hosts = new Set<string>();
  const note = (pending: PendingByHost) => {
    for (const host of pending.keys()) hosts.add(host);
    if (hosts.size > hostsMax) onWide();
    return pending;
  };
  return {
    ...store,
    async open() {
      const resumed = await store.open();
      note(resumed.pendingByHost);
      return resumed;
    },
    offer: async (offers) => note(await store.offer(offers)),
    async settle(settlements, memory) {
      const stored = await store.settle(settlements, memory);
      note(stored.pendingByHost);
      return stored;
    },
  };
}

/** Part of the frontier's own transaction. */
async function keep(kept: readonly KeptResult<KeptPage>[], { crawl, whole = crawl }: Claim, ports: CrawlWorkerPorts): Promise<void> {
  const { database, credits } = ports;
  const { hold_id: id, account_id: accountId, url: about } = crawl;
  await keepPages(database, { crawl: crawl.number, accountId }, kept);
  const fetched = kept.filter(({ outcome }) => outcome === 'fetched');
  const charges = fetched.map(({ result: { record } }) => ({ about: record.url, amount: PAGE_PRICE[record.lane] }));
  const charged = await credits.charge({ id, accountId, operation: CRAWL_OPERATION, about }, charges);
  if (charged > 0)
    await database.rows('UPDATE crawl SET charged = charged + $3 WHERE number = $1 AND account_id = $2', [
      whole.number,
      accountId,
      charged,
    ]);
}

function failureOf(error: unknown): RunFailure {
  if (error instanceof PageError) return failureOfPage(error);
  return { code: 'internal', message: 'Something unexpected failed inside the cloud; its log has the details.' };
}
