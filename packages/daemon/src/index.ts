// What tests and programs start: the agent as an object.
export { startAgent } from './start.ts';
export type { AgentOptions, RunningAgent } from './start.ts';
export { readConfig } from './config.ts';
export type { Config } from './config.ts';
