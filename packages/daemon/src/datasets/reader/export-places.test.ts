import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createExportPlaces } from './export-places.ts';

const NEVER = new AbortController().signal;

/** Places that are all taken, each by a name; ending one says so and gives its place back. */
async function taken(...names: readonly string[]) {
  const places = createExportPlaces(names.length);
  const ended: string[] = [];
  const ends = new Map<string, () => Promise<void>>();
  for (const name of names) {
    const leave = await places.take(NEVER);
    ends.set(name, async () => {
      ended.push(name);
      leave();
    });
  }
  return { places, ended, endOf: (name: string) => ends.get(name) as () => Promise<void> };
}

test('attack 6: who waits gets the place of the export that stands still for longest, and no other is ended', async () => {
  const { places, ended, endOf } = await taken('a', 'b', 'c');
  places.offer(endOf('b'));
  places.offer(endOf('a'));
  assert.deepEqual(ended, []);
  await places.take(NEVER);
  assert.deepEqual(ended, ['b']);
});

test('attack 6: who waits already gets the place of the first export that comes to stand still', async () => {
  const { places, ended, endOf } = await taken('a', 'b');
  const waiting = places.take(NEVER);
  places.offer(endOf('b'));
  places.offer(endOf('a'));
  await waiting;
  assert.deepEqual(ended, ['b']);
});

test('attack 6: an export that is read again is not ended, nor one for which nobody waits any more', async () => {
  const { places, ended, endOf } = await taken('a', 'b');
  const goesOn = places.offer(endOf('a'));
  goesOn();
  const leaving = new AbortController();
  const left = places.take(leaving.signal);
  leaving.abort(new Error('left'));
  await assert.rejects(left, /left/);
  places.offer(endOf('b'));
  assert.deepEqual(ended, []);
});
