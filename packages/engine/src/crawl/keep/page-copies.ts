// The port of copies of pages by address: what a later crawl needs in order not to load a page again. One suite
// (tests/store/page-copies-suite.ts) holds for every implementation.
import type { PageRecord } from '@weft/contract';
import type { FetchRequest } from '../../ports.ts';
import type { PageLinks } from '../links/page-links.ts';

/** What a copy is found by: an address, and everything that shapes the record that was made of it. */
export interface CopyKey {
  readonly url: string;
  readonly scope: string;
}

/** A copy with the record that it stands for. */
export interface StoredCopy {
  readonly record: PageRecord;
  readonly links: PageLinks;
  /** When the page was fetched, or last confirmed by its host. */
  readonly checkedAtMs: number;
  /** What its host can confirm it by; undefined where it can't. */
  readonly validators: FetchRequest['validators'];
}

/** What is written about a page together with its record: a new copy, or that the one that is there still holds. */
export type CopyChange =
  | (Omit<StoredCopy, 'record'> & { readonly kind: 'new'; readonly key: CopyKey })
  | { readonly kind: 'renewed'; readonly key: CopyKey; readonly checkedAtMs: number };

/** A page as a crawl keeps it: its record, and what is remembered for the next crawl. Whatever stores it writes both, or neither. */
export interface KeptPage {
  readonly record: PageRecord;
  readonly copy: CopyChange | undefined;
}

/** Finds copies. They are written with the pages that a crawl keeps. */
export interface PageCopies {
  /** The copy under `key`; undefined when there is none, or when its record was deleted. */
  find(key: CopyKey): Promise<StoredCopy | undefined>;
}
