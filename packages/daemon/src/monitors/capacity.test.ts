import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../db/open.ts';
import { placeMs } from './capacity.ts';
import { createCheckRows } from './check-store.ts';

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
