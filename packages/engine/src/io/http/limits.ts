// The bounds of one request: how long each phase may take and how much may arrive.

/** The bounds of one request; times in milliseconds. */
export interface HttpLimits {
  /** TCP and TLS handshake together. */
  readonly connectMs: number;
  /** From the sent request to the complete response headers. */
  readonly headersMs: number;
  /** Between two pieces of a body. */
  readonly idleMs: number;
  /** The whole request, redirects included. */
  readonly totalMs: number;
  /** The body, after decompression as well as before. */
  readonly bodyBytesMax: number;
  /** All response header lines together; Chrome's limit. */
  readonly headerBytesMax: number;
  readonly redirectsMax: number;
}

/** The bounds that hold where nothing else is asked for. */
export const DEFAULT_LIMITS: HttpLimits = {
  connectMs: 10_000,
  headersMs: 15_000,
  idleMs: 15_000,
  totalMs: 30_000,
  bodyBytesMax: 25_000_000,
  headerBytesMax: 262_144,
  redirectsMax: 10,
};
