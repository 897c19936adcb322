// The parts of TLS that the agent starts with; loaded only when the HTTPS twin is.
export { ensureAuthority } from './authority.ts';
export { leafSource } from './leaf.ts';
