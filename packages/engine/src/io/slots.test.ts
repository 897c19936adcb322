import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createSlots } from './slots.ts';

suite('slots', () => {
  const never = new AbortController().signal;

  test('no more than the number are taken, and who waits longest comes first', async () => {
    const slots = createSlots(1);
    const order: string[] = [];
    const first = await slots.take(never);
    const second = slots.take(never).then((release) => (order.push('second'), release));
    const third = slots.take(never).then((release) => (order.push('third'), release));
    assert.deepEqual(order, []);
    first();
    (await second)();
    (await third)();
    assert.deepEqual(order, ['second', 'third']);
    assert.equal(slots.areFree(), true);
  });

  test('who gives up waiting holds nobody up', async () => {
    const slots = createSlots(1);
    const first = await slots.take(never);
    const caller = new AbortController();
    const second = slots.take(caller.signal);
    const third = slots.take(never);
    caller.abort(new Error('enough'));
    await assert.rejects(second, /enough/);
    first();
    (await third)();
    assert.equal(slots.areFree(), true);
  });

  test('a turn that comes in the moment of giving up is passed on', async () => {
    const slots = createSlots(1);
    const first = await slots.take(never);
    const caller = new AbortController();
    const second = slots.take(caller.signal);
    const third = slots.take(never);
    first();
    caller.abort(new Error('enough'));
    const release = await second.catch(() => undefined);
    release?.();
    (await third)();
    assert.equal(slots.areFree(), true);
  });

  test('an aborted caller takes nothing', async () => {
    const slots = createSlots(1);
    await assert.rejects(slots.take(AbortSignal.abort(new Error('gone'))), /gone/);
    assert.equal(slots.areFree(), true);
  });
});
