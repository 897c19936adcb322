// Instants as the wire shows them.

/** Epoch milliseconds as RFC 3339, UTC, with milliseconds. */
export function toInstant(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
