import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoopMeter } from './loop-meter.ts';

test('counts each moment once, and none in which nothing was under way', async () => {
  let activeMs = 100;
  const meter = new LoopMeter(() => activeMs);
  const seen: number[] = [];
  const checkThat = (lastsMs: number) =>
    meter.during(async () => {
      await Promise.resolve();
      activeMs += lastsMs;
      seen.push(meter.read());
    });
  await checkThat(10);
  activeMs += 1000;
  await Promise.all([checkThat(20), checkThat(30)]);
  assert.deepEqual(seen, [10, 20, 30]);
});
