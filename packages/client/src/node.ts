// The client on Node: finds the agent by itself.
export * from './index.ts';
export * from './discovery.ts';
