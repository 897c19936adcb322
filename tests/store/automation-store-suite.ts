// What every store of causes must hold to: the rules that the port states, one test each.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AutomationMode, Run, Trigger } from '@weft/contract';
import { createHearingLoop, topicsOf } from '@weft/engine';
import type { Cause, CauseStore, CheckCause, WaitingCause } from '@weft/engine';
import { testClock } from '../agent.ts';
import { until } from '../until.ts';

/** A store under test, and how it is filled. */
export interface CausesUnderTest {
  readonly store: CauseStore;
  /** Another store object on the same rows, as a second process would have it. */
  again(): CauseStore;
  /** The id of a new automation, which is enabled. */
  automate(triggers: readonly Trigger[], mode: AutomationMode): Promise<number>;
  /** Replaces its triggers. */
  edit(automationId: number, triggers: readonly Trigger[]): Promise<void>;
  /** Writes what has happened. */
  happen(cause: Cause): Promise<void>;
  /** How the runs of an automation stand, oldest first. */
  runsOf(automationId: number): Promise<readonly Run['status'][]>;
  close(): Promise<void>;
}

const TRIGGER: Trigger = { type: 'change', monitor_id: 1 };
const VALUE: Trigger = { type: 'value', monitor_id: 1, name: 'price', below: 100 };
const CAUSE: CheckCause = {
  kind: 'check',
  monitor: { id: 1, name: 'Lamp', tags: [] },
  runId: 1,
  current: { state: 'ok', values: {} },
  changes: [],
};
const NOW_MS = 1_000;

type Hearing = Parameters<CauseStore['settle']>[1];
const setOff = (automationId: number): Hearing => ({
  firings: [{ automationId, data: { type: 'change', summary: 'It changed.' } }],
  marks: [],
});

async function nextOf(store: CauseStore): Promise<WaitingCause> {
  const waiting = await store.next(NOW_MS);
  assert.ok(waiting, 'nothing waits');
  return waiting;
}

export function automationStoreSuite(name: string, open: () => Promise<CausesUnderTest>): void {
  const check = (promise: string, hold: (causes: CausesUnderTest) => Promise<void>) =>
    test(promise, async () => {
      const causes = await open();
      try {
        await hold(causes);
      } finally {
        await causes.close();
      }
    });

  describe(`causes of automations in ${name}`, () => {
    check('the oldest comes first, with those that listen for it alone', async ({ store, automate, happen }) => {
      const id = await automate([{ type: 'call' }, TRIGGER], 'single');
      await automate([{ type: 'change', monitor_id: 2 }], 'single');
      assert.equal(await store.next(NOW_MS), undefined);
      await happen(CAUSE);
      await happen({ ...CAUSE, runId: 2 });
      const { cause, listeners } = await nextOf(store);
      assert.deepEqual(cause, CAUSE);
      assert.deepEqual(
        listeners.map(({ automationId, place, met }) => [automationId, place, met]),
        [[id, 1, undefined]],
      );
      assert.ok(topicsOf(cause).length > 0);
    });

    check('one that is settled has its run, is forgotten, and is settled once', async ({ store, again, automate, happen, runsOf }) => {
      const id = await automate([TRIGGER], 'parallel');
      await happen(CAUSE);
      const waiting = await nextOf(store);
      const outcomes = await Promise.all([store.settle(waiting, setOff(id)), again().settle(waiting, setOff(id))]);
      assert.deepEqual(outcomes.toSorted(), [false, true]);
      assert.deepEqual(await runsOf(id), ['queued']);
      assert.equal(await again().next(NOW_MS), undefined);
    });

    check('what a trigger knows stays', async ({ store, again, automate, happen }) => {
      await automate([VALUE], 'single');
      await happen(CAUSE);
      const waiting = await nextOf(store);
      const marks = waiting.listeners.map((listener) => ({ listener, met: true }));
      assert.equal(await store.settle(waiting, { firings: [], marks }), true);
      await happen(CAUSE);
      assert.deepEqual(
        (await nextOf(again())).listeners.map(({ met }) => met),
        [true],
      );
    });

    check('triggers that are others by now are asked again', async ({ store, automate, edit, happen, runsOf }) => {
      const id = await automate([TRIGGER], 'single');
      await happen(CAUSE);
      const waiting = await nextOf(store);
      await edit(id, [VALUE]);
      assert.equal(await store.settle(waiting, setOff(id)), false);
      assert.deepEqual(await runsOf(id), []);
      assert.equal((await nextOf(store)).listeners[0]?.trigger.type, 'value');
    });

    check('one that is put off lets others pass, and comes back', async ({ store, automate, happen }) => {
      await automate([TRIGGER], 'single');
      await happen(CAUSE);
      await happen({ ...CAUSE, runId: 2 });
      const first = await nextOf(store);
      await store.putOff(first.id, NOW_MS + 50);
      assert.notEqual((await nextOf(store)).id, first.id);
      await store.settle(await nextOf(store), { firings: [], marks: [] });
      assert.deepEqual([await store.next(NOW_MS), await store.nextMs()], [undefined, NOW_MS + 50]);
      const back = await store.next(NOW_MS + 50);
      assert.deepEqual([back?.id, back?.faults], [first.id, 1]);
    });

    check('modes decide in the transaction that makes the run', async ({ store, automate, happen, runsOf }) => {
      const [single, restart] = [await automate([TRIGGER], 'single'), await automate([TRIGGER], 'restart')];
      for (const runId of [1, 2]) {
        await happen({ ...CAUSE, runId });
        const waiting = await nextOf(store);
        await store.settle(waiting, { firings: [...setOff(single).firings, ...setOff(restart).firings], marks: [] });
      }
      assert.deepEqual(
        [await runsOf(single), await runsOf(restart)],
        [
          ['queued', 'cancelled'],
          ['cancelled', 'queued'],
        ],
      );
    });

    check('the loop hears all that has happened, what failed again later', async ({ store, automate, happen, runsOf }) => {
      const id = await automate([{ type: 'run_finished', monitor_id: 1 }], 'parallel');
      const clock = testClock();
      const logged: string[] = [];
      let failing = 1;
      const loop = createHearingLoop({
        store: {
          ...store,
          settle: async (...settled) => (failing-- > 0 ? await Promise.reject(new Error('no')) : await store.settle(...settled)),
        },
        clock,
        wakeRuns: () => undefined,
        logError: (message) => void logged.push(message),
      });
      for (const run of [1, 2])
        await happen({ kind: 'run', run: { id: run, status: 'succeeded', source: { kind: 'monitor', id: 1, name: 'Lamp' } } });
      loop.wake();
      await until(async () => (await runsOf(id)).length === 1);
      assert.equal(logged.length, 1);
      clock.advance(3_000);
      await until(async () => (await runsOf(id)).length === 2);
      await loop.stop();
    });
  });
}
