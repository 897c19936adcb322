// Sums and shares over a list.

/** The sum of what `of` gives for each value. */
export function sum<Value>(values: readonly Value[], of: (value: Value) => number): number {
  let total = 0;
  for (const value of values) total += of(value);
  return total;
}

/** The share of the values for which `is` holds, 0 to 1; 0 of none. */
export function share<Value>(values: readonly Value[], is: (value: Value) => boolean): number {
  return values.filter(is).length / (values.length || 1);
}

/** The mean of what `of` gives, 0 of none. */
export function mean<Value>(values: readonly Value[], of: (value: Value) => number): number {
  return sum(values, of) / (values.length || 1);
}

/** The upper median, 0 of none. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
