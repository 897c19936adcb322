// The ledger of a crawl: what became of every address that was found.

/** Where an address was found. */
export type UrlSource = 'seed' | 'link' | 'pagination' | 'sitemap' | 'canonical' | 'redirect';

/** Why an address was skipped. */
export type SkipReason =
  | 'off_site'
  | 'subdomain'
  | 'outside_path'
  | 'excluded'
  | 'not_included'
  | 'depth'
  | 'robots'
  | 'acts'
  | 'nofollow'
  | 'alternate'
  | 'trap'
  | 'file_type'
  | 'content_type'
  | 'duplicate'
  | 'redirect'
  | 'canonical'
  | 'address'
  | 'limit'
  | 'timeout'
  | 'cancelled';

/** A decision not to fetch, with what decided. */
export interface Skip {
  readonly reason: SkipReason;
  /** The pattern, robots line, option or address that decided; undefined where the reason says it all. */
  readonly rule: string | undefined;
}

/** An address that was found, on its way into the ledger. */
export interface UrlOffer {
  /** Absolute, as it will be fetched. */
  readonly url: string;
  /** What makes it one address within the crawl: the URL, or the URL without its query where the crawl ignores queries. */
  readonly identity: string;
  /** Under which twins meet; see dedupeKey. */
  readonly key: string;
  /** Scheme, name and port. */
  readonly host: string;
  readonly depth: number;
  readonly source: UrlSource;
  /** The page, sitemap or redirect that it was found on. */
  readonly parent: string | undefined;
  /** Another view of a page that is known: asked for after the others, as twins are. */
  readonly isLate?: boolean;
  /** Set when it is decided already that it is not fetched. */
  readonly skip: Skip | undefined;
}

/** Numbers of the ledger; `discovered` is always the sum of all others. */
export interface CrawlCounts {
  readonly discovered: number;
  readonly fetched: number;
  readonly reused: number;
  readonly failed: number;
  readonly skipped: number;
  readonly pending: number;
}
