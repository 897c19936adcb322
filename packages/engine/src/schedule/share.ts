// A share for each occurrence that is the same whenever it is asked for: a restart moves nothing.

/** From 0 to below 1, as good as evenly spread over things and their occurrences: FNV-1a of both, mixed by MurmurHash3's last step. */
export function shareOf(seed: string, occurrenceMs: number): number {
  let hash = 0x811c9dc5;
  for (const char of `${seed} ${occurrenceMs}`) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
