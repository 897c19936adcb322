// Says whose links are followed among the addresses that show a known page: equal text may lead elsewhere, and must not lead on for ever.
import { fingerprint } from './fingerprint.ts';

/** As many as outweigh one page with content of its own, see trap-memory. */
const DUPLICATES_MAX = 10;
const ADDRESSES_MAX = 10_000;

/** Equal text says nothing of where links lead: a folder at another revision lists the same names. Not saved, as pages after a restart show it anew. */
export class DuplicateLinks {
  /** Duplicates whose links were followed, the oldest first. */
  private readonly followed = new Set<number>();
  /** How many of them show one page. */
  private readonly counts = new Map<number, number>();

  /** Whether the links of `url` are followed, which shows what `kept` shows and was found on `parent`: never those of a duplicate that only another one led to. */
  take(url: string, kept: string, parent: string | undefined): boolean {
    if (parent !== undefined && this.followed.has(fingerprint(parent))) return false;
    const page = fingerprint(kept);
    const count = this.counts.get(page) ?? 0;
    if (count >= DUPLICATES_MAX) return false;
    this.counts.set(page, count + 1);
    this.followed.add(fingerprint(url));
    for (const addresses of [this.counts, this.followed]) {
      const [oldest] = addresses.keys();
      if (addresses.size > ADDRESSES_MAX && oldest !== undefined) addresses.delete(oldest);
    }
    return true;
  }
}
