// A number for a text, by which texts are found again without being kept.

/** 53 bits of a text, as an integer: two of a million texts share one in every ten thousand crawls. */
export function fingerprint(text: string): number {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    low = Math.imul(low ^ text.charCodeAt(i), 2654435761);
    high = Math.imul(high ^ text.charCodeAt(i), 1597334677);
  }
  return 4294967296 * (high & 0x1fffff) + (low >>> 0);
}
