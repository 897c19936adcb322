// Remembers at which depth addresses were offered, in memory that never grows: a crawl of any size keeps no text of them.

const WAYS = 4;
const BUCKETS = 32_768;

/**
 * The smallest depth of about 130,000 addresses, two of which are confused once in 2^64. An address can be forgotten when others come,
 * and is then as good as new.
 */
export class UrlDepths {
  private readonly lows = new Int32Array(BUCKETS * WAYS);
  private readonly highs = new Int32Array(BUCKETS * WAYS);
  /** One more than the depth; 0 where nothing is. */
  private readonly depths = new Int32Array(BUCKETS * WAYS);
  private turn = 0;

  /** Notes that `url` was met at `depth`; false when it was met there or nearer before. */
  lower(url: string, depth: number): boolean {
    let low = 0x811c9dc5 | 0;
    let high = 0x41c6ce57 | 0;
    for (let i = 0; i < url.length; i++) {
      const c = url.charCodeAt(i);
      low = Math.imul(low ^ c, 16777619);
      high = Math.imul(high ^ c, 1597334677);
    }
    // The low bits of such products know only the low bits of the text.
    low ^= low >>> 15;
    high ^= (high >>> 13) ^ url.length;
    const first = (low & (BUCKETS - 1)) * WAYS;
    const slot = this.slotOf(first, low, high);
    const known = this.depths[slot] as number;
    if (known !== 0 && known <= depth + 1) return false;
    this.lows[slot] = low;
    this.highs[slot] = high;
    this.depths[slot] = depth + 1;
    return true;
  }

  /** Where the address is, or where it goes: a free place, else one that is given up and emptied. */
  private slotOf(first: number, low: number, high: number): number {
    for (let slot = first; slot < first + WAYS; slot++)
      if (this.depths[slot] === 0 || (this.lows[slot] === low && this.highs[slot] === high)) return slot;
    const slot = first + (this.turn++ % WAYS);
    this.depths[slot] = 0;
    return slot;
  }
}
