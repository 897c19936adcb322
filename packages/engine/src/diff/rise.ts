// The longest rising part of a row of numbers: what kept its order.

/** The places of a longest strictly rising subsequence of `numbers`, in order; O(n log n) by patience sorting (Fredman 1975). */
export function longestRise(numbers: readonly number[]): number[] {
  /** The place of the smallest number that ends a rise of each length. */
  const ends: number[] = [];
  const before = new Int32Array(numbers.length).fill(-1);
  numbers.forEach((number, place) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[place] = ends[low - 1] ?? -1;
    ends[low] = place;
  });
  const rise: number[] = [];
  for (let place = ends.at(-1) ?? -1; place >= 0; place = before[place] ?? -1) rise.push(place);
  return rise.reverse();
}
