import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { LIMITS } from '@weft/contract';
import type { Health } from '@weft/contract';
import { DUE } from '../../../../tests/conformance/dies-due.ts';
import { startKernelAgent } from '../../../../tests/conformance/kernel.ts';
import { HOUR_MS, PLACES, scheduleStage } from '../../../../tests/schedule-stage.ts';
import { until } from '../../../../tests/until.ts';
import type { RunWork } from '../runs/executor.ts';
import { schedulesPart } from './health.ts';

const MINUTE_MS = 60_000;
const DYING = join(import.meta.dirname, '../../../../tests/conformance/dies-due.ts');

const untilAborted: RunWork = async (_run, signal) => {
  if (!signal.aborted) await once(signal, 'abort');
  return undefined;
};

suite('what is due', () => {
  test('is begun at its time and no sooner, and is due again', async () => {
    await using stage = scheduleStage();
    stage.start();
    const dueMs = stage.clock.now() + 5000;
    stage.schedules.set('check', 1, dueMs);
    stage.clock.advance(4999);
    assert.deepEqual(stage.begun, []);
    stage.clock.advance(1);
    assert.deepEqual(stage.begun, [{ ownerId: 1, dueMs, isMissed: false, interruptedRun: undefined }]);
    assert.equal(stage.schedules.dueMs('check', 1), dueMs + HOUR_MS);
    await until(() => stage.counts()['succeeded'] === 1);
  });

  test('is not brought about by runs that wait', async () => {
    await using stage = scheduleStage({
      work: async (_run, signal) => {
        await stage.clock.sleepUntil(stage.clock.steadyMs() + 2 * HOUR_MS, signal);
        return undefined;
      },
    });
    stage.start();
    stage.schedules.set('check', 1, stage.clock.now());
    stage.clock.advance(0);
    await until(() => stage.counts()['succeeded'] === 1);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(stage.begun.length, 1);
    stage.clock.advance(0);
    assert.equal(stage.begun.length, 2);
  });

  test('is 2,000 at once: each has one run, in order of time, none waits in the queue of runs, and no more run than have a place', async () => {
    let most = 0;
    let running = 0;
    await using stage = scheduleStage({
      work: async () => {
        most = Math.max(most, ++running);
        assert.ok(stage.runs.countLive().queued <= 1);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return undefined;
      },
    });
    const nowMs = stage.clock.now();
    stage.fast.exec('BEGIN');
    for (let id = 1; id <= 2000; id++) stage.schedules.set('check', id, nowMs + ((id * 7919) % 2000));
    stage.fast.exec('COMMIT');
    stage.start();
    stage.clock.advance(2000);
    assert.ok(stage.begun.length <= PLACES, `${stage.begun.length} were begun in one turn`);
    await until(() => stage.counts()['succeeded'] === 2000);
    assert.equal(most, PLACES);
    assert.equal(new Set(stage.begun.map(({ ownerId }) => ownerId)).size, 2000);
    const times = stage.begun.map(({ dueMs }) => dueMs);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
    assert.deepEqual(stage.logged, []);
  });

  test('waits for what was called, and is begun although the queue of runs is full', async () => {
    await using stage = scheduleStage({ work: untilAborted });
    stage.start();
    const called = { kind: 'monitor', source_kind: 'check', source_id: 9, source_name: 'called', owner_id: 'runtime' } as const;
    const ids = Array.from({ length: PLACES }, () => stage.runs.create(called, () => null).id);
    stage.schedules.set('check', 1, stage.clock.now() + 1);
    stage.clock.advance(1);
    assert.deepEqual(stage.begun, []);
    const fill = stage.fast.prepare(
      `INSERT INTO run (kind, status, source_kind, source_name, owner_id, queue, created_at) VALUES ('crawl', 'queued', 'url', '', '', 'crawl', 0)`,
    );
    for (let n = 0; n < LIMITS.queuedRunsMax; n++) fill.run();
    stage.runs.settle(ids[0] ?? 0, 'cancelled');
    stage.executor.abort(ids[0] ?? 0);
    await until(() => stage.begun.length === 1);
    assert.equal(stage.counts()['running'], PLACES);
  });

  test('and comes to no run is passed over, some in each turn', async () => {
    await using stage = scheduleStage({ begin: (ownerId, _occurrence, makeRun) => (ownerId === 100 ? makeRun() : undefined) });
    stage.start();
    for (let id = 1; id <= 100; id++) stage.schedules.set('check', id, stage.clock.now() + id);
    stage.clock.advance(100);
    assert.ok(stage.begun.length < 100);
    await until(() => stage.counts()['succeeded'] === 1);
    assert.equal(stage.begun.length, 100);
  });

  test('is no longer once it is cleared, or its owner says that it never will be', async () => {
    await using stage = scheduleStage({ next: () => undefined });
    stage.start();
    stage.schedules.set('check', 1, stage.clock.now() + 1);
    stage.schedules.set('check', 2, stage.clock.now() + 1);
    stage.schedules.clear('check', 1);
    stage.clock.advance(HOUR_MS);
    assert.deepEqual(
      stage.begun.map(({ ownerId }) => ownerId),
      [2],
    );
    assert.deepEqual([stage.schedules.dueMs('check', 1), stage.schedules.dueMs('check', 2)], [undefined, undefined]);
  });
});

suite('a schedule that is changed', () => {
  test('forgets when it was due', async () => {
    let intervalMs = HOUR_MS;
    const lasts: (number | undefined)[] = [];
    await using stage = scheduleStage({
      next: (_ownerId, lastDueMs, nowMs) => {
        lasts.push(lastDueMs);
        return nowMs + intervalMs;
      },
    });
    stage.start();
    const startMs = stage.clock.now();
    stage.schedules.renew('check', 1);
    stage.clock.advance(HOUR_MS);
    intervalMs = 30 * HOUR_MS;
    stage.schedules.renew('check', 1);
    assert.equal(stage.schedules.dueMs('check', 1), startMs + 31 * HOUR_MS);
    stage.clock.advance(2 * HOUR_MS);
    assert.equal(stage.begun.length, 1);
    intervalMs = 10 * MINUTE_MS;
    stage.schedules.renew('check', 1);
    stage.clock.advance(10 * MINUTE_MS);
    assert.equal(stage.begun.length, 2);
    assert.deepEqual(lasts.slice(0, 3), [undefined, startMs + HOUR_MS, undefined]);
  });

  test('that is only reckoned anew goes on from when it was due', async () => {
    await using stage = scheduleStage();
    stage.start();
    const dueMs = stage.clock.now() + 1000;
    stage.schedules.set('check', 1, dueMs);
    stage.clock.advance(20 * MINUTE_MS);
    stage.schedules.set('check', 1, stage.clock.now() + 5000);
    stage.schedules.plan('check', 1);
    assert.equal(stage.schedules.dueMs('check', 1), dueMs + HOUR_MS);
  });

  test('in a transaction that fails stays as it was', async () => {
    await using stage = scheduleStage();
    stage.start();
    const dueMs = stage.clock.now() + HOUR_MS;
    stage.schedules.set('check', 1, dueMs);
    stage.fast.exec('BEGIN');
    stage.schedules.set('check', 1, stage.clock.now() + 1);
    stage.fast.exec('ROLLBACK');
    stage.clock.advance(1);
    assert.deepEqual(stage.begun, []);
    stage.clock.advance(HOUR_MS);
    assert.equal(stage.begun.length, 1);
  });
});

suite('a row that cannot be begun', () => {
  test('stops no other, and is tried again after ever longer', async () => {
    const tries: number[] = [];
    await using stage = scheduleStage({
      begin(ownerId, _occurrence, makeRun) {
        if (ownerId !== 1) return makeRun();
        tries.push(stage.clock.now() - startMs);
        throw new Error('Its row makes no sense.');
      },
    });
    const startMs = stage.clock.now();
    stage.start();
    for (const id of [1, 2, 3]) stage.schedules.set('check', id, startMs);
    stage.clock.advance(0);
    await until(() => stage.counts()['succeeded'] === 2);
    for (let minute = 0; minute < 20; minute++) stage.clock.advance(MINUTE_MS);
    assert.deepEqual(
      tries,
      [0, 1, 3, 7, 15].map((minutes) => minutes * MINUTE_MS),
    );
    assert.match(stage.logged[0] ?? '', /^check 1 is due and could not be begun: Its row makes no sense\./);
    assert.deepEqual([stage.counts()['queued'], stage.schedules.state().faulty], [undefined, 1]);
  });

  test('is one whose next time is not after now: it would be begun for ever, and leaves no run', async () => {
    await using stage = scheduleStage({ next: (_ownerId, _lastDueMs, nowMs) => nowMs });
    stage.start();
    stage.schedules.set('check', 1, stage.clock.now());
    stage.clock.advance(0);
    assert.equal(stage.begun.length, 1);
    assert.match(stage.logged[0] ?? '', /which is not after/);
    assert.deepEqual(stage.counts(), {});
  });
});

suite('after ten hours', () => {
  test('of sleep each thing comes once, and says that it was missed', async () => {
    await using stage = scheduleStage();
    stage.start();
    const startMs = stage.clock.now();
    for (let id = 1; id <= 50; id++) stage.schedules.set('check', id, startMs + id * MINUTE_MS);
    stage.clock.advance(10 * HOUR_MS);
    await until(() => stage.counts()['succeeded'] === 50);
    stage.clock.advance(HOUR_MS / 2);
    assert.equal(stage.begun.length, 50);
    assert.ok(stage.begun.every(({ isMissed }) => isMissed));
    assert.ok(
      stage.schedules.state().lateMs.every((ms) => ms === 0),
      'time that is slept is not late',
    );
  });

  test('of a stopped agent too', async () => {
    using home = scratchHome();
    const clock = (await firstLife(home.path)).clock;
    clock.advance(10 * HOUR_MS);
    await using stage = scheduleStage({ home: home.path, clock });
    stage.start();
    await until(() => stage.counts()['succeeded'] === 2);
    assert.deepEqual(
      stage.begun.map(({ ownerId, isMissed }) => [ownerId, isMissed]),
      [
        [1, true],
        [2, true],
      ],
    );
  });
});

suite('F8 a clock', () => {
  test('that is put back an hour makes nothing wait for longer than its interval', async () => {
    await using stage = scheduleStage();
    stage.start();
    stage.schedules.set('check', 1, stage.clock.now() + HOUR_MS);
    stage.clock.jump(-HOUR_MS);
    stage.clock.advance(MINUTE_MS);
    stage.clock.advance(HOUR_MS);
    assert.equal(stage.begun.length, 1);
  });

  test('that jumps ten years ahead and back makes each thing come once, and then as before', async () => {
    const years = 10 * 365 * 24 * HOUR_MS;
    await using stage = scheduleStage();
    stage.start();
    for (let id = 1; id <= 120; id++) stage.schedules.set('check', id, stage.clock.now() + HOUR_MS);
    stage.clock.jump(years);
    stage.clock.advance(MINUTE_MS);
    await until(() => stage.counts()['succeeded'] === 120);
    assert.equal(stage.begun.length, 120);
    stage.clock.jump(-years);
    stage.clock.advance(MINUTE_MS);
    const soon = () => Array.from({ length: 120 }, (_, id) => (stage.schedules.dueMs('check', id + 1) ?? 0) - stage.clock.now());
    await until(() => soon().every((ms) => ms <= HOUR_MS));
    stage.clock.advance(HOUR_MS);
    await until(() => stage.counts()['succeeded'] === 240);
  });

  test('that was ahead while the agent was stopped is noticed by the next start', async () => {
    using home = scratchHome();
    const { clock } = await firstLife(home.path, 24 * HOUR_MS);
    clock.jump(-24 * HOUR_MS);
    await using stage = scheduleStage({ home: home.path, clock });
    stage.start();
    for (const id of [1, 2]) assert.ok((stage.schedules.dueMs('check', id) ?? 0) <= clock.now() + HOUR_MS);
  });
});

suite('a run that the end of the agent interrupted', () => {
  test('is made again once, as missed; a second interruption ends that', async () => {
    using home = scratchHome();
    const first = scheduleStage({ home: home.path, work: untilAborted });
    first.start();
    first.schedules.set('check', 1, first.clock.now());
    first.clock.advance(0);
    const { clock } = first;
    await first[Symbol.asyncDispose]();
    for (const [life, begun] of [1, 0, 0].entries()) {
      await using stage = scheduleStage({ home: home.path, clock, work: untilAborted });
      stage.start();
      stage.clock.advance(0);
      assert.deepEqual(
        stage.begun.map(({ isMissed, interruptedRun }) => ({ isMissed, interruptedRun })),
        Array(begun).fill({ isMissed: true, interruptedRun: 1 }),
        `life ${life}`,
      );
    }
  });

  test('is not made again where its owner would rather wait', async () => {
    using home = scratchHome();
    const first = scheduleStage({ home: home.path, work: untilAborted });
    first.start();
    const dueMs = first.clock.now();
    first.schedules.set('check', 1, dueMs);
    first.clock.advance(0);
    const { clock } = first;
    await first[Symbol.asyncDispose]();
    await using stage = scheduleStage({
      home: home.path,
      clock,
      begin: (_ownerId, { isMissed }, makeRun) => (isMissed ? undefined : makeRun()),
    });
    stage.start();
    assert.deepEqual(stage.counts(), { failed: 1 });
    assert.equal(stage.schedules.dueMs('check', 1), dueMs + HOUR_MS);
  });
});

test('killed in the middle of what is due, each occurrence has its run once', async () => {
  for (const diesAt of [1, PLACES, 17]) {
    using home = scratchHome();
    const child = spawn(process.execPath, [DYING, home.path, String(diesAt)], { stdio: ['ignore', 'ignore', 'inherit'] });
    const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    assert.equal(signal, 'SIGKILL');
    await using stage = scheduleStage({ home: home.path });
    stage.clock.advance(2000);
    stage.start();
    await until(() => stage.schedules.state().due === 0 && stage.runs.countLive().running === 0);
    assert.deepEqual(
      stage.succeeded(),
      Array.from({ length: DUE }, (_, index) => [index + 1, 1]),
    );
    const { failed = 0 } = stage.counts();
    // The run in whose transaction it died never was.
    assert.ok(failed < Math.min(diesAt, PLACES + 1), `${failed} were interrupted`);
  }
});

test('the health says how many are due, how late the last began, and what could not be begun', async () => {
  assert.equal(schedulesPart({ all: 0, due: 0, faulty: 0, lateMs: [] }).message, 'Nothing is scheduled.');
  await using stage = scheduleStage({ work: untilAborted });
  stage.start();
  for (let id = 1; id <= PLACES + 2; id++) stage.schedules.set('check', id, stage.clock.now() + 1);
  stage.clock.advance(1501);
  const part = schedulesPart(stage.schedules.state());
  assert.deepEqual(
    [part.status, part.message],
    ['ok', '2 of 6 scheduled things are due. Of the last 4 that began, 95 in 100 were at most 1.5 s late.'],
  );
  const late = schedulesPart({ all: 9, due: 3, faulty: 0, lateMs: [...Array(90).fill(0), ...Array(10).fill(61_000)] });
  assert.deepEqual([late.status, /61\.0 s late/.test(late.message), late.fix?.includes('runs_max')], ['warn', true, true]);
  assert.match(schedulesPart({ all: 9, due: 0, faulty: 2, lateMs: [] }).message, /2 could not be begun/);
});

test('an agent shows it in its health, and has nothing to do in the beginning', async () => {
  await using agent = await startKernelAgent();
  const { parts } = (await agent.json('GET', '/v1/health')).body as Health;
  assert.deepEqual(
    parts.filter(({ name }) => name === 'schedules'),
    [{ name: 'schedules', status: 'ok', message: 'Nothing is scheduled.' }],
  );
});

/** An agent that scheduled two things, let so much time pass, in which they came due, and stopped. */
async function firstLife(home: string, lastsMs = 0) {
  await using stage = scheduleStage({ home });
  stage.start();
  for (const id of [1, 2]) stage.schedules.set('check', id, stage.clock.now() + id * MINUTE_MS);
  stage.clock.advance(lastsMs);
  await until(() => stage.runs.countLive().running === 0);
  return { clock: stage.clock };
}

function scratchHome(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'weft-due-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}
