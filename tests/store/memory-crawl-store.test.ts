import { crawlStoreSuite } from './crawl-store-suite.ts';
import { CrawlTables, MemoryCrawlStore } from './memory-crawl-store.ts';

crawlStoreSuite('memory', async () => {
  const tables = new CrawlTables<string>();
  const store = new MemoryCrawlStore(tables);
  return {
    store,
    again: async () => new MemoryCrawlStore(tables),
    ledger: async () => store.ledger(),
    results: async () => tables.results.map(({ result }) => result),
    close: async () => undefined,
  };
});
