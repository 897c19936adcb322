// What every store of checks does, whichever database it stands on (D54).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CheckOutcome, CheckStore, CheckSubject, KnownValue } from '@weft/engine';
import { knownAtFirst } from '@weft/engine';

/** A store on rows of its own, and what a test does beside it. */
export interface CheckStoreCase extends AsyncDisposable {
  readonly store: CheckStore;
  readonly nowMs: number;
  /** A monitor with one selector, `.x`; its id. */
  addMonitor(): Promise<number>;
  /** Changes what its checks go by. */
  editMonitor(id: number): Promise<void>;
  removeMonitor(id: number): Promise<void>;
  /** A live run of it; its id. */
  addRun(monitorId: number): Promise<number>;
  /** How many changes, checks, records of values and contents that were seen are kept of it. */
  counts(
    monitorId: number,
  ): Promise<{ readonly changes: number; readonly checks: number; readonly records: number; readonly contents: number }>;
}

/** Holds the store that `open` makes to the contract of the port. */
export function checkStoreSuite(name: string, open: () => Promise<CheckStoreCase>): void {
  describe(name, () => {
    test('a monitor that is not there is no subject', async () => {
      await using one = await open();
      assert.equal(await one.store.load(999), undefined);
    });

    test('a new monitor is known as new, with its selector', async () => {
      await using one = await open();
      const subject = await load(one, await one.addMonitor());
      assert.deepEqual([subject.known.state.kind, subject.known.values, subject.lastPage], ['new', {}, undefined]);
      assert.deepEqual(
        subject.targets.map(({ selector }) => selector),
        ['.x'],
      );
    });

    test('what a check knows is what the next one finds', async () => {
      await using one = await open();
      const id = await one.addMonitor();
      const subject = await load(one, id);
      const outcome = outcomeOf(subject, one.nowMs, 'a');
      assert.equal(await one.store.save(await one.addRun(id), outcome), 'kept');
      const after = await load(one, id);
      assert.deepEqual(after.known.values, outcome.judgement.known.values);
      assert.deepEqual(after.known.targets, outcome.judgement.known.targets);
      assert.equal(after.known.state.kind, 'ok');
      assert.equal(after.lastPage?.print, 'print of a');
    });

    test('a check that began before the monitor was changed leaves nothing behind', async () => {
      await using one = await open();
      const id = await one.addMonitor();
      const outcome = outcomeOf(await load(one, id), one.nowMs, 'a');
      await one.editMonitor(id);
      assert.equal(await one.store.save(await one.addRun(id), outcome), 'stale');
      assert.deepEqual((await load(one, id)).known.values, {});
      assert.deepEqual(await one.counts(id), { changes: 0, checks: 0, records: 0, contents: 0 });
    });

    test('a check of a monitor that is gone by then leaves nothing behind', async () => {
      await using one = await open();
      const id = await one.addMonitor();
      const outcome = outcomeOf(await load(one, id), one.nowMs, 'a');
      const run = await one.addRun(id);
      await one.removeMonitor(id);
      assert.equal(await one.store.save(run, outcome), 'gone');
    });

    test('a value that is another becomes a record and a change, an equal one neither', async () => {
      await using one = await open();
      const id = await one.addMonitor();
      for (const text of ['a', 'b', 'b']) {
        const subject = await load(one, id);
        assert.equal(await one.store.save(await one.addRun(id), outcomeOf(subject, one.nowMs, text)), 'kept');
      }
      assert.deepEqual(await one.counts(id), { changes: 1, checks: 3, records: 2, contents: 4 });
    });
  });
}

async function load({ store }: CheckStoreCase, id: number): Promise<CheckSubject> {
  const subject = await store.load(id);
  assert.ok(subject);
  return subject;
}

/** What a check comes to that reads `text`. */
export function outcomeOf(subject: CheckSubject, nowMs: number, text: string): CheckOutcome {
  const [target] = subject.targets;
  assert.ok(target);
  const key = `${target.id}/text`;
  const before = subject.known.values[key];
  const value: KnownValue = { value: text, text, compared: text, digest: text, sinceMs: nowMs, states: [text], returns: [] };
  const isOther = before?.digest !== text;
  const isChanged = before !== undefined && isOther;
  return {
    subject,
    judgement: {
      verdict: before === undefined ? 'first' : isChanged ? 'changed' : 'unchanged',
      changedSinceLast: isChanged,
      differsFromBaseline: undefined,
      state: 'ok',
      trouble: undefined,
      values: [{ selector_id: target.id, name: 'text', type: 'text', value: text, text, changed: isChanged, told: isChanged, reasons: [] }],
      changes: isChanged
        ? [
            {
              kind: 'changed',
              selectorId: target.id,
              extractorId: undefined,
              name: 'text',
              old: before.value,
              new: text,
              oldText: before.text,
              newText: text,
              difference: undefined,
              summary: 'It changed.',
              percent: undefined,
            },
          ]
        : [],
      trace: [],
      flapping: false,
      known: {
        ...knownAtFirst(nowMs),
        state: { kind: 'ok', sinceMs: nowMs, checks: 1 },
        values: { [key]: isOther ? value : before },
        targets: { [target.id]: { missing: 0, steady: 1 } },
      },
      recorded: isOther ? [key] : [],
      heals: [],
    },
    page: { version: 1, print: `print of ${text}`, url: 'http://site.test/', status: 200, lane: 'http', bytes: 1, fromCache: false },
    fetched: { outcome: 'passed', reasons: [], durationMs: 1 },
    seen: isOther ? { body: new TextEncoder().encode(text), contentType: 'text/plain', picture: undefined } : undefined,
    baselines: [],
    proposals: [],
    refusedStatus: undefined,
    retryAtMs: undefined,
    heldMs: 1,
    readMs: 0,
    durationMs: 1,
  };
}
