// The TypeScript client. This entry is safe in a browser; `@weft/client/node` adds discovery.
export * from './client.ts';
export * from './cloud.ts';
export * from './errors.ts';
export * from './settled.ts';
export * from './sse.ts';
export type { AgentMethods, CallInput, CloudMethods, CallOptions, CallResult, Method } from './methods.ts';
export type { TransportOptions, TransportRequest } from './transport.ts';
export type { ScrapeOptions } from './scrape.ts';
export type { WaitOptions } from './wait.ts';
