// The port of a crawl's frontier and ledger. One suite (tests/store/frontier-store-suite.ts) holds for every implementation.
import type { LedgerLine } from '@weft/contract';
import type { CrawlCounts, Skip, UrlOffer } from './ledger.ts';

/** An address that the crawl may work on now. */
export interface LeasedUrl {
  /** The ledger's number of the address. */
  readonly id: number;
  readonly url: string;
  readonly key: string;
  readonly host: string;
  readonly depth: number;
  readonly source: UrlOffer['source'];
  readonly parent: string | undefined;
  /** True when its canonical address turned out to be another page, so that it must stand for itself. */
  readonly ignoresCanonical: boolean;
  /** The oldest fetched or reused address with the same key, if there is one. */
  readonly twin: { readonly url: string; readonly contentHash: string; readonly sketch: string | undefined } | undefined;
}

/** A page that the crawl keeps. `Result` is what the page sink made of it; the store writes it in the same transaction. */
export interface KeptVerdict<Result> {
  readonly outcome: 'fetched' | 'reused';
  readonly status: number;
  readonly finalUrl: string;
  readonly contentHash: string;
  /** What `isAlike` compares, where there is any. */
  readonly sketch?: string | undefined;
  readonly result: Result;
  /** The robots line that was against it, where the crawl only reports that; else the kept page that has the same text, if one does. */
  readonly rule: string | undefined;
}

/** An address that turned out not to be a page of the crawl. */
export interface SkippedVerdict {
  readonly outcome: 'skipped';
  readonly skip: Skip;
  readonly status: number | undefined;
  readonly contentHash: string | undefined;
  readonly sketch?: string | undefined;
  /** With reason `canonical`: the identity of the address that the page calls its own, which must be offered with it or known. */
  readonly aliasOf: string | undefined;
}

/** An address that could not be had. */
export interface FailedVerdict {
  readonly outcome: 'failed';
  /** The code of a PageError, or `http_status`, `rate_limited`. */
  readonly reason: string;
  readonly rule: string | undefined;
  readonly status: number | undefined;
}

/** What became of a leased address. */
export type Verdict<Result> = KeptVerdict<Result> | SkippedVerdict | FailedVerdict;

/** The end of one lease. */
export interface Settlement<Result> {
  readonly id: number;
  readonly verdict: Verdict<Result>;
  /** Addresses found on the page. */
  readonly offers: readonly UrlOffer[];
  /** The address that the answer belongs to, where that is another one: what the leased one redirects to, or what its page calls its own. */
  readonly owner?: { readonly offer: UrlOffer; readonly verdict: Verdict<Result> } | undefined;
}

/** How many addresses became pending, by host. */
export type PendingByHost = ReadonlyMap<string, number>;

/** Where a crawl stands when it is taken over. */
export interface CrawlResume {
  readonly counts: CrawlCounts;
  /** Every host with pending addresses. */
  readonly pendingByHost: PendingByHost;
  /** What the loop had learnt, as it last handed it to `settle`. */
  readonly memory: string | undefined;
}

/** What is known of an address or a content. */
export interface KnownUrl {
  readonly url: string;
  /** `leased` counts as pending. */
  readonly state: 'pending' | 'fetched' | 'reused' | 'failed' | 'skipped';
  readonly contentHash: string | undefined;
  readonly sketch: string | undefined;
}

/** What to look up. */
export interface Lookup {
  /** The oldest fetched or reused address with this content. */
  readonly contentHash: string | undefined;
  /** The identity of the row that asks: only another kept row whose `finalUrl` it is answers for it. */
  readonly own: string | undefined;
  /** Identities to look up; a kept row answers for its `finalUrl` too, before the row that has that identity itself. */
  readonly identities: readonly string[];
}

/** What was found. */
export interface Found {
  readonly sameContent: KnownUrl | undefined;
  /** What answers for `own`. */
  readonly own: KnownUrl | undefined;
  readonly byIdentity: ReadonlyMap<string, KnownUrl>;
}

/** A line of the ledger, as far as it tells why a crawl kept nothing. */
export type FirstLine = Pick<LedgerLine, 'url' | 'source' | 'outcome' | 'reason' | 'rule'>;

/**
 * The frontier and ledger of one crawl. Each method is one transaction and holds all of this at its end:
 *
 * 1. One row per identity. `discovered` = fetched + reused + failed + skipped + pending; a leased row is pending.
 * 2. A row leaves `pending` by `settle`, by `closePending` or by the offer rule 4, and comes back only by rules 5 and 6.
 * 3. An offer of an unknown identity adds a row: pending, or skipped when the offer says so.
 * 4. An offer of a known identity changes a pending row only: a smaller depth replaces depth, parent and source; a skip with reason
 *    `duplicate`, `redirect` or `acts` settles the row unless it is leased or a seed. Everything else about a known row stays.
 * 5. An offer without a skip reopens a row that was skipped for `depth`, with the offer's depth, parent and source.
 * 6. When a row that others name in `aliasOf` is settled, or is settled already: those whose content is the same or alike become
 *    `duplicate`, with the row's URL as rule; the others become pending with `ignoresCanonical`. A failed or skipped row reopens all of them.
 * 7. A lease is held by the owner that `open` made last. `open` returns all other leases to pending, so that a killed crawl goes on at
 *    once; a lease that is older than its `untilMs` may be given out again.
 * 8. `settle` and `release` by an owner that is not the last one change nothing and throw StaleOwnerError. A settlement of a row that this
 *    owner does not hold is left out with its offers: no page is recorded twice.
 * 9. Within a host, `lease` gives rows first that were discovered as canonical, since pages wait for them, and rows last that have a twin (a
 *    row with the same key that was discovered earlier, whatever became of it) or that were first offered as late; then by depth, then by order of discovery.
 * 10. The `owner` of a settlement is offered, and its row settled with the owner's verdict unless it is settled already, leased or not:
 *    an answer is recorded once, under the address that it belongs to.
 */
export interface FrontierStore<Result> {
  /** Takes the crawl over and says where it stands. The first call on a new crawl finds it empty. */
  open(): Promise<CrawlResume>;
  /** Adds addresses, thousands at a time. */
  offer(offers: readonly UrlOffer[]): Promise<PendingByHost>;
  /** Up to `count` addresses of each host, in the order of rule 9; fewer when there are fewer. `untilMs` is when the leases end. */
  lease(wants: readonly { readonly host: string; readonly count: number }[], nowMs: number, untilMs: number): Promise<readonly LeasedUrl[]>;
  /** Records pages, ledger, new addresses, counts and, when given, the loop's memory. */
  settle(
    settlements: readonly Settlement<Result>[],
    memory?: string,
  ): Promise<{ readonly counts: CrawlCounts; readonly pendingByHost: PendingByHost }>;
  /** Gives leases back unchanged. */
  release(ids: readonly number[]): Promise<void>;
  find(lookup: Lookup): Promise<Found>;
  /** Settles everything pending as skipped, also what is leased; what waits for its canonical address stays skipped. */
  closePending(skip: Skip): Promise<CrawlCounts>;
  counts(): Promise<CrawlCounts>;
  /** The first `count` lines of the ledger, in order of discovery. */
  firstLines(count: number): Promise<readonly FirstLine[]>;
}

/** Another owner has opened the crawl meanwhile: stop, it goes on there. */
export class StaleOwnerError extends Error {
  constructor() {
    super('Another process has taken this crawl over.');
    this.name = 'StaleOwnerError';
  }
}
