// The engine's outside: network, browser, workers. Programs wire these to the ports.
export { createAddressGate } from './gate/gate.ts';
export type { AddressGate, AddressPolicy, CheckedTarget, Visit } from './gate/gate.ts';
export { describeRefusal, refusalError, shownUrl } from './gate/refusal.ts';
export type { RefusalReason } from './gate/refusal.ts';
export type { Resolve } from './gate/resolve.ts';
export { createHttpFetcher, DEFAULT_USER_AGENT } from './http/fetcher.ts';
export type { HttpFetcherOptions } from './http/fetcher.ts';
export { DEFAULT_LIMITS } from './http/limits.ts';
export type { HttpLimits } from './http/limits.ts';
export type { DialTo } from './http/connections.ts';
export type { PageCache } from './http/cache.ts';
export { rateLimitedError, retryAfterMs } from './http/retry-after.ts';
export { createCookieStore } from './cookies.ts';
export type { CookieJarStore, CookieRecord } from './cookies.ts';
export { createViewPool } from './views/pool.ts';
export type { ViewPool, ViewPoolOptions } from './views/pool.ts';
