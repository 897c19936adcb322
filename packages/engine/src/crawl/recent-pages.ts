// The pages that were kept last: what was leased before its twin was fetched, or before another address led to it, finds that here.
import type { LeasedUrl } from './store.ts';

const PAGES_MAX = 10_000;

/** At most 10,000 pages; the oldest are forgotten first. */
export class RecentPages {
  private readonly pages = new Map<string, NonNullable<LeasedUrl['twin']>>();
  private readonly answers = new Map<string, string>();

  /** Notes a page that was kept for `url` and answered at `finalUrl`; the first of a key stays. */
  add(key: string, url: string, finalUrl: string, contentHash: string): void {
    if (!this.pages.has(key)) this.pages.set(key, { url, contentHash });
    if (finalUrl !== url && !this.answers.has(finalUrl)) this.answers.set(finalUrl, url);
    forgetOldest(this.pages);
    forgetOldest(this.answers);
  }

  /** The address whose redirect led to `url`, when that was kept. */
  answeredFor(url: string): string | undefined {
    return this.answers.get(url);
  }

  /** `leased` with its twin, where one was kept since it was leased. */
  withTwin(leased: LeasedUrl): LeasedUrl {
    const twin = leased.twin ?? this.pages.get(leased.key);
    return twin === leased.twin || twin?.url === leased.url ? leased : { ...leased, twin };
  }
}

function forgetOldest(map: Map<string, unknown>): void {
  if (map.size <= PAGES_MAX) return;
  const oldest = map.keys().next();
  if (!oldest.done) map.delete(oldest.value);
}
