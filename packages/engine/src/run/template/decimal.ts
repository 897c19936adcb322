// Sums of decimals as people write them: 0.1 and 0.2 are 0.3.

/** Digits that a sum keeps behind its point. */
const DIGITS_MAX = 10;

/** `join` of two numbers, rounded to the digits that both can have; null where one is no number. */
export function joinDecimals(join: (a: number, b: number) => number, first: unknown, second: unknown): number | null {
  const [a, b] = [numberOf(first), numberOf(second)];
  if (a === undefined || b === undefined) return null;
  const made = join(a, b);
  return Number.isFinite(made) ? Number(made.toFixed(DIGITS_MAX)) : null;
}

/** The number that a value is or is written as. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(value) ? Number(value) : undefined;
}
