import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryHostGate } from '@weft/engine';
import { StandingClock, hostGateSuite, hostLineSuite } from './host-gate-suite.ts';

hostGateSuite('the lines of one process', (clock) => {
  const gate = new MemoryHostGate(clock);
  return [gate, gate];
});

hostLineSuite('turns in the lines of one process', (clock) => {
  const gate = new MemoryHostGate(clock);
  return [gate, gate];
});

test('200 who wait at one host sleep once for each that is served', async () => {
  const clock = new StandingClock();
  const gate = new MemoryHostGate(clock);
  const spaced = { inFlightMax: 1, gapMs: 1_000 };
  const order: number[] = [];
  const line = Array.from({ length: 200 }, async (_, i) => {
    const grant = await gate.take('https://shop.test', spaced, new AbortController().signal);
    order.push(i);
    await grant?.end({ status: 200, retryAtMs: undefined });
  });
  await clock.advance(200_000);
  await Promise.all(line);
  assert.deepEqual(
    order,
    Array.from({ length: 200 }, (_, i) => i),
  );
  assert.ok(clock.sleeps <= 199, `${clock.sleeps} sleeps`);
});
