// Sets of up to 32 small numbers, kept as the bits of one.

/** The numbers in `set`, the smallest first. */
export function bitsOf(set: number): readonly number[] {
  if (set === 0) return NONE;
  const bits: number[] = [];
  for (let rest = set; rest !== 0; rest &= rest - 1) bits.push(31 - Math.clz32(rest & -rest));
  return bits;
}

const NONE: readonly number[] = [];
