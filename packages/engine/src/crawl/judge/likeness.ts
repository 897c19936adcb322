// Tells from two sketches whether two pages differ by a line or by what they are about.

/** Bits of a sketch. */
const BITS = 256;
/** Texts between tags that pages may differ in and still be one, see bench/quality/near-pages.ts. */
const DIFFERING_MAX = 6;
const DIFFERING_SHARE_MAX = 0.08;

/**
 * How many texts stand on one page and not on the other, estimated; Infinity where they are too many to tell. The sketches are odd sketches
 * (Mitzenmacher, Pagh, Pham: "Efficient estimation for high similarities using odd sketches", WWW 2014): their difference is the sketch
 * of what differs.
 */
export function differingTexts(left: string, right: string): number {
  const [, a = ''] = left.split('.');
  const [, b = ''] = right.split('.');
  if (a.length !== BITS / 4 || b.length !== BITS / 4) return Infinity;
  let ones = 0;
  for (let i = 0; i < a.length; i += 8) ones += bitsOf(Number.parseInt(a.slice(i, i + 8), 16) ^ Number.parseInt(b.slice(i, i + 8), 16));
  return ones * 2 >= BITS ? Infinity : (-BITS / 2) * Math.log(1 - (2 * ones) / BITS);
}

/** Whether two pages are one but for a line: a heading of a form, a clock, a counter. Pages without a sketch are like none. */
export function isAlike(left: string, right: string): boolean {
  const texts = Math.max(textsOf(left), textsOf(right));
  return differingTexts(left, right) <= Math.min(DIFFERING_MAX, texts * DIFFERING_SHARE_MAX);
}

function textsOf(sketch: string): number {
  return Number.parseInt(sketch.split('.', 1)[0] ?? '', 16) || 0;
}

function bitsOf(number: number): number {
  let count = 0;
  for (let rest = number >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) count++;
  return count;
}
