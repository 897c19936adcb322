// The HTTP kernel that the agent and the cloud share.
export * from './actor.ts';
export * from './errors.ts';
export * from './guard.ts';
export * from './handlers.ts';
export * from './idempotency.ts';
export * from './json.ts';
export * from './kernel.ts';
export * from './listen.ts';
export * from './message.ts';
export * from './policy.ts';
export * from './rate.ts';
export * from './streams.ts';
export * from './websocket.ts';
