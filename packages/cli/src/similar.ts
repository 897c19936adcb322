// Words that are nearly those of a command.

/** commander's own rule for what it suggests: at most three slips, and more than two fifths of the longer word right. */
const SLIPS_MAX = 3;
const RIGHT_MIN = 0.4;

/** The one of `words` that `typed` is most like; undefined where none is. */
export function similarWord(typed: string, words: readonly string[]): string | undefined {
  const known = words.map((word) => ({ word, slips: slipsBetween(typed, word) }));
  const near = known.filter(({ word, slips }) => {
    const length = Math.max(typed.length, word.length);
    return slips <= SLIPS_MAX && (length - slips) / length > RIGHT_MIN;
  });
  return near.toSorted((a, b) => a.slips - b.slips)[0]?.word;
}

/** Letters that are missing, too many, wrong or in the wrong order (optimal string alignment distance). */
function slipsBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const cost = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const ways = [cost(i - 1, j) + 1, cost(i, j - 1) + 1, cost(i - 1, j - 1) + (isSame ? 0 : 1)];
      rows[i]?.push(Math.min(...ways, isSwapped ? cost(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY));
    }
  }
  return cost(a.length, b.length);
}
