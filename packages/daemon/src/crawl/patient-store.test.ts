import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CrawlCounts, FrontierStore } from '@weft/engine';
import { patientStore } from './patient-store.ts';

const COUNTS: CrawlCounts = { discovered: 0, fetched: 0, reused: 0, failed: 0, skipped: 0, pending: 0 };
const LOCKED = 5;
const CONSTRAINT = 19;

/** A patient store over one that answers the next calls with these codes of SQLite, and then well; each wait takes the clock on. */
function harness(...codes: readonly number[]) {
  const left = [...codes];
  const calls: string[] = [];
  const held: unknown[] = [];
  const stop = new AbortController();
  let nowMs = 0;
  const call = async <T>(name: string, result: T): Promise<T> => {
    calls.push(`${name} at ${nowMs}`);
    const errcode = left.shift();
    if (errcode !== undefined) throw Object.assign(new Error(`SQLite ${errcode}`), { errcode });
    return result;
  };
  const store: FrontierStore<string> = {
    open: () => call('open', { counts: COUNTS, pendingByHost: new Map(), memory: undefined }),
    offer: () => call('offer', new Map()),
    lease: () => call('lease', []),
    settle: () => call('settle', { counts: COUNTS, pendingByHost: new Map() }),
    release: () => call('release', undefined),
    closePending: () => call('closePending', COUNTS),
    find: () => call('find', { sameContent: undefined, own: undefined, byIdentity: new Map() }),
    counts: () => call('counts', COUNTS),
    firstLines: () => call('firstLines', []),
  };
  const clock = {
    now: () => nowMs,
    steadyMs: () => nowMs,
    sleepUntil: async (ms: number) => void (nowMs = Math.max(nowMs, ms)),
    alarm: () => () => undefined,
  };
  return { patient: patientStore(store, { clock, onHeld: (error) => held.push(error) }, stop.signal), calls, held, stop };
}

test('tries a call again until the fault is gone, and says once that it waits', async () => {
  const { patient, calls, held } = harness(LOCKED, LOCKED, LOCKED);
  await patient.settle([]);
  assert.deepEqual(calls, ['settle at 0', 'settle at 2000', 'settle at 4000', 'settle at 6000']);
  assert.equal(held.length, 1);
});

test('lets no other call pass the one that waits, so that no more work is taken', async () => {
  const { patient, calls } = harness(LOCKED);
  await Promise.all([patient.settle([]), patient.lease([], 0, 1), patient.offer([])]);
  assert.deepEqual(calls, ['settle at 0', 'settle at 2000', 'lease at 2000', 'offer at 2000']);
});

test('throws at once what no wait mends, and goes on with the next call', async () => {
  const { patient, calls, held } = harness(CONSTRAINT);
  await assert.rejects(patient.settle([]), /SQLite 19/);
  await patient.release([]);
  assert.deepEqual([calls, held], [['settle at 0', 'release at 0'], []]);
});

test('throws the fault once the crawl is stopped', async () => {
  const { patient, stop } = harness(LOCKED, LOCKED);
  stop.abort();
  await assert.rejects(patient.settle([]), /SQLite 5/);
});
