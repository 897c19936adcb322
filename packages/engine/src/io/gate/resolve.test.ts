import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createSystemResolve, untilAborted } from './resolve.ts';

describe('the resolver', () => {
  const signal = new AbortController().signal;

  function countingResolve(): {
    readonly resolve: ReturnType<typeof createSystemResolve>;
    readonly asked: string[];
    readonly clock: { nowMs: number };
  } {
    const asked: string[] = [];
    const clock = { nowMs: 0 };
    const lookUp = (host: string) => {
      asked.push(host);
      return host === 'gone.example' ? Promise.reject(new Error('no such name')) : Promise.resolve([`10.0.0.${asked.length}`]);
    };
    return { resolve: createSystemResolve(lookUp, () => clock.nowMs), asked, clock };
  }

  test('asks the system, and gives what it says', async () => {
    const addresses = await createSystemResolve()('localhost', signal);
    assert.ok(addresses.every((address) => address === '127.0.0.1' || address === '::1'));
    assert.notEqual(addresses.length, 0);
  });

  test('remembers an answer for ten seconds, also while it is on its way', async () => {
    const { resolve, asked, clock } = countingResolve();
    await Promise.all([resolve('a.example', signal), resolve('a.example', signal)]);
    clock.nowMs = 9_999;
    assert.deepEqual(await resolve('a.example', signal), ['10.0.0.1']);
    clock.nowMs = 10_000;
    assert.deepEqual(await resolve('a.example', signal), ['10.0.0.2']);
    assert.equal(asked.length, 2);
  });

  test('does not remember a failure', async () => {
    const { resolve, asked } = countingResolve();
    for (let i = 0; i < 2; i++) await assert.rejects(resolve('gone.example', signal), /no such name/);
    assert.equal(asked.length, 2);
  });

  test('forgets the oldest of more than 2,000 names', async () => {
    const { resolve, asked } = countingResolve();
    for (let i = 0; i <= 2_000; i++) await resolve(`h${i}.example`, signal);
    await resolve('h2000.example', signal);
    await resolve('h0.example', signal);
    assert.equal(asked.length, 2_002);
  });

  test('whoever is cancelled stops waiting, before and after', async () => {
    await assert.rejects(untilAborted(new Promise(() => undefined), AbortSignal.abort()), { name: 'AbortError' });
    const cancel = new AbortController();
    const waiting = untilAborted(new Promise(() => undefined), cancel.signal);
    cancel.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
  });
});
