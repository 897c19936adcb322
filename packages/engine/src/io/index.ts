// The engine's outside: network, browser, workers. Programs wire these to the ports.
export { createAddressGate } from './gate/gate.ts';
export { systemClock } from './clock.ts';
export { isNoBrowser } from './browser/program/find.ts';
export { createFetcher } from './fetcher.ts';
export type { BrowserState } from './fetcher.ts';
export { createCookieStore } from './cookies.ts';
export { createDesktop } from './notices/desktop.ts';
export { createMailer } from './notices/mail.ts';
export { createModel } from './model/model.ts';
export type { OpenModel } from './model/model.ts';
export { proxyFinder } from './proxy/finder.ts';
export { createSlots } from './slots.ts';
export { createViewPool } from './views/pool.ts';
export type { ViewPool } from './views/pool.ts';
