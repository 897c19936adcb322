// Gathers what was decided into few transactions, and knows what is decided but not yet stored.
import type { CrawlCounts } from './ledger.ts';
import type { CrawlClock } from './crawl-ports.ts';
import type { CrawlStore, KeptVerdict, KnownUrl, Lookup, PendingByHost, Settlement, Verdict } from './store.ts';

/** What the queue asks and tells its owner. */
export interface SettleHooks {
  /** What the loop has learnt, to be stored with every so many settlements. */
  readonly memory: () => string;
  readonly stored: (counts: CrawlCounts, pendingByHost: PendingByHost) => void;
  /** Nothing waits any more, or the store failed. */
  readonly rested: () => void;
}

interface WaitingSettlement<Result> {
  readonly settlement: Settlement<Result>;
  readonly identities: readonly string[];
}

const BATCH_MAX = 64;
/** How long the first of a batch waits for others. */
const LINGER_MS = 5;
const MEMORY_EVERY = 256;

/** Settlements in waiting. The first failure of the store is kept and thrown from `drain`. */
export class SettleQueue<Result> {
  private readonly waiting: WaitingSettlement<Result>[] = [];
  /** Pages that are kept but not stored yet, by identity and by content. */
  private readonly keptByIdentity = new Map<string, KnownUrl>();
  private readonly keptByContent = new Map<string, KnownUrl>();
  private keptWaiting = 0;
  private keptStored = 0;
  private sinceMemory = 0;
  private running: Promise<void> | undefined;
  private failure: { readonly error: unknown } | undefined;
  private readonly store: CrawlStore<Result>;
  private readonly clock: CrawlClock;
  private readonly hooks: SettleHooks;
  private readonly signal: AbortSignal;

  constructor(store: CrawlStore<Result>, clock: CrawlClock, hooks: SettleHooks, signal: AbortSignal) {
    this.store = store;
    this.clock = clock;
    this.hooks = hooks;
    this.signal = signal;
  }

  /** Fetched and reused pages, stored or not. */
  get kept(): number {
    return this.keptStored + this.keptWaiting;
  }

  get isEmpty(): boolean {
    return this.waiting.length === 0 && this.running === undefined;
  }

  get hasFailed(): boolean {
    return this.failure !== undefined;
  }

  /** Begins where a resumed crawl stands. */
  startAt(counts: CrawlCounts): void {
    this.keptStored = counts.fetched + counts.reused;
  }

  /** Takes a settlement; `identities` are those that a kept page at `url` answers for. */
  add(settlement: Settlement<Result>, url: string, identities: readonly string[]): void {
    const { verdict } = settlement;
    if (isKept(verdict)) {
      const known: KnownUrl = { url, state: verdict.outcome, contentHash: verdict.contentHash };
      for (const identity of identities) this.keptByIdentity.set(identity, known);
      if (!this.keptByContent.has(verdict.contentHash)) this.keptByContent.set(verdict.contentHash, known);
      this.keptWaiting++;
    }
    this.waiting.push({ settlement, identities });
    this.running ??= this.run();
  }

  /** What the store knows, together with what it is about to know. */
  async find(lookup: Lookup): ReturnType<CrawlStore<Result>['find']> {
    const stored = await this.store.find(lookup);
    const byIdentity = new Map(stored.byIdentity);
    for (const identity of lookup.identities) {
      const kept = this.keptByIdentity.get(identity);
      if (kept) byIdentity.set(identity, kept);
    }
    return { sameContent: stored.sameContent ?? this.findKept(lookup.contentHash), byIdentity };
  }

  /** The page with this content that was kept most recently, when it may not be stored yet. */
  findKept(contentHash: string | undefined): KnownUrl | undefined {
    return contentHash === undefined ? undefined : this.keptByContent.get(contentHash);
  }

  /**
   * Lets a page be found by its content while it is still being saved, so that of two at the same time one is kept. Undoing it is for a
   * page that could not be saved.
   */
  reserve(page: KnownUrl & { readonly contentHash: string }): () => void {
    if (this.keptByContent.has(page.contentHash)) return () => undefined;
    this.keptByContent.set(page.contentHash, page);
    return () => {
      if (this.keptByContent.get(page.contentHash) === page) this.keptByContent.delete(page.contentHash);
    };
  }

  /** Resolves when everything that was added is stored; throws what the store threw. */
  async drain(): Promise<void> {
    while (this.running) await this.running;
    if (this.failure) throw this.failure.error;
  }

  private async run(): Promise<void> {
    try {
      while (this.waiting.length > 0 && !this.failure) {
        if (this.waiting.length < BATCH_MAX) await this.clock.sleepUntil(this.clock.now() + LINGER_MS, this.signal);
        await this.storeBatch(this.waiting.splice(0, BATCH_MAX));
      }
    } catch (error) {
      this.failure = { error };
    } finally {
      this.running = undefined;
      this.hooks.rested();
    }
  }

  private async storeBatch(batch: readonly WaitingSettlement<Result>[]): Promise<void> {
    this.sinceMemory += batch.length;
    const memory = this.sinceMemory >= MEMORY_EVERY ? this.hooks.memory() : undefined;
    if (memory !== undefined) this.sinceMemory = 0;
    const { counts, pendingByHost } = await this.store.settle(
      batch.map(({ settlement }) => settlement),
      memory,
    );
    for (const { settlement, identities } of batch) {
      if (!isKept(settlement.verdict)) continue;
      this.keptWaiting--;
      this.keptByContent.delete(settlement.verdict.contentHash);
      for (const identity of identities) this.keptByIdentity.delete(identity);
    }
    this.keptStored = counts.fetched + counts.reused;
    this.hooks.stored(counts, pendingByHost);
  }
}

function isKept<Result>(verdict: Verdict<Result>): verdict is KeptVerdict<Result> {
  return verdict.outcome === 'fetched' || verdict.outcome === 'reused';
}
