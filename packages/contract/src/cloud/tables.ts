// The operation tables of the cloud.
import { account, accountKeys } from './account.ts';
import { accountBuilds, cloudBuilds } from './builds.ts';
import { credits } from './credits.ts';
import { crawls, jobs } from './crawl.ts';
import { keyless } from './keyless.ts';
import { mcp } from './mcp.ts';
import { pictures } from './pictures.ts';
import { consumerKeys, publish, published, publishedRuns } from './publish.ts';
import { scrape } from './scrape.ts';
import { targetHistory } from './target-history.ts';
import { targets } from './target.ts';
import { webhooks } from './webhook.ts';

/** Operations of the specification. */
export const CLOUD_TABLE = { scrape, crawls, targets, cloudBuilds, keyless, published, mcp } as const;
/** The type that its handlers and clients derive from. */
export type CloudTable = typeof CLOUD_TABLE;

/** Management of accounts, under /api/account (D1). */
export const ACCOUNT_TABLE = {
  account,
  accountKeys,
  accountBuilds,
  credits,
  jobs,
  pictures,
  publish,
  consumerKeys,
  publishedRuns,
  targetHistory,
  webhooks,
} as const;
/** The type that its handlers and clients derive from. */
export type AccountTable = typeof ACCOUNT_TABLE;

/** What each group is, in a sentence. */
export const ABOUT_CLOUD_GROUPS: Readonly<Record<string, string>> = {
  scrape: 'One page, asked for and answered at once.',
  crawls: 'Many pages of a site, in the background.',
  cloudBuilds: 'A site becomes an API, and each function is proved.',
  targets: 'Pages that are looked at again and again, and what changed of them.',
  keyless: 'Public pages without a key, within a daily allowance.',
  published: 'Workflows of owners, called by whoever has a key for them.',
  mcp: 'The Model Context Protocol.',
  account: 'The account itself.',
  accountKeys: 'The keys of an account.',
  accountBuilds: 'Whether what was built still holds, and what replaces it.',
  credits: 'What an account has, where it went, and what calls cost.',
  pictures: 'Pictures of pages, read by links that expire.',
  jobs: 'What an account has started: to list, to cancel, to delete.',
  publish: 'Workflows as functions that others call.',
  consumerKeys: 'The keys that functions are called by.',
  publishedRuns: 'What calls of functions came to.',
  targetHistory: 'What checks of targets came to, and what they saw.',
  webhooks: 'Where programs are told of what happened, and what was sent there.',
};
