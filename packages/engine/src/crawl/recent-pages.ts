// The pages that were kept last, by key: a twin that was leased before its partner was fetched finds it here.
import type { LeasedUrl } from './store.ts';

const PAGES_MAX = 10_000;

/** At most 10,000 pages; the oldest are forgotten first. */
export class RecentPages {
  private readonly pages = new Map<string, NonNullable<LeasedUrl['twin']>>();

  /** Notes a kept page; the first of a key stays. */
  add(key: string, url: string, contentHash: string): void {
    if (this.pages.has(key)) return;
    this.pages.set(key, { url, contentHash });
    if (this.pages.size <= PAGES_MAX) return;
    const oldest = this.pages.keys().next();
    if (!oldest.done) this.pages.delete(oldest.value);
  }

  /** `leased` with its twin, where one was kept since it was leased. */
  withTwin(leased: LeasedUrl): LeasedUrl {
    const twin = leased.twin ?? this.pages.get(leased.key);
    return twin === leased.twin || twin?.url === leased.url ? leased : { ...leased, twin };
  }
}
