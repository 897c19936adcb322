// Remembers which numbers were seen, in memory that does not grow: sometimes it takes a new one for seen, never the other way round.

/** Bits; a quarter of a megabyte. */
const BITS = 2 ** 21;
/** With so many numbers one new one in sixteen would be taken for seen. */
const COUNT_MAX = BITS / 16;
const WORD_BITS = 32;
/** Knuth, "The Art of Computer Programming" 3, 6.4: multiplied by the golden ratio, the high bits depend on all others. */
const GOLDEN = 0x9e3779b1;

/** A set of 32-bit numbers, one bit each by their hash. */
export class SeenNumbers {
  private bits: Int32Array | undefined;
  private count = 0;

  /** Whether it holds too many to tell new ones from seen ones. */
  get isFull(): boolean {
    return this.count >= COUNT_MAX;
  }

  /** Notes a number; true where it was not there. Nothing is new once the set is full. */
  add(number: number): boolean {
    if (this.isFull) return false;
    this.bits ??= new Int32Array(BITS / WORD_BITS);
    const bit = Math.imul(number, GOLDEN) >>> 11;
    const word = this.bits[bit >>> 5] as number;
    const mask = 1 << (bit & 31);
    if ((word & mask) !== 0) return false;
    this.bits[bit >>> 5] = word | mask;
    this.count++;
    return true;
  }
}
