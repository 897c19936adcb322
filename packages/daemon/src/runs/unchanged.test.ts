import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { HOUR_MS, scheduleStage } from '../../../../tests/schedule-stage.ts';
import { pruneRuns } from './retention.ts';

const DAY_MS = 24 * HOUR_MS;
const SOURCE = { source_kind: 'check', source_id: 1 };

/** Settles `count` checks of one source, one every ten minutes, each of which took two seconds. */
function settleChecks(
  stage: ReturnType<typeof scheduleStage>,
  count: number,
  mark = true,
  status: 'succeeded' | 'failed' | 'cancelled' = 'succeeded',
) {
  return Array.from({ length: count }, () => {
    const { id } = stage.runs.create(
      { kind: 'monitor', ...SOURCE, source_name: 'check 1', owner_id: 'runtime', trigger: 'schedule' },
      () => null,
    );
    const row = stage.store.find(id);
    if (row) stage.runs.begin(row);
    stage.clock.advance(2000);
    if (mark) stage.runs.markUnchanged(id);
    stage.runs.settle(id, status);
    stage.clock.advance(HOUR_MS / 6 - 2000);
    return id;
  });
}

suite('runs that found nothing new', () => {
  test('are summed up by the hour as they settle, and the last 20 of each source are kept', async () => {
    await using stage = scheduleStage();
    const startMs = stage.clock.now();
    const ids = settleChecks(stage, 30);
    assert.deepEqual(
      ids.filter((id) => stage.store.find(id)),
      ids.slice(10),
    );
    assert.deepEqual(
      stage.runs.unchangedHours(SOURCE, 0).map((hour) => ({ ...hour })),
      [0, 1, 2, 3, 4].map((hour) => ({ hour_at: startMs + hour * HOUR_MS, runs: 6, duration_ms: 12_000 })),
    );
    assert.equal(stage.runs.unchangedHours(SOURCE, startMs + 4 * HOUR_MS).length, 1);
    assert.deepEqual(stage.runs.unchangedHours({ ...SOURCE, source_id: 2 }, 0), []);
  });

  test('push out none that found something, and none of another source', async () => {
    await using stage = scheduleStage();
    const [told = 0] = settleChecks(stage, 1, false);
    const [failed = 0] = settleChecks(stage, 1, true, 'failed');
    const other = stage.runs.create(
      { kind: 'monitor', ...SOURCE, source_id: 2, source_name: 'check 2', owner_id: 'runtime' },
      () => null,
    ).id;
    stage.runs.markUnchanged(other);
    stage.runs.settle(other, 'succeeded');
    settleChecks(stage, 25);
    for (const id of [told, failed, other]) assert.ok(stage.store.find(id), `run ${id} is kept`);
  });

  test('are listed where their kind is asked for, and not beside others', async () => {
    await using stage = scheduleStage();
    const [told] = settleChecks(stage, 1, false);
    const [failed] = settleChecks(stage, 1, true, 'failed');
    const [cancelled] = settleChecks(stage, 1, true, 'cancelled');
    const [unchanged] = settleChecks(stage, 1);
    const listed = (query: Parameters<typeof stage.runs.list>[0]) => {
      const { data, total } = stage.runs.list(query);
      assert.equal(total, data.length);
      return data.map(({ row_id: id }) => id);
    };
    assert.deepEqual(listed({}), [cancelled, failed, told]);
    assert.deepEqual(listed({ status: 'succeeded' }), [told]);
    assert.deepEqual(listed({ kind: 'monitor' }), [unchanged, cancelled, failed, told]);
    assert.deepEqual(listed({ kind: 'monitor', status: 'succeeded' }), [unchanged, told]);
    assert.deepEqual(listed({ kind: 'crawl' }), []);
  });

  test('lose their sums with their source, and with their age', async () => {
    await using stage = scheduleStage();
    settleChecks(stage, 6);
    stage.runs.forgetUnchanged(SOURCE);
    assert.deepEqual(stage.runs.unchangedHours(SOURCE, 0), []);
    settleChecks(stage, 6);
    stage.clock.advance(90 * DAY_MS - 30 * 60_000);
    settleChecks(stage, 1);
    const files = { ofNoRun: () => [], delete: () => undefined };
    const retention = { run_days: 90, runs_per_source: 10_000 };
    await pruneRuns({ store: stage.store, files, clock: stage.clock }, retention, new AbortController().signal);
    assert.equal(stage.runs.unchangedHours(SOURCE, 0).length, 1);
  });
});
