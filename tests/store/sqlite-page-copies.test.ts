import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCopyStore } from '../../packages/daemon/src/crawl/copy-store.ts';
import { createDatasetStore } from '../../packages/daemon/src/datasets/store.ts';
import { createDatasetWriter } from '../../packages/daemon/src/datasets/writer.ts';
import { openDatabase, transaction } from '../../packages/daemon/src/db/open.ts';
import { pageCopiesSuite } from './page-copies-suite.ts';

pageCopiesSuite('SQLite', async () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-copies-'));
  const database = openDatabase({ path: join(home, 'weft.db'), backups: home, nowMs: 0 });
  const copies = createCopyStore(database);
  const datasets = createDatasetWriter(createDatasetStore(database));
  const datasetId = datasets.ensure({ kind: 'pages', id: null }, 'pages', 0);
  return {
    copies,
    keep: async ({ record, copy }) =>
      transaction(database.fast, () => {
        const [id = 0] = datasets.addRecords(datasetId, [{ run_id: 1, key: record.url, created_at: 0, body: record }]);
        if (copy) copies.write(copy, id);
      }),
    deleteRecords: async () => void database.fast.exec('DELETE FROM record'),
    close: async () => {
      database.close();
      rmSync(home, { recursive: true });
    },
  };
});
