// The order of versions.

/**
 * Below 0 where `a` comes before `b`. Numbers go by size and words by their characters; what goes on with a word comes before what ends
 * there, as in Semantic Versioning 2.0.0 (11): 1.2-rc, 1.2, 1.2.1.
 */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [partsOf(a), partsOf(b)];
  for (let i = 0; i < Math.max(first.length, second.length); i++) {
    const order = compareParts(first[i], second[i]);
    if (order !== 0) return order;
  }
  return 0;
}

function partsOf(version: string): readonly string[] {
  return (
    version
      .toLowerCase()
      .replace(/^v(?=\d)/, '')
      .match(/\d+|\p{L}+/gu) ?? []
  );
}

function compareParts(a: string | undefined, b: string | undefined): number {
  if (a === undefined) return b !== undefined && isNumber(b) ? -1 : 1;
  if (b === undefined) return isNumber(a) ? 1 : -1;
  if (isNumber(a) && isNumber(b)) return Number(a) - Number(b);
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function isNumber(part: string): boolean {
  return /^\d/.test(part);
}
