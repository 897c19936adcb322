import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createHeldBytes } from './held-bytes.ts';

const NEVER = new AbortController().signal;

suite('bytes that wait for their readers', () => {
  test('a piece is made while there is room, the next ones when enough is gone, in the order in which they were asked for', async () => {
    const held = createHeldBytes(100);
    const made: string[] = [];
    const ask = (piece: string) => held.next(() => (made.push(piece), piece), NEVER);
    const long = 'a'.repeat(150);
    const [second, third, fourth] = ['b'.repeat(90), 'c'.repeat(20), 'd'];
    const all = [long, second, third, fourth].map(ask);
    await nextTurn();
    assert.deepEqual(made, [long]);
    held.letGo(long);
    await nextTurn();
    assert.deepEqual(made, [long, second, third]);
    held.letGo(second);
    await Promise.all(all);
    assert.deepEqual(made, [long, second, third, fourth]);
  });

  test('the end counts nothing, and an error lets the next one in', async () => {
    const held = createHeldBytes(1);
    assert.equal(await held.next(() => undefined, NEVER), undefined);
    await assert.rejects(
      held.next(() => {
        throw new Error('broke');
      }, NEVER),
      /broke/,
    );
    assert.equal(await held.next(() => 'x', NEVER), 'x');
  });

  test('who leaves the line is not waited for', async () => {
    const held = createHeldBytes(1);
    await held.next(() => 'full', NEVER);
    const leaving = new AbortController();
    const left = held.next(() => 'never made', leaving.signal);
    const stayed = held.next(() => 'stayed', NEVER);
    leaving.abort(new Error('left'));
    await assert.rejects(left, /left/);
    held.letGo('full');
    assert.equal(await stayed, 'stayed');
  });

  test('who has left before asking is refused', async () => {
    await assert.rejects(
      createHeldBytes(1).next(() => 'x', AbortSignal.abort(new Error('gone'))),
      /gone/,
    );
  });
});
