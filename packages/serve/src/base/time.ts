// Instants as the wire shows them.

/** Epoch milliseconds as RFC 3339, UTC, with milliseconds. */
export function toInstant(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** True for a stored instant that is at most `ageMs` old; of one that is yet to come, since the clock was set back, nobody knows. */
export function isWithin(atMs: number, ageMs: number, nowMs: number): boolean {
  return nowMs >= atMs && nowMs - atMs <= ageMs;
}
