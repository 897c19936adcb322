// What a page says about other pages.

/**
 * Where on a page an address was found. `alternate` is a page of its own, such as a translation; `version` is the page itself for another
 * medium or device, `data` the page for programs: a feed, JSON, oEmbed; `file` is what the listing of a folder shows to be no page.
 */
export type LinkKind = 'anchor' | 'area' | 'frame' | 'refresh' | 'next' | 'prev' | 'alternate' | 'version' | 'data' | 'file';

/** One address that a page links to. */
export interface PageLink {
  /** Absolute http or https address without its fragment. */
  readonly url: string;
  readonly kind: LinkKind;
  /** Every link to it is `rel="nofollow"`, `sponsored` or `ugc`: the page's owner does not vouch for the target. */
  readonly isNoFollow: boolean;
  /** Why the markup says that following it changes something. */
  readonly act?: string | undefined;
}

/** Everything that finding further pages needs from one page. */
export interface PageLinks {
  /** What relative addresses resolve against. */
  readonly baseUrl: string;
  /** One entry per distinct target, in order of first appearance; the first appearance gives the kind, except that `next` and `prev` win, and any kind over `version`. */
  readonly links: readonly PageLink[];
  /** The address that the page calls its own, when it names one. */
  readonly canonical: string | undefined;
  /** The content of the robots meta elements and of the header of that name, joined by commas. */
  readonly robots: string | undefined;
  /** Equal for pages with the same text, pictures and number of links, as 16 hexadecimal digits; where links lead and scripts don't count. */
  readonly contentHash: string;
  /** How many characters of text the hash was made of. */
  readonly textBytes: number;
  /** What tells how near two texts are, see likeness; empty where there is none. */
  readonly sketch: string;
}
