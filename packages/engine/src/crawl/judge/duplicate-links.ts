// Says whose links are followed among the addresses that show a known page: equal text may lead elsewhere, and must not lead on for ever.
import { fingerprint } from './fingerprint.ts';

/** As many as outweigh one page with content of its own, see trap-memory. */
const DUPLICATES_MAX = 10;
/** Duplicates in a row from one page of its own to the next: a folder at another revision, and one below it. */
const STEPS_MAX = 2;
const ADDRESSES_MAX = 10_000;

/** Equal text says nothing of where links lead: a folder at another revision lists the same names. Not saved, as pages after a restart show it anew. */
export class DuplicateLinks {
  /** Duplicates whose links were followed, each with its steps from the last page that was none; the oldest first. */
  private readonly followed = new Map<number, number>();
  /** How many of them show one page. */
  private readonly counts = new Map<number, number>();

  /** Whether the links of `url` are followed, which shows what `kept` shows and was found on `parent`: only a few steps away from a page of its own. */
  take(url: string, kept: string, parent: string | undefined): boolean {
    const steps = parent === undefined ? 0 : (this.followed.get(fingerprint(parent)) ?? 0);
    if (steps >= STEPS_MAX) return false;
    const page = fingerprint(kept);
    const count = this.counts.get(page) ?? 0;
    if (count >= DUPLICATES_MAX) return false;
    this.counts.set(page, count + 1);
    this.followed.set(fingerprint(url), steps + 1);
    for (const addresses of [this.counts, this.followed]) {
      const [oldest] = addresses.keys();
      if (addresses.size > ADDRESSES_MAX && oldest !== undefined) addresses.delete(oldest);
    }
    return true;
  }
}
