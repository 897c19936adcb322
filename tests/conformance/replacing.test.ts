// Rows of runs whose agent died while one replaced the other, or was deleted: what is shown is always one whole run (D24).
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { prepareSearch } from '../../packages/daemon/src/datasets/reader/search.ts';
import { createDatasetRunStore } from '../../packages/daemon/src/datasets/run-store.ts';
import { createDatasetStore } from '../../packages/daemon/src/datasets/store.ts';
import { createDatasetUpkeep } from '../../packages/daemon/src/datasets/upkeep.ts';
import { createDatasetWriter } from '../../packages/daemon/src/datasets/writer.ts';
import type { Database } from '../../packages/daemon/src/db/open.ts';
import { transaction } from '../../packages/daemon/src/db/open.ts';
import { createRunStore } from '../../packages/daemon/src/runs/store.ts';
import { act, MOMENTS, openHome } from './dies-replacing.ts';
import { checkRecords } from './database-facts.ts';

const DYING = join(import.meta.dirname, 'dies-replacing.ts');
/** How many rows each run brought, the first first. */
const ROWS = [450, 300, 500];

for (const replacedBy of ['run', 'key'] as const)
  suite(`rows that are replaced by ${replacedBy}`, () => {
    const home = mkdtempSync(join(tmpdir(), 'weft-replacing-'));
    before(() => fill(home, replacedBy));
    after(() => rmSync(home, { recursive: true }));

    const moments = Object.entries(MOMENTS).filter(([, { isByKey = false }]) => isByKey || replacedBy === 'run');
    for (const [name, moment] of moments)
      test(`kill -9 when ${name}: the view is whole, and what was begun can be finished`, async () => {
        using ground = copyOf(home);
        assert.equal(await die(ground.path, name), 'SIGKILL');
        using opened = openCopy(ground.path);
        assertWhole(opened.database, replacedBy);
        await createDatasetUpkeep(createDatasetRunStore(opened.database)).sweep();
        assertWhole(opened.database, replacedBy);
        await act(opened.database, moment);
        assertWhole(opened.database, replacedBy);
        if (moment.act === 'drop') assert.deepEqual(runsIn(opened.database), [1, 3]);
      });
  });

/** Three runs of one dataset: the third is live, the second is shown, and the first is out of the index. */
async function fill(home: string, replacedBy: 'run' | 'key'): Promise<void> {
  const database = openHome(home);
  const writer = createDatasetWriter(createDatasetStore(database));
  const runs = createRunStore(database);
  const dataset = writer.ensure({ kind: 'workflow', id: 1, replacedBy }, 'rows', 0);
  for (const [i, rows] of ROWS.entries()) {
    const source = { source_kind: 'workflow', source_id: 1, source_name: 'w', owner_id: 'o' };
    const run_id = runs.insert({ kind: 'workflow', ...source, created_at: 0 }, () => dataset);
    const records = Array.from({ length: rows }, (_, n) => ({
      run_id,
      created_at: 0,
      body: { n, word: 'quokka' },
      ...(replacedBy === 'key' ? { key: String(n) } : {}),
    }));
    transaction(database.fast, () => writer.addRecords(dataset, records));
    if (i < 2) runs.settle(run_id, 'succeeded', undefined, 0);
  }
  await createDatasetUpkeep(createDatasetRunStore(database)).sweep();
  database.close();
}

/** By run: all rows of one settled run. By key: of each key the newest row there is. Found, all of them and no others, and counted. */
function assertWhole(database: Database, replacedBy: 'run' | 'key'): void {
  const store = createDatasetStore(database);
  const shown = store.sizes(1, 'newest', 0, 10_000).map(({ id }) => id);
  const hits = prepareSearch(database.fast).run({ q: 'quokka', limit: 10_000, offset: 0, uptoId: 0 }).hits;
  assert.deepEqual(
    hits.map(({ record_id }) => record_id).toSorted((one, other) => one - other),
    shown,
  );
  assert.equal(store.find(1)?.records, shown.length);
  checkRecords(database.fast);
  const rows = database.fast.prepare('SELECT id, run_id, key FROM record ORDER BY id').all();
  const expected =
    replacedBy === 'key'
      ? rows.filter(({ id, key }) => !rows.some((other) => other['key'] === key && Number(other['id']) > Number(id)))
      : rows.filter(({ run_id }) => run_id === store.find(1)?.newest_run_id);
  assert.deepEqual(
    shown,
    expected.map(({ id }) => id),
  );
  if (replacedBy === 'run') assert.equal(shown.length, ROWS[(store.find(1)?.newest_run_id ?? 0) - 1]);
}

function runsIn(database: Database): readonly number[] {
  return database.fast
    .prepare('SELECT DISTINCT run_id FROM record ORDER BY run_id')
    .all()
    .map(({ run_id }) => Number(run_id));
}

/** How a process ended that dies at `moment`. */
async function die(home: string, moment: string): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [DYING, home, moment], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return signal;
}

function copyOf(home: string): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'weft-replacing-'));
  copyFileSync(join(home, 'weft.db'), join(path, 'weft.db'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

function openCopy(home: string): Disposable & { readonly database: Database } {
  const database = openHome(home);
  return { database, [Symbol.dispose]: () => database.close() };
}
