// How two public benchmarks score an extracted text against the truth.

/** Shares of a page's four-word shingles: found and true, found and false, missed. */
export type ShingleShares = readonly [hit: number, extra: number, missed: number];

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_]+/gu) ?? [];

function countsOf(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

function shinglesOf(text: string): Map<string, number> {
  const words = wordsOf(text);
  const shingles: string[] = [];
  for (let i = 0; i < Math.max(1, words.length - 3); i++) shingles.push(words.slice(i, i + 4).join('\u0001'));
  return countsOf(shingles.filter((shingle) => shingle !== ''));
}

/** article-extraction-benchmark: bag of four-word shingles, every page brought to a sum of 1. */
export function shinglePage(truth: string, text: string): ShingleShares {
  const wanted = shinglesOf(truth);
  const found = shinglesOf(text);
  let hit = 0;
  let extra = 0;
  let missed = 0;
  for (const [shingle, count] of wanted) {
    const have = found.get(shingle) ?? 0;
    hit += Math.min(count, have);
    missed += Math.max(0, count - have);
  }
  for (const [shingle, count] of found) extra += Math.max(0, count - (wanted.get(shingle) ?? 0));
  const sum = hit + extra + missed || 1;
  return [hit / sum, extra / sum, missed / sum];
}

/** Mean precision and mean recall over the pages that have one, and their F1. */
export function shingleTotal(rows: readonly ShingleShares[]): { readonly f1: number; readonly precision: number; readonly recall: number } {
  const ratios = (pairs: readonly (readonly [number, number])[]): number => {
    const defined = pairs.filter(([hit, other]) => hit + other > 0);
    return defined.reduce((sum, [hit, other]) => sum + hit / (hit + other), 0) / (defined.length || 1);
  };
  const precision = ratios(rows.map(([hit, extra]) => [hit, extra]));
  const recall = ratios(rows.map(([hit, , missed]) => [hit, missed]));
  return { f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall), precision, recall };
}

/** web-content-extraction-benchmark: F1 of the bag of lower-cased words; an empty truth wants an empty text. */
export function wordPage(truth: string, text: string): number {
  const wanted = wordsOf(truth.toLowerCase());
  const found = wordsOf(text.toLowerCase());
  if (wanted.length === 0 || found.length === 0) return wanted.length === found.length ? 1 : 0;
  const left = countsOf(wanted);
  let overlap = 0;
  for (const word of found) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    overlap++;
    left.set(word, count - 1);
  }
  return (2 * overlap) / (wanted.length + found.length);
}
