// Gathers what was decided into few transactions.
import type { CrawlCounts } from '../ledger.ts';
import type { CrawlClock } from '../crawl-ports.ts';
import type { FrontierStore, PendingByHost, Settlement } from '../frontier-store.ts';
import { Wake } from './wake.ts';

/** What the queue asks and tells its owner. */
export interface SettleHooks {
  /** What the loop has learnt, to be stored with every so many settlements. */
  readonly memory: () => string;
  /** Whether it holds something that the next settlements must not be stored without. */
  readonly isMemoryDue: () => boolean;
  readonly stored: (counts: CrawlCounts, pendingByHost: PendingByHost) => void;
  /** Nothing waits any more, or the store failed. */
  readonly rested: () => void;
}

/** How long a batch gathers while the crawl has other work: a transaction costs as much as a page. */
const LINGER_MS = 10;
const MEMORY_EVERY = 256;

/** Settlements in waiting. The first failure of the store is kept and thrown from `drain`. */
export class SettleQueue<Result> {
  private readonly waiting: Settlement<Result>[] = [];
  private keptWaiting = 0;
  private keptStored = 0;
  private sinceMemory = 0;
  private storing = 0;
  private isHurried = false;
  private readonly full = new Wake();
  private running: Promise<void> | undefined;
  private failure: { readonly error: unknown } | undefined;
  private readonly batchMax: number;
  private readonly store: FrontierStore<Result>;
  private readonly clock: CrawlClock;
  private readonly hooks: SettleHooks;
  private readonly signal: AbortSignal;

  /** A batch is stored as soon as it has `batchMax` settlements. */
  constructor(batchMax: number, store: FrontierStore<Result>, clock: CrawlClock, hooks: SettleHooks, signal: AbortSignal) {
    this.batchMax = batchMax;
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

  /** Settlements that a kill would undo. */
  get unstored(): number {
    return this.waiting.length + this.storing;
  }

  get hasFailed(): boolean {
    return this.failure !== undefined;
  }

  /** Begins where a resumed crawl stands. */
  startAt(counts: CrawlCounts): void {
    this.keptStored = counts.fetched + counts.reused;
  }

  /** Takes a settlement; it is stored within a hundredth of a second. */
  add(settlement: Settlement<Result>): void {
    if (isKept(settlement)) this.keptWaiting++;
    this.waiting.push(settlement);
    if (this.waiting.length >= this.batchMax) this.full.ring();
    // What comes after a failure stays pending in the store.
    if (!this.failure) this.running ??= this.run();
  }

  /** Says that the crawl has nothing to do until what waits is stored. */
  hurry(): void {
    if (this.waiting.length === 0) return;
    this.isHurried = true;
    this.full.ring();
  }

  /** Resolves when everything that was added is stored; throws what the store threw. */
  async drain(): Promise<void> {
    this.hurry();
    while (this.running) await this.running;
    if (this.failure) throw this.failure.error;
  }

  private async run(): Promise<void> {
    try {
      while (this.waiting.length > 0) {
        if (this.waiting.length < this.batchMax && !this.isHurried)
          await this.full.wait(this.clock, this.clock.steadyMs() + LINGER_MS, this.signal);
        this.isHurried = false;
        await this.storeBatch(this.waiting.splice(0));
      }
    } catch (error) {
      this.failure = { error };
    } finally {
      this.running = undefined;
      this.hooks.rested();
    }
  }

  private async storeBatch(batch: readonly Settlement<Result>[]): Promise<void> {
    this.sinceMemory += batch.length;
    const memory = this.sinceMemory >= MEMORY_EVERY || this.hooks.isMemoryDue() ? this.hooks.memory() : undefined;
    if (memory !== undefined) this.sinceMemory = 0;
    this.storing = batch.length;
    const { counts, pendingByHost } = await this.store.settle(batch, memory);
    this.storing = 0;
    this.keptWaiting -= batch.filter(isKept).length;
    this.keptStored = counts.fetched + counts.reused;
    this.hooks.stored(counts, pendingByHost);
  }
}

/** Whether a page is kept, under whatever address: never more than one. */
function isKept({ verdict, owner }: Settlement<unknown>): boolean {
  const { outcome } = owner?.verdict ?? verdict;
  return outcome === 'fetched' || outcome === 'reused';
}
