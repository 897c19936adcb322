// The numbers that callers meet, in one place. Units are in the names.

/** Every bound that a caller can run into; servers enforce them, clients and documents quote them. */
export const LIMITS = {
  /** `wait=true` (specification, Limits). */
  waitSecondsMin: 1,
  waitSecondsMax: 3600,
  waitSecondsDefault: 120,
  /** Lists (D6). */
  listLimitMax: 500,
  listLimitDefault: 50,
  /** A JSON request body. */
  bodyBytesMax: 1_048_576,
  /** An uploaded file. */
  uploadBytesMax: 5_368_709_120,
  /** Nesting of a JSON request body. */
  jsonDepthMax: 64,
  /** Members of one object in a JSON request body. */
  jsonMembersMax: 10_000,
  /** Request rate per token (D9). */
  ratePerMinute: 600,
  rateBurst: 60,
  runtimeRatePerMinute: 6000,
  runtimeRateBurst: 600,
  /** Failed authentications per address and second (D3). */
  authFailuresPerSecond: 10,
  /** WebSocket tickets (D17). */
  ticketSeconds: 30,
  /** Of a link that a person opens by hand: as long as a code of `weft oauth approve` is good. */
  screenTicketSeconds: 300,
  wsFrameBytesMax: 65_536,
  wsFramesPerSecond: 100,
  /** Idempotency keys (D8). */
  idempotencyHours: 24,
  /** Runs waiting to start (D40). */
  queuedRunsMax: 1000,
  /** Pages of one crawl. */
  crawlPagesMax: 1_000_000,
  urlLengthMax: 8192,
} as const;
