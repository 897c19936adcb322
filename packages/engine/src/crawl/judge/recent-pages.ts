// The pages that were kept last, known before the store knows them: of two visits at the same time, one keeps a page.
import { BoundedMap } from '../bounded-map.ts';
import type { KnownUrl, LeasedUrl } from '../frontier-store.ts';

const PAGES_MAX = 2_000;

/** A page that is being saved or was. */
export interface RecentPage {
  readonly url: string;
  readonly key: string;
  readonly contentHash: string;
  readonly sketch: string;
  /** The identities that it answers for: its own, and that of the address where it was found after redirects. */
  readonly identities: readonly string[];
}

/**
 * At most 2,000 pages; the oldest are forgotten first. That is far more than can be kept while one question to the store is under way,
 * which is how long a page must be remembered here.
 */
export class RecentPages {
  private readonly byKey = new BoundedMap<string, RecentPage>(PAGES_MAX);
  private readonly byContent = new BoundedMap<string, RecentPage>(PAGES_MAX);
  private readonly byIdentity = new BoundedMap<string, RecentPage>(PAGES_MAX);

  /** Notes a page; the first of a key, content or identity stays. The function that comes back is for a page that could not be saved. */
  keep(page: RecentPage): () => void {
    const places = [
      [this.byKey, page.key],
      [this.byContent, page.contentHash],
      ...page.identities.map((identity) => [this.byIdentity, identity] as const),
    ] as const;
    for (const [map, name] of places) {
      if (!map.has(name)) map.set(name, page);
    }
    return () => {
      for (const [map, name] of places) if (map.get(name) === page) map.delete(name);
    };
  }

  /** The page with this content. */
  findContent(contentHash: string): KnownUrl | undefined {
    return known(this.byContent.get(contentHash));
  }

  /** The page that answers for this identity. */
  findIdentity(identity: string): KnownUrl | undefined {
    return known(this.byIdentity.get(identity));
  }

  /** `leased` with its twin, where one was kept since it was leased. */
  withTwin(leased: LeasedUrl): LeasedUrl {
    const twin = leased.twin ?? this.byKey.get(leased.key);
    if (!twin || twin === leased.twin || twin.url === leased.url) return leased;
    return { ...leased, twin: { url: twin.url, contentHash: twin.contentHash, sketch: twin.sketch } };
  }
}

function known(page: RecentPage | undefined): KnownUrl | undefined {
  return page && { url: page.url, state: 'fetched', contentHash: page.contentHash, sketch: page.sketch };
}
