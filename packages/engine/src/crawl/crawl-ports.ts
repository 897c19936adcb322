// What the crawl loop needs from the outside.
import type { PageRecord } from '@weft/contract';
import type { Clock, FetchRequest, Fetcher, NameMemory, Page } from '../ports.ts';
import type { RobotsRules } from '../robots/rules.ts';
import type { CrawlCounts } from './ledger.ts';
import type { FrontierStore, LeasedUrl } from './frontier-store.ts';
import type { PageLinks } from './links/page-links.ts';

/** A clock that can also be waited on. Whatever waits, rests or lasts goes by `steadyMs`, which no setting of the time moves. */
export interface CrawlClock extends Clock {
  /** Milliseconds that only grow. They begin where `now` stood when the process began, and are no time of day. */
  steadyMs(): number;
  /** Resolves at `steadyMs` or at the abort, whichever is first; never rejects. */
  sleepUntil(steadyMs: number, signal: AbortSignal): Promise<void>;
  /** Calls `ring` once `steadyMs` has come, unless the returned function is called before. For what ends a wait, and makes none. */
  alarm(steadyMs: number, ring: () => void): () => void;
}

/** Turns a fetched page into what the store keeps of it. */
export interface PageSink<Result> {
  /**
   * Called once for each page that is kept. A PageError that it throws fails the page; `url` is the ledger's address, and `report` what the
   * robots rules say of it, where that is kept beside the page.
   */
  save(page: Page, links: PageLinks, url: LeasedUrl, report?: Promise<RobotsReport | undefined>): Promise<Result>;
  /** A stored copy of `url` that is at most so old, with the links it had; absent where copies are never reused. */
  findFresh?(url: string, maxAgeMs: number): Promise<PageCopy<Result> | undefined>;
  /** A stored copy of `url` of any age that its host can confirm; absent where copies are never kept. */
  findConfirmable?(url: string): Promise<ConfirmableCopy<Result> | undefined>;
}

/** What robots rules say of an address where that is only told; what its page says itself comes with the page. */
export type RobotsReport = Omit<NonNullable<PageRecord['robots']>, 'noindex'>;

/** A stored page that stands for a request. */
export interface PageCopy<Result> {
  readonly status: number;
  readonly finalUrl: string;
  readonly links: PageLinks;
  readonly result: Result;
}

/** A stored page that stands for a request once its host says that nothing has changed. */
export interface ConfirmableCopy<Result> extends PageCopy<Result> {
  readonly validators: NonNullable<FetchRequest['validators']>;
}

/** One answer of a host, as far as its pace goes. */
export interface HostAnswer {
  /** Undefined when no answer came. */
  readonly status: number | undefined;
  /** Epoch milliseconds that the host named in Retry-After. */
  readonly retryAtMs: number | undefined;
}

/**
 * Admits requests to hosts. Whoever wants to ask a host stands in its line, first come first served, and is woken when its turn has come; who
 * stays for the answer goes before the others, and tenants take turns, where `HostLimits` names them. One
 * gate is shared by everything that fetches; one suite (tests/store/host-gate-suite.ts) holds for every implementation.
 */
export interface HostGate {
  /**
   * A place at `host`, once everybody whose turn is earlier has had one and the pace of the host allows it. Undefined when `signal` aborts before,
   * as soon as it is known that there is none by `limits.untilMs`, and when the host wants to be left alone for more than HOST_PATIENCE_MS.
   * `onWait` is called, at most once, where the place can't be had at once.
   */
  take(host: string, limits: HostLimits, signal: AbortSignal, onWait?: () => void): Promise<HostGrant | undefined>;
  /** Notes what the host's robots.txt asks for between two requests: whoever asks the host from now on keeps at least that, one at a time. */
  learnGap(host: string, ownGapMs: number): Promise<void>;
  /** How the host wants to be treated now. */
  restOf(host: string): Promise<HostRest>;
}

/** A place at a host. One that nobody gives back expires, and goes to the next in line; ending it later changes nothing. */
export interface HostGrant {
  /** Gives the place back with what the host answered. */
  end(answer: HostAnswer): Promise<void>;
  /** Gives the place back when the host was not asked: nobody waits longer for that. */
  giveBack(): Promise<void>;
}

/** What a host asks for; all times are those of `steadyMs`. */
export interface HostRest {
  /** Since when it has refused everything; undefined while it answers. */
  readonly refusedSinceMs: number | undefined;
  /** Until when it wants to be left alone; in the past when it does not. */
  readonly blockedUntilMs: number;
  /** Before when nobody starts a request to it: what it asked for, and the gap since the last. */
  readonly restsUntilMs: number;
}

/** How much one host is asked at most. */
export interface HostLimits {
  readonly inFlightMax: number;
  readonly gapMs: number;
  /** Epoch milliseconds after which a request is not worth waiting for: one that can't start by then is given up at once. */
  readonly untilMs?: number;
  /** For whom it is asked: tenants take turns. */
  readonly tenant?: string;
  /** Somebody waits for the answer: it comes before what nobody waits for, three times of four. */
  readonly isUrgent?: boolean;
}

/** The rules of a host's robots.txt. Never throws: what can't be read is expressed by the rules. */
export interface RobotsSource {
  /**
   * `limits` are those that the caller's requests to the host keep; two at a time unless said. Rules that were asked for before `sinceMs`
   * (epoch milliseconds) are asked for again. `names` is told of where the host was found for it.
   */
  rulesFor(host: string, signal: AbortSignal, limits?: HostLimits, sinceMs?: number, names?: NameMemory): Promise<RobotsRules>;
}

/** The outside of a crawl. `Result` is what the sink makes of a page and the store keeps. */
export interface CrawlPorts<Result> {
  readonly store: FrontierStore<Result>;
  readonly fetcher: Pick<Fetcher, 'fetch'>;
  readonly clock: CrawlClock;
  readonly sink: PageSink<Result>;
  readonly gate: HostGate;
  readonly robots: RobotsSource;
  /** Called after every settlement that changed the counts. */
  readonly onProgress?: (counts: CrawlCounts) => void;
  /** Absent for a crawl that nobody else waits for and that keeps its limit by itself. */
  readonly turn?: CrawlTurn | undefined;
}

/** One of the turns in which a crawl is worked on. */
export interface CrawlTurn {
  /** At its abort nothing more is asked; what is under way is finished and kept, and the rest stays pending for the next turn. */
  readonly over: AbortSignal;
  /** How long ago the crawl began, in milliseconds: rules of hosts that were asked for since then hold in all its turns. */
  readonly sinceBeginMs: number;
  /** Where others keep pages of the same crawl, beside this one's own limit. */
  readonly share?: PageShare;
}

/** The pages that one part of a crawl may keep, of a limit that several parts have together. */
export interface PageShare {
  /** Pages that it may keep in all, for now; those that it has kept are among them. */
  pages(): number;
  /** Asks for more; false where there are none now. */
  grow(): Promise<boolean>;
}
