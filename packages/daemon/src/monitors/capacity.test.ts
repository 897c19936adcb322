import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../db/open.ts';
import { placeMs } from './capacity.ts';
import { createCheckRows } from './check-store.ts';
import { createDemandReads, perMinuteOf } from './demand.ts';

test('a check costs the time of its place, and where a thread is short the time of that for all places', () => {
  assert.equal(placeMs({ heldMs: 400, readMs: 10 }, 5, 8), 400);
  assert.equal(placeMs({ heldMs: 15, readMs: 10 }, 5, 8), 80);
  assert.equal(placeMs({ heldMs: 15, readMs: 0 }, 5, 8), 40);
});

test('the first check, which loads the code of all others, hardly moves what is assumed; fifty have replaced it', () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-cost-'));
  const database = openDatabase({ path: join(home, 'weft.db'), backups: home, nowMs: 0 });
  try {
    const { addCost } = createCheckRows(database);
    const mean = () => (database.fast.prepare('SELECT seconds FROM monitor_cost').get() as { seconds: number }).seconds;
    addCost('http', 6, 1);
    assert.ok(mean() < 1.5, String(mean()));
    for (let i = 0; i < 50; i++) addCost('http', 0.05, 1);
    assert.ok(mean() < 0.35, String(mean()));
  } finally {
    database.close();
    rmSync(home, { recursive: true });
  }
});

test('what is asked of the machine is what active monitors ask for, by their tags, their cron and the lane of their last page', () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-demand-'));
  const database = openDatabase({ path: join(home, 'weft.db'), backups: home, nowMs: 0 });
  try {
    const tag = (name: string) => (name === 'quick' ? JSON.stringify({ schedule: { every: 60 } }) : undefined);
    const demands = createDemandReads(database, { tag });
    const dataset = database.fast.prepare(
      `INSERT INTO dataset (name, source_kind, source_id, created_at, updated_at) VALUES ('', '', 0, 0, 0)`,
    );
    const insert = database.fast.prepare(
      `INSERT INTO monitor (name, definition, active, private_targets, dataset_id, state, page, cadence, scheduled_at, created_at, updated_at)
       VALUES ('', ?, ?, '[]', ?, '{}', ?, '{}', 0, 0, 0)`,
    );
    const datasetId = Number(dataset.run().lastInsertRowid);
    const add = (spec: object, active = 1, lane?: string) =>
      Number(insert.run(JSON.stringify(spec), active, datasetId, lane === undefined ? null : JSON.stringify({ lane })).lastInsertRowid);
    for (let i = 0; i < 3; i++) add({ schedule: { every: 300 } });
    add({ schedule: { every: 300 } }, 0);
    add({ tags: ['quick'] }, 1, 'browser');
    const daily = add({ schedule: { cron: '0 9 * * *', timezone: 'Asia/Tokyo' } }, 1, 'browser');
    add({ schedule: { cron: '* * * * *' } });
    const all = demands.all();
    assert.equal(perMinuteOf('http', all).toFixed(4), (3 / 5 + 1).toFixed(4));
    assert.equal(perMinuteOf('browser', all).toFixed(4), (1 + 1 / 1440).toFixed(4));
    const added = demands.added([
      { id: daily, effective: { schedule: { every: 30 } } },
      { id: undefined, effective: { lane: 'browser' } },
    ]);
    assert.equal(perMinuteOf('browser', added).toFixed(4), (2 - 1 / 1440 + 1 / 60).toFixed(4));
    const plan = database.fast.prepare(
      'EXPLAIN QUERY PLAN SELECT spec, seen, count(*) FROM monitor_demand WHERE active = 1 GROUP BY seen, spec',
    );
    assert.match(JSON.stringify(plan.all()), /USING (COVERING )?INDEX monitor_by_demand/);
    assert.doesNotMatch(JSON.stringify(plan.all()), /TEMP B-TREE/);
  } finally {
    database.close();
    rmSync(home, { recursive: true });
  }
});
