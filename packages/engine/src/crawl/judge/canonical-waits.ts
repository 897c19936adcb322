// Remembers which pages wait for their canonical address, so that a host is learnt of when that one comes.
import { BoundedMap } from '../bounded-map.ts';
import type { TwinMemory } from '../learn/twin-memory.ts';
import { isAlike } from './likeness.ts';

/** What is compared of two pages. */
export interface PageText {
  readonly contentHash: string | undefined;
  readonly sketch: string | undefined;
}

const WAITS_MAX = 2_000;

/** Whether two pages are one: the same text, or one that differs by a line. */
export function isSameText(one: PageText, other: PageText): boolean {
  return one.contentHash === other.contentHash || isAlike(one.sketch ?? '', other.sketch ?? '');
}

/** At most 2,000 pages; those that are forgotten teach nothing. */
export class CanonicalWaits {
  private readonly waits = new BoundedMap<string, (PageText & { readonly url: string })[]>(WAITS_MAX);

  /** Notes that the page at `url` says that it is the one of `identity`. */
  add(identity: string, page: PageText & { readonly url: string }): void {
    this.waits.use(identity, () => []).push(page);
  }

  /** Compares what waited for `identity` with the page at `url` that came for it. */
  observe(identity: string, url: string, page: PageText, twins: TwinMemory): void {
    for (const waiting of this.waits.get(identity) ?? []) twins.observeCanonical(waiting.url, url, isSameText(waiting, page));
    this.waits.delete(identity);
  }
}
