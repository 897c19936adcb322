// What the engine offers to programs: pure parts only. Network, browser and workers are in `@weft/engine/io`.
export * from './errors.ts';
export * from './ports.ts';
export * from './html/tree.ts';
export * from './document.ts';
export * from './views.ts';
export * from './parse.ts';
export type * from './crawl/crawl-ports.ts';
export type * from './crawl/ledger.ts';
export * from './crawl/options.ts';
export * from './crawl/store.ts';
export { MemoryHostGate } from './crawl/host-pace.ts';
export { mapSite } from './crawl/map-site.ts';
export type { MapLink, MapOptions, MapPorts, SiteMap } from './crawl/map-site.ts';
export { RobotsCache } from './crawl/robots-cache.ts';
export { runCrawl } from './crawl/run-crawl.ts';
export { decideRobots } from './robots/decide.ts';
