import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type { RunStatus } from '@weft/contract';
import { testClock } from '../../../../tests/agent.ts';
import { until } from '../../../../tests/until.ts';
import { openDatabase } from '../db/open.ts';
import { readSettings } from '../settings.ts';
import { createExecutor } from './executor.ts';
import type { RunWork } from './executor.ts';
import { createRunNotifier } from './notifier.ts';
import { createRuns } from './run.ts';
import { createRunStore } from './store.ts';
import type { NewRun } from './store.ts';

const LIMITS = { ...readSettings('/nowhere/config.json').runs_max, workflow: 2, monitor: 3, total: 6 };
const SOURCE = { source_kind: 'url', source_id: null, source_name: 'https://shop.test/', owner_id: 'runtime' };

/** Runs on a database of their own, and the work that the test gives to each kind. */
function stage(work: Partial<Record<'workflow' | 'monitor', RunWork>> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'weft-runs-'));
  const database = openDatabase({ path: join(home, 'weft.db'), backups: home, nowMs: 0 });
  const clock = testClock();
  const store = createRunStore(database);
  const runs = createRuns({ store, notifier: createRunNotifier(), clock });
  const logged: unknown[] = [];
  const kinds = {
    workflow: { work: work.workflow ?? untilAborted, resumes: true, queues: ['workflow'] },
    monitor: { work: work.monitor ?? untilAborted, resumes: false, queues: ['monitor'] },
  } as const;
  const open = () => createExecutor({ runs, store, clock, kinds, places: LIMITS, logError: (...line) => void logged.push(line) });
  const executor = open();
  executor.takeOver();
  executor.start();
  return {
    clock,
    store,
    runs,
    executor,
    logged,
    fast: database.fast,
    open,
    make(kind: 'workflow' | 'monitor', more: Partial<NewRun> = {}): number {
      const { id } = runs.create({ kind, ...SOURCE, ...more }, () => null);
      executor.wake();
      return id;
    },
    statuses: (ids: readonly number[]): readonly RunStatus[] => ids.map((id) => runs.require(id).status),
    async [Symbol.asyncDispose]() {
      await executor.stop(1000);
      database.close();
      rmSync(home, { recursive: true });
    },
  };
}

const untilAborted: RunWork = async (_run, signal) => {
  if (!signal.aborted) await once(signal, 'abort');
  return undefined;
};

suite('places', () => {
  test('are bounded for each kind, given in order, and given on', async () => {
    await using made = stage();
    const ids = [1, 2, 3, 4].map(() => made.make('workflow'));
    assert.deepEqual(made.statuses(ids), ['running', 'running', 'queued', 'queued']);
    made.runs.settle(ids[1] ?? 0, 'cancelled');
    made.executor.abort(ids[1] ?? 0);
    await until(() => made.runs.require(ids[2] ?? 0).status === 'running');
    assert.deepEqual(made.statuses(ids), ['running', 'cancelled', 'running', 'queued']);
  });

  test('of one kind are left to it, however many of the others wait', async () => {
    await using made = stage();
    const checks = Array.from({ length: 20 }, () => made.make('monitor'));
    assert.equal(made.statuses(checks).filter((status) => status === 'running').length, LIMITS.monitor);
    assert.deepEqual(made.statuses([made.make('workflow'), made.make('workflow')]), ['running', 'running']);
  });

  test('are given to others while a run waits, and it works again as soon as it may', async () => {
    const { promise: answer, resolve } = Promise.withResolvers<void>();
    const order: string[] = [];
    await using made = stage({
      workflow: async (run, signal, turn) => {
        order.push(`begin ${run.id}`);
        await turn.whileWaiting(() => answer);
        order.push(`work ${run.id}`);
        return await untilAborted(run, signal, turn);
      },
    });
    const ids = [1, 2, 3, 4, 5].map(() => made.make('workflow'));
    await until(() => order.length === ids.length);
    assert.deepEqual(made.statuses(ids), Array(5).fill('running'));
    resolve();
    await until(() => order.length === 2 * ids.length);
    assert.deepEqual(made.statuses([made.make('workflow')]), ['queued']);
  });

  test('are given to others once nothing was heard for three seconds, and no sooner', async () => {
    await using made = stage({
      workflow: async (run, signal, turn) => {
        turn.hear();
        return await untilAborted(run, signal, turn);
      },
    });
    const ids = [1, 2, 3].map(() => made.make('workflow'));
    made.clock.advance(2_999);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(made.statuses(ids), ['running', 'running', 'queued']);
    made.clock.advance(1);
    await until(() => made.runs.require(ids[2] ?? 0).status === 'running');
  });
});

suite('a run that waits for a person', () => {
  test('says so and what is to be done, holds no place, and goes on', async () => {
    const { promise: acted, resolve } = Promise.withResolvers<void>();
    await using made = stage({
      workflow: async (_run, _signal, turn) => {
        await turn.whilePersonActs('Solve the captcha in the window.', () => acted);
        return undefined;
      },
    });
    const ids = [1, 2, 3].map(() => made.make('workflow'));
    await until(() => made.statuses(ids).every((status) => status === 'waiting_human'));
    assert.deepEqual({ ...made.runs.countLive() }, { queued: 0, running: 3 });
    const [told] = made.store.eventsAfter(ids[0] ?? 0, 0, 1);
    assert.deepEqual([told?.event.type, told?.event.type === 'log' && told.event.message], ['log', 'Solve the captcha in the window.']);
    resolve();
    await until(() => made.statuses(ids).every((status) => status === 'succeeded'));
  });

  test('can be cancelled, and stays so whatever the person does then', async () => {
    const { promise: acted, resolve } = Promise.withResolvers<void>();
    await using made = stage({
      workflow: async (_run, _signal, turn) => {
        await turn.whilePersonActs('Log in.', () => acted);
        return undefined;
      },
    });
    const id = made.make('workflow');
    await until(() => made.runs.require(id).status === 'waiting_human');
    assert.ok(made.runs.settle(id, 'cancelled'));
    resolve();
    await until(() => made.runs.countLive().running === 0);
    assert.equal(made.runs.require(id).status, 'cancelled');
  });

  test('is only ever one that runs', async () => {
    await using made = stage();
    const [running, queued] = [made.make('workflow'), made.make('workflow'), made.make('workflow')].filter((_, i) => i !== 1);
    assert.deepEqual(
      [made.runs.resume(running ?? 0), made.runs.pause(queued ?? 0, 'Log in.'), made.runs.pause(running ?? 0, 'Log in.')],
      [false, false, true],
    );
  });

  test('is queued again by the next start where its kind goes on, and settled where it does not', async () => {
    await using made = stage();
    const ids = [made.make('workflow'), made.make('monitor')];
    for (const id of ids) assert.ok(made.runs.pause(id, 'Log in.'));
    await made.executor.stop(1000);
    const next = made.open();
    next.takeOver();
    next.start();
    assert.deepEqual(made.statuses(ids), ['running', 'failed']);
    assert.equal(made.runs.require(ids[1] ?? 0).failure?.code, 'interrupted');
    await next.stop(1000);
  });
});

suite('a run', () => {
  test('that is made while the agent starts is none that an earlier agent left', async () => {
    await using made = stage();
    const left = made.make('monitor');
    await made.executor.stop(1000);
    const next = made.open();
    next.takeOver();
    const { id } = made.runs.create({ kind: 'monitor', ...SOURCE }, () => null);
    next.start();
    assert.deepEqual(made.statuses([left, id]), ['failed', 'running']);
    await next.stop(1000);
  });

  test('fails at its deadline, and one that waited past it as soon as its turn comes', async () => {
    await using made = stage();
    const deadline_at = made.clock.now() + 60_000;
    const ids = [1, 2, 3].map(() => made.make('workflow', { deadline_at }));
    made.clock.advance(59_999);
    assert.deepEqual(made.statuses(ids), ['running', 'running', 'queued']);
    made.clock.advance(1);
    await until(() =>
      made
        .statuses(ids)
        .slice(0, 2)
        .every((status) => status === 'failed'),
    );
    const { failure, deadline_at: told } = made.runs.require(ids[0] ?? 0);
    assert.deepEqual([failure?.code, told], ['timeout', new Date(deadline_at).toISOString()]);
    await until(() => made.runs.require(ids[2] ?? 0).status === 'failed');
    assert.deepEqual(made.logged, []);
  });

  test('that its schedule made is committed without a sync of the disk, one that was called for with it', async () => {
    await using made = stage();
    const synced = (trigger: NewRun['trigger'] & string) => {
      let level: unknown;
      made.runs.create({ kind: 'monitor', ...SOURCE, trigger }, () => {
        level = made.fast.prepare('PRAGMA synchronous').get()?.['synchronous'];
        return null;
      });
      return level === 2;
    };
    assert.deepEqual([synced('schedule'), synced('call')], [false, true]);
  });

  test('says what made it, whom it acts as and what it goes by', async () => {
    await using made = stage();
    const parent_id = made.make('workflow');
    const more = { trigger: 'run', parent_id, persona_id: 7, lane: 'browser', revision: 3 } as const;
    const { trigger, parent_id: parent, persona_id, lane, revision } = made.runs.require(made.make('workflow', more));
    assert.deepEqual({ trigger, parent_id: parent, persona_id, lane, revision }, more);
  });
});
