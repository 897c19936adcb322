// The contract: operations, nouns, errors, tokens, limits. Depends on zod alone and runs in a browser.
export * from './diff.ts';
export * from './errors.ts';
export * from './ids.ts';
export * from './limits.ts';
export * from './schedule.ts';
export * from './operation.ts';
export * from './tokens.ts';
export * from './openapi.ts';
export * from './error-body.ts';
export * from './generated/groups.ts';
export * from './tables.ts';
export * from './cloud/account.ts';
export * from './cloud/crawl.ts';
export * from './cloud/keyless.ts';
export { PUBLISHED_CHARACTERS_MAX, PUBLISHED_SECONDS, PublishableWorkflow, PublishedAnswer, RESERVED_SLUGS } from './cloud/publish.ts';
export * from './cloud/scrape.ts';
export { MappedSite } from './groups/map/extra-rows.ts';
export * from './cloud/tables.ts';
