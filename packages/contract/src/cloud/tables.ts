// The operation tables of the cloud.
import { accountKeys, credits } from './account.ts';
import { crawls, jobs } from './crawl.ts';
import { keyless } from './keyless.ts';
import { mcp } from './mcp.ts';
import { scrape } from './scrape.ts';
import { targetHistory } from './target-history.ts';
import { targets } from './target.ts';
import { webhooks } from './webhook.ts';

/** Operations of the specification. */
export const CLOUD_TABLE = { scrape, crawls, targets, keyless, mcp } as const;
/** The type that its handlers and clients derive from. */
export type CloudTable = typeof CLOUD_TABLE;

/** Management of accounts, under /api/account (D1). */
export const ACCOUNT_TABLE = { accountKeys, credits, jobs, targetHistory, webhooks } as const;
/** The type that its handlers and clients derive from. */
export type AccountTable = typeof ACCOUNT_TABLE;

/** What each group is, in a sentence. */
export const ABOUT_CLOUD_GROUPS: Readonly<Record<string, string>> = {
  scrape: 'One page, asked for and answered at once.',
  crawls: 'Many pages of a site, in the background.',
  targets: 'Pages that are looked at again and again, and what changed of them.',
  keyless: 'Public pages without a key, within a daily allowance.',
  mcp: 'The Model Context Protocol.',
  accountKeys: 'The keys of an account.',
  credits: 'What an account has, and where it went.',
  jobs: 'What an account has started: to list, to cancel, to delete.',
  targetHistory: 'What checks of targets came to, and what they saw.',
  webhooks: 'Where programs are told of what happened, and what was sent there.',
};
