// What the group crawl adds to the tables.
import type { Group } from '../../group.ts';
import { crawl as extraCrawl } from './extra-rows.ts';
import { crawl, crawlDefinitions } from './rows.ts';

export const group = {
  specified: { crawl, crawlDefinitions },
  extra: { crawl: extraCrawl },
  about: { crawl: 'Pages and whole sites, fetched and kept.', crawlDefinitions: 'Saved crawls.' },
} as const satisfies Group;
