// The agent's store of checks.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Monitor } from '@weft/contract';
import { createCheckRows } from '../../packages/daemon/src/monitors/check-store.ts';
import type { Blobs } from '../../packages/daemon/src/blobs/blob.ts';
import { createBlobs } from '../../packages/daemon/src/blobs/blob.ts';
import { startKernelAgent } from '../conformance/kernel.ts';
import { createCheckStore } from '../../packages/daemon/src/monitors/checks.ts';
import { createSnapshotStore } from '../../packages/daemon/src/monitors/history/snapshot-store.ts';
import { createSnapshots } from '../../packages/daemon/src/monitors/history/snapshot.ts';
import { createMonitorStore } from '../../packages/daemon/src/monitors/store.ts';
import { createSelectorStore } from '../../packages/daemon/src/selectors/store.ts';
import { createExtractorStore } from '../../packages/daemon/src/extractors/store.ts';
import { createDatasetStore } from '../../packages/daemon/src/datasets/store.ts';
import { createDatasetWriter } from '../../packages/daemon/src/datasets/writer.ts';
import { createRunNotifier } from '../../packages/daemon/src/runs/notifier.ts';
import { createRuns } from '../../packages/daemon/src/runs/run.ts';
import { createRunStore } from '../../packages/daemon/src/runs/store.ts';
import { checkStoreSuite, outcomeOf } from './check-store-suite.ts';
import type { CheckStoreCase } from './check-store-suite.ts';

checkStoreSuite('checks in SQLite', open);

test('a check on a full disk is kept without what was seen, and its run says so', async () => {
  await using one = await open(() => 0);
  const id = await one.addMonitor();
  const run = await one.addRun(id);
  const subject = await one.store.load(id);
  assert.ok(subject);
  assert.equal(await one.store.save(run, outcomeOf(subject, one.nowMs, 'a')), 'kept');
  assert.deepEqual(await one.counts(id), { changes: 0, checks: 1, records: 1, contents: 0 });
  assert.match(one.warned(run), /No snapshot is kept of what was seen: The disk has less than 500 MB free/);
});

test('a check whose transaction fails leaves no content that stays', async () => {
  await using one = await open();
  const id = await one.addMonitor();
  const subject = await one.store.load(id);
  assert.ok(subject);
  // No run has this id.
  await assert.rejects(one.store.save(999, outcomeOf(subject, one.nowMs, 'a')), /FOREIGN KEY/);
  one.blobs.sweep();
  assert.deepEqual(await one.counts(id), { changes: 0, checks: 0, records: 0, contents: 0 });
});

async function open(freeBytes?: () => number) {
  const agent = await startKernelAgent();
  const { database, clock } = agent;
  const folder = join(agent.home, 'blobs');
  const blobs = createBlobs(folder, database, clock, freeBytes);
  const runs = createRunStore(database);
  const monitors = createMonitorStore(database);
  const store = createCheckStore({
    costMs: ({ heldMs }) => heldMs,
    database,
    rows: createCheckRows(database),
    runs: createRuns({ store: runs, notifier: createRunNotifier(), clock }),
    monitors,
    selectors: createSelectorStore(database),
    extractors: createExtractorStore(database),
    records: createDatasetWriter(createDatasetStore(database)),
    snapshots: createSnapshots({ store: createSnapshotStore(database), blobs, kept: 30 }),
    clock,
    afterCheck: () => undefined,
  });
  const count = (table: string, id: number) =>
    (database.fast.prepare(`SELECT count(*) AS n FROM ${table} WHERE monitor_id = ?`).get(id) as { n: number }).n;
  return {
    store,
    blobs,
    /** What the log of a run warned of. */
    warned: (run: number) =>
      runs
        .eventsAfter(run, 0, 10)
        .map(({ event }) => JSON.stringify(event))
        .join('\n'),
    nowMs: clock.now(),
    async addMonitor() {
      const { body } = await agent.json('POST', '/v1/monitors', {
        url: 'http://site.test/',
        active: false,
        selectors: [{ selector: '.x' }],
      });
      return (body as Monitor).id;
    },
    editMonitor: async (id) => void (await agent.json('PATCH', `/v1/monitors/${id}`, { filter: { ignore: ['a'] } })),
    removeMonitor: async (id) => void (await agent.json('DELETE', `/v1/monitors/${id}`).catch(() => undefined)),
    addRun: async (id) =>
      runs.insert(
        { kind: 'monitor', source_kind: 'monitor', source_id: id, source_name: 'x', owner_id: 'o', created_at: clock.now() },
        () => monitors.find(id)?.dataset_id ?? null,
      ),
    async counts(id) {
      const { dataset_id: dataset = 0 } = monitors.find(id) ?? {};
      const { n } = database.fast.prepare('SELECT count(*) AS n FROM record WHERE dataset_id = ?').get(dataset) as { n: number };
      return { changes: count('monitor_change', id), checks: count('monitor_check', id), records: n, contents: filesBelow(folder) };
    },
    [Symbol.asyncDispose]: async () => await agent[Symbol.asyncDispose](),
  } satisfies CheckStoreCase & { readonly blobs: Blobs; warned(run: number): string };
}

function filesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
}
