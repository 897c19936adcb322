import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Fetcher } from '@weft/engine';
import { testClock } from './agent.ts';
import { silentFetcher, startKernelAgent } from './conformance/kernel.ts';
import { STUCK_URL } from './conformance/ways.ts';
import { until } from './until.ts';

suite('the clock of tests', () => {
  test('lets runs that wait for a place at one host wait, while the agent answers', async () => {
    const asked: string[] = [];
    const counting: Fetcher = {
      ...silentFetcher,
      fetch: (request, signal) => (asked.push(request.url), silentFetcher.fetch(request, signal)),
    };
    await using agent = await startKernelAgent({ fetcher: counting });
    for (let run = 1; run <= 4; run++) await agent.json('POST', '/v1/crawl', { url: `${STUCK_URL}/${run}`, limit: 1 });
    // The places of the host, one of them for its robots.txt; whoever comes now asks for one again and again.
    await until(() => asked.length >= 2);
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    assert.equal((await agent.json('GET', '/v1/agent')).status, 200);
    for (let run = 1; run <= 4; run++) assert.equal((await agent.json('POST', `/v1/runs/${run}/cancel`)).status, 200);
  });

  test('keeps appointments when the test moves it, and not when a sleeper does', async () => {
    const clock = testClock(0);
    const rung: string[] = [];
    clock.alarm(100, () => rung.push('alarm'));
    clock.appointment(100, () => rung.push('appointment'));
    clock.appointment(100, () => rung.push('given up'))();
    await clock.sleepUntil(200, AbortSignal.any([]));
    assert.deepEqual(rung, ['alarm']);
    clock.advance(0);
    assert.deepEqual(rung, ['alarm', 'appointment']);
  });

  test('is moved by who sleeps, and by nobody who was woken', async () => {
    const clock = testClock(0);
    const woken = new AbortController();
    const sleeping = clock.sleepUntil(9000, woken.signal);
    woken.abort();
    await sleeping;
    assert.equal(clock.now(), 0);
    await clock.sleepUntil(100, AbortSignal.any([]));
    assert.equal(clock.now(), 100);
    await clock.sleepUntil(50, AbortSignal.any([]));
    assert.equal(clock.now(), 100);
  });

  test('has no time after all times: who sleeps until then is woken by the abort alone', async () => {
    const clock = testClock(0);
    const woken = new AbortController();
    const sleeping = clock.sleepUntil(Infinity, woken.signal);
    woken.abort();
    await sleeping;
    assert.equal(clock.now(), 0);
  });
});
