import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FrontierStore, Settlement } from '../frontier-store.ts';
import { SettleQueue } from './settle-queue.ts';

const COUNTS = { discovered: 9, fetched: 1, reused: 0, failed: 0, skipped: 0, pending: 8 };
const HOOKS = { memory: () => '', isMemoryDue: () => false, stored: () => undefined, rested: () => undefined };
const CLOCK = {
  steadyMs: () => 0,
  now: () => 0,
  sleepUntil: () => new Promise<void>((resolve) => void setImmediate(resolve)),
  alarm: () => () => undefined,
};

function queueOver(settle: FrontierStore<string>['settle'], batchMax = 2) {
  return new SettleQueue<string>(batchMax, { settle } as FrontierStore<string>, CLOCK, HOOKS, new AbortController().signal);
}

function kept(id: number): Settlement<string> {
  const verdict = { outcome: 'fetched', status: 200, finalUrl: '/', contentHash: 'h', result: 'page', rule: undefined } as const;
  return { id, verdict, offers: [] };
}

test('stores what was added, and says meanwhile how much a kill would undo', async () => {
  const batches: number[][] = [];
  const queue = queueOver(async (batch) => {
    batches.push(batch.map(({ id }) => id));
    return { counts: COUNTS, pendingByHost: new Map() };
  });
  queue.add(kept(1));
  assert.deepEqual([queue.unstored, queue.kept, queue.isEmpty], [1, 1, false]);
  queue.add(kept(2));
  queue.add(kept(3));
  assert.equal(queue.unstored, 3);
  await queue.drain();
  assert.deepEqual([batches.flat(), queue.unstored, queue.isEmpty], [[1, 2, 3], 0, true]);
});

test('keeps the first failure of the store, and ends whatever comes after it', async () => {
  let calls = 0;
  const queue = queueOver(async () => {
    calls++;
    throw new Error('disk full');
  });
  queue.add(kept(1));
  await assert.rejects(queue.drain(), /disk full/);
  assert.ok(queue.hasFailed);
  queue.add(kept(2));
  await assert.rejects(queue.drain(), /disk full/);
  assert.equal(calls, 1);
});
