import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFrontier } from '../../packages/daemon/src/crawl/frontier.ts';
import { createCrawlStore } from '../../packages/daemon/src/crawl/store.ts';
import { openDatabase } from '../../packages/daemon/src/db/open.ts';
import { createRunStore } from '../../packages/daemon/src/runs/store.ts';
import { frontierStoreSuite } from './frontier-store-suite.ts';

const LEDGER_MAX = 1_000_000;

frontierStoreSuite('SQLite', async () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-store-'));
  const database = openDatabase({ path: join(home, 'weft.db'), backups: home, nowMs: 0 });
  const crawls = createCrawlStore(database);
  const source = { source_kind: 'url', source_id: null, source_name: 'https://shop.test/' };
  const runId = createRunStore(database).insert({ kind: 'crawl', ...source, owner_id: 'runtime', created_at: 0 }, (id) => {
    crawls.insert(id, source.source_name, '{}');
    return null;
  });
  const results: string[] = [];
  const open = () => openFrontier<string>(database, runId, (kept) => void results.push(...kept));
  return {
    store: open(),
    again: async () => open(),
    ledger: async () =>
      crawls.ledger(runId, {}, 0, LEDGER_MAX).map((row) => ({
        url: row.url,
        outcome: row.outcome,
        reason: row.reason ?? undefined,
        rule: row.rule ?? undefined,
        parent: row.parent ?? undefined,
        source: row.source as 'link',
        depth: row.depth,
        status: row.status ?? undefined,
        finalUrl: row.final_url ?? undefined,
        contentHash: row.content_hash ?? undefined,
      })),
    results: async () => results,
    close: async () => {
      database.close();
      rmSync(home, { recursive: true });
    },
  };
});
