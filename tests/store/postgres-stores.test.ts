import { after, before } from 'node:test';
import { openFrontier } from '../../packages/cloud/src/crawl/frontier.ts';
import type { KeptResult } from '../../packages/cloud/src/crawl/ledger-change.ts';
import { keepPages, pageCopiesOf } from '../../packages/cloud/src/crawl/pages.ts';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { testDatabase } from '../cloud.ts';
import { frontierStoreSuite } from './frontier-store-suite.ts';
import type { LedgerEntry } from './frontier-store-suite.ts';
import { pageCopiesSuite } from './page-copies-suite.ts';

const made = { close: async () => undefined } as { database?: Database; close(): Promise<void> };
let crawls = 0;

before(async () => {
  const own = await testDatabase();
  const database = await openDatabase(own.url);
  await database.rows(`INSERT INTO account (id, name) VALUES ('acct_test', 'test')`);
  made.database = database;
  made.close = async () => {
    await database.close();
    await own[Symbol.asyncDispose]();
  };
});

after(() => made.close());

function opened(): Database {
  if (!made.database) throw new Error('The database is made before the tests.');
  return made.database;
}

/** A new crawl; its number. */
async function newCrawl(accountId = 'acct_test'): Promise<number> {
  const row = await opened().find<{ number: number }>(
    `INSERT INTO crawl (id, account_id, url, options, hold_id, budget, pages_max) VALUES ($1, $2, 'https://shop.test/', '{}', 'hold_test', 0, 1)
     RETURNING number`,
    [`crl_${(crawls += 1)}`, accountId],
  );
  return row?.number ?? 0;
}

frontierStoreSuite('PostgreSQL', async () => {
  const database = opened();
  const crawl = await newCrawl();
  const results: string[] = [];
  const keep = async (kept: readonly KeptResult<string>[]) => void results.push(...kept.map(({ result }) => result));
  const open = () => openFrontier<string>(database, crawl, { mayOpen: async () => undefined, keep });
  return {
    store: open(),
    again: async () => open(),
    async ledger() {
      const lines = await database.rows<Record<string, unknown>>(
        `SELECT url, state AS outcome, reason, rule, parent, source, depth, status, final_url, content_hash FROM crawl_url
         WHERE crawl = $1 ORDER BY id`,
        [crawl],
      );
      return lines.map(({ final_url: finalUrl, content_hash: contentHash, ...line }) => {
        const entry = Object.entries({ ...line, finalUrl, contentHash }).map(([name, value]) => [name, value ?? undefined]);
        return Object.fromEntries(entry) as LedgerEntry;
      });
    },
    results: async () => results,
    close: async () => undefined,
  };
});

pageCopiesSuite('PostgreSQL', async () => {
  const database = opened();
  const owner = { accountId: 'acct_test', crawl: await newCrawl() };
  let urlId = 0;
  return {
    copies: pageCopiesOf(database, owner.accountId),
    keep: (result) => database.transaction(() => keepPages(database, owner, [{ urlId: (urlId += 1), outcome: 'fetched', result }])),
    deleteRecords: async () => void (await database.rows('DELETE FROM crawl_page')),
    close: async () => void (await database.rows('DELETE FROM crawl_page')),
  };
});
