// Compares the names that a page gives its product: headings, titles, stated names.

/** The words of a name in lower case, for comparing names. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

/** Share of words in common, 0 to 1 (overlap by the smaller set, damped where the sizes differ much). */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const smaller = a.size < b.size ? a : b;
  const larger = smaller === a ? b : a;
  if (smaller.size === 0) return 0;
  let common = 0;
  for (const word of smaller) if (larger.has(word)) common++;
  return (common / smaller.size) * (smaller.size === 1 && larger.size > 4 ? 0.6 : 1);
}
