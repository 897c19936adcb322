// The contract: operations, nouns, errors, tokens, limits. Depends on zod alone and runs in a browser.
export * from './errors.ts';
export * from './ids.ts';
export * from './limits.ts';
export * from './operation.ts';
export * from './tokens.ts';
export * from './openapi.ts';
export * from './daemon/scopes.ts';
export * from './daemon/table.ts';
export * from './extra/table.ts';
export * from './resources/agent.ts';
export * from './resources/crawl.ts';
export * from './resources/error.ts';
export * from './resources/event.ts';
export * from './resources/key.ts';
export * from './resources/page.ts';
export * from './resources/run.ts';
