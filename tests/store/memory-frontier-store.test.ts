import { frontierStoreSuite } from './frontier-store-suite.ts';
import { CrawlTables, MemoryFrontierStore } from '../../packages/engine/src/crawl/memory-frontier.ts';

frontierStoreSuite('memory', async () => {
  const tables = new CrawlTables<string>();
  const store = new MemoryFrontierStore(tables);
  return {
    store,
    again: async () => new MemoryFrontierStore(tables),
    ledger: async () => store.ledger(),
    results: async () => tables.results.map(({ result }) => result),
    close: async () => undefined,
  };
});
