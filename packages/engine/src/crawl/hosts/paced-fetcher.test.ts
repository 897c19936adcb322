import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { twoPages } from '../../../../../tests/conformance/ways.ts';
import { testClock } from '../../../../../tests/agent.ts';
import { PageError } from '../../errors.ts';
import type { Fetcher } from '../../ports.ts';
import { MemoryHostGate } from './host-gate.ts';
import { pacedFetcher } from './paced-fetcher.ts';

const URL_HERE = 'http://here.test/page';
const HERE = 'http://here.test';
const THERE = 'http://there.test';
const PLACES = { inFlightMax: 2, gapMs: 0 };

function start(fetcher: Fetcher = twoPages()) {
  const clock = testClock();
  const gate = new MemoryHostGate(clock);
  const abort = new AbortController();
  return { gate, clock, abort, fetch: () => pacedFetcher({ fetcher, gate, clock }).fetch({ url: URL_HERE }, abort.signal) };
}

const take = (gate: MemoryHostGate) => gate.take(HERE, PLACES, new AbortController().signal);

const isPageError = (code: string, message: RegExp) => (error: unknown) =>
  error instanceof PageError && error.code === code && message.test(error.message);

suite('a fetcher that keeps the pace of hosts', () => {
  test('asks once the host has said that it may', async () => {
    const { gate, clock, fetch } = start();
    const startMs = clock.now();
    await (await take(gate))?.end({ status: 429, retryAtMs: startMs + 5000 });
    assert.equal((await fetch()).status, 200);
    assert.equal(clock.now(), startMs + 5000);
  });

  test('refuses at once where the host wants to be left alone for an hour, and says until when', async () => {
    const { gate, clock, fetch } = start();
    await (await take(gate))?.end({ status: 429, retryAtMs: clock.now() + 3_600_000 });
    const until = new Date(clock.now() + 3_600_000).toISOString();
    await assert.rejects(fetch(), isPageError('rate_limited', new RegExp(until)));
  });

  test('is stopped while it waits for a place that others hold', async () => {
    const { gate, abort, fetch } = start();
    for (let place = 0; place < PLACES.inFlightMax; place++) await take(gate);
    const fetching = fetch();
    abort.abort();
    await assert.rejects(fetching, isPageError('aborted', /before it began/));
  });

  test('holds a place where a redirect leads, and none where it came from', async () => {
    const placesFree = async (gate: MemoryHostGate, host: string) => {
      const left = new AbortController();
      const grant = await gate.take(host, { inFlightMax: 1, gapMs: 0 }, left.signal, () => left.abort());
      return grant !== undefined;
    };
    const seen: boolean[] = [];
    const { gate, fetch } = start({
      ...twoPages(),
      async fetch(request, signal) {
        await request.beforeRedirect?.(`${THERE}/page`, 301, 'public');
        seen.push(await placesFree(gate, HERE), await placesFree(gate, THERE));
        return await twoPages().fetch(request, signal);
      },
    });
    await fetch();
    assert.deepEqual(seen, [true, false]);
  });
});
