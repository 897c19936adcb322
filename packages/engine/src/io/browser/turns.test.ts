import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import { createBrowserTurns } from './turns.ts';

const never = new AbortController().signal;

/** Turns with two places on a clock of the test; `enter` notes who is in. */
function stage() {
  const now = { ms: 10_000 };
  const turns = createBrowserTurns(2, () => now.ms);
  const inside = new Map<string, () => void>();
  const enter = (name: string, tenant: string, isUrgent = false) => {
    void turns.take({ tenant, isUrgent }, never).then((leave) => inside.set(name, leave));
    return setImmediate();
  };
  const leave = async (name: string) => {
    inside.get(name)?.();
    inside.delete(name);
    await setImmediate();
  };
  return { now, turns, enter, leave, inside: () => [...inside.keys()] };
}

test('two tenants are never in one browser', async () => {
  const { enter, leave, inside } = stage();
  await enter('a1', 'a');
  await enter('b1', 'b');
  await enter('a2', 'a');
  assert.deepEqual(inside(), ['a1', 'a2']);
  await leave('a1');
  assert.deepEqual(inside(), ['a2']);
  await leave('a2');
  assert.deepEqual(inside(), ['b1']);
});

test('a tenant whose turn is over lets the others have theirs', async () => {
  const { now, enter, leave, inside } = stage();
  await enter('a1', 'a');
  await enter('b1', 'b');
  now.ms += 2000;
  await enter('a2', 'a');
  assert.deepEqual(inside(), ['a1']);
  await leave('a1');
  assert.deepEqual(inside(), ['b1']);
  await leave('b1');
  assert.deepEqual(inside(), ['a2']);
});

test('who waits for an answer comes before who does not, of whichever tenant', async () => {
  const { enter, leave, inside } = stage();
  await enter('a1', 'a');
  await enter('a2', 'a');
  await enter('a3', 'a');
  await enter('b1', 'b', true);
  await leave('a1');
  assert.deepEqual(inside(), ['a2']);
  await leave('a2');
  assert.deepEqual(inside(), ['b1']);
  await leave('b1');
  assert.deepEqual(inside(), ['a3']);
});

test('who leaves while waiting takes no place', async () => {
  const { turns, enter, leave, inside } = stage();
  await enter('a1', 'a');
  const gone = new AbortController();
  const waiting = turns.take({ tenant: 'b' }, gone.signal);
  gone.abort();
  await assert.rejects(waiting);
  await leave('a1');
  assert.ok(turns.areFree());
  await enter('c1', 'c');
  assert.deepEqual(inside(), ['c1']);
});
