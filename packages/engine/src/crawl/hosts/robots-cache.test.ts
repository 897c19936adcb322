import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PageError } from '../../errors.ts';
import type { FetchRequest, Fetcher, Page } from '../../ports.ts';
import { decideRobots } from '../../robots/decide.ts';
import { MemoryHostGate } from './host-gate.ts';
import { RobotsCache } from './robots-cache.ts';

const HOST = 'https://shop.test';

type OneAnswer = readonly [status: number, body: string, retryAfter?: string] | PageError;

/** A fetcher that answers robots.txt from a list, one answer after the other; a string is a body, anything else fails. */
class Answers implements Fetcher {
  asked = 0;
  private readonly answers: readonly OneAnswer[];

  constructor(...answers: readonly OneAnswer[]) {
    this.answers = answers;
  }

  async fetch(request: FetchRequest): Promise<Page> {
    assert.equal(request.url, `${HOST}/robots.txt`);
    const answer = this.answers[Math.min(this.asked++, this.answers.length - 1)];
    if (answer === undefined || answer instanceof PageError) throw answer;
    const [status, body, retryAfter] = answer;
    const fixed = {
      headers: retryAfter === undefined ? [] : [['retry-after', retryAfter] as const],
      contentType: 'text/plain',
      lane: 'http',
      laneReason: 'asked',
      redirects: [],
      optionsIgnored: [],
      fromCache: false,
    } as const;
    return {
      ...fixed,
      requestedUrl: request.url,
      url: request.url,
      status,
      body: new TextEncoder().encode(body),
      timings: { totalMs: 0 },
      fetchedAtMs: 0,
    };
  }

  async close(): Promise<void> {}
}

function cacheOver(fetcher: Fetcher): { readonly cache: RobotsCache; readonly clock: { nowMs: number } } {
  const clock = {
    nowMs: 0,
    now: () => 0,
    steadyMs: () => clock.nowMs,
    sleepUntil: async () => undefined,
    alarm: () => () => undefined,
  };
  const pace = { gate: new MemoryHostGate(clock), agent: 'weft' };
  return { cache: new RobotsCache(fetcher, clock, [], pace), clock };
}

const signal = new AbortController().signal;
const isAllowed = async (cache: RobotsCache) => decideRobots(await cache.rulesFor(HOST, signal), 'weft', `${HOST}/a`).allowed;
const NO = 'User-agent: *\nDisallow: /';

test('asks again for whoever wants to know what holds now, and says when it asked', async () => {
  const fetcher = new Answers([404, ''], [200, NO]);
  const { cache, clock } = cacheOver(fetcher);
  clock.nowMs = 5_000;
  assert.equal((await cache.rulesFor(HOST, signal)).askedMs, 5_000);
  clock.nowMs = 9_000;
  assert.deepEqual(
    [await isAllowed(cache), (await cache.rulesFor(HOST, signal, undefined, 5_000)).askedMs, fetcher.asked],
    [true, 5_000, 1],
  );
  assert.equal((await cache.rulesFor(HOST, signal, undefined, 9_000)).askedMs, 9_000);
  assert.deepEqual([await isAllowed(cache), fetcher.asked], [false, 2]);
});

test('lays nothing to the host that fails in its line, and lets nobody wait for what will not come', async () => {
  const fetcher = new Answers([404, '']);
  const clock = { now: () => 0, steadyMs: () => 0, sleepUntil: async () => undefined, alarm: () => () => undefined };
  const gate = new MemoryHostGate(clock);
  const take = gate.take.bind(gate);
  for (const failing of ['robots of ', HOST]) {
    let isBroken = true;
    gate.take = async (...args) => {
      if (!isBroken || !args[0].startsWith(failing)) return await take(...args);
      isBroken = false;
      throw new Error('the database is gone');
    };
    const cache = new RobotsCache(fetcher, clock, [], { gate, agent: 'weft' });
    const [first, second] = await Promise.allSettled([isAllowed(cache), isAllowed(cache)]);
    assert.match(String(first?.status === 'rejected' && first.reason), /the database is gone/);
    assert.deepEqual(second, { status: 'fulfilled', value: true });
    assert.equal(await isAllowed(cache), true);
  }
});

test('asks once a day, also when many ask at once', async () => {
  const fetcher = new Answers([200, NO], [404, '']);
  const { cache, clock } = cacheOver(fetcher);
  assert.deepEqual(await Promise.all([isAllowed(cache), isAllowed(cache)]), [false, false]);
  clock.nowMs = 86_399_000;
  assert.equal(await isAllowed(cache), false);
  assert.equal(fetcher.asked, 1);
  clock.nowMs = 86_401_000;
  assert.equal(await isAllowed(cache), true);
});

test('forbids everything while the file can not be read, and tries again soon', async () => {
  const fetcher = new Answers([503, ''], new PageError('timeout', 'The host did not answer in time.'), [200, '']);
  const { cache, clock } = cacheOver(fetcher);
  assert.equal(await isAllowed(cache), false);
  clock.nowMs = 601_000;
  const rules = await cache.rulesFor(HOST, signal);
  assert.equal(rules.note, 'robots.txt could not be read: The host did not answer in time.');
  clock.nowMs = 1_300_000;
  assert.equal(await isAllowed(cache), true);
});

test('takes endless redirects for no file', async () => {
  assert.equal(await isAllowed(cacheOver(new Answers(new PageError('redirect_limit', 'Too many redirects.'))).cache), true);
});

/** One whose first request ends with the abort of its caller. */
function stoppedOnce() {
  const fetcher = new Answers(new PageError('aborted', 'Stopped.'), [200, '']);
  const stop = new AbortController();
  const { cache } = cacheOver({
    fetch: (request) => {
      stop.abort();
      return fetcher.fetch(request);
    },
    close: async () => undefined,
  });
  return { cache, stopped: stop.signal };
}

test('does not lay an abort to the host', async () => {
  const { cache, stopped } = stoppedOnce();
  assert.equal((await cache.rulesFor(HOST, stopped)).access, 'disallow_all');
  assert.equal(await isAllowed(cache), true);
});

test('does not lay the abort of one caller to another who waits for the same file', async () => {
  const { cache, stopped } = stoppedOnce();
  const [first, other] = await Promise.all([cache.rulesFor(HOST, stopped), cache.rulesFor(HOST, signal)]);
  assert.deepEqual([first.access, other.access], ['disallow_all', 'rules']);
});

test('a caller who stops waits for nobody, and one who gives a time waits no longer', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const fetcher = new Answers([200, '']);
  const slow = { fetch: async (request: FetchRequest) => (await promise, await fetcher.fetch(request)), close: async () => undefined };
  const { caches, clock } = pacedCaches(slow);
  const patient = caches[0].rulesFor(HOST, signal);
  const stop = new AbortController();
  const stopped = caches[0].rulesFor(HOST, stop.signal);
  stop.abort();
  assert.equal((await stopped).note, 'robots.txt could not be read: the request was stopped');
  const hasty = await caches[0].rulesFor(HOST, signal, { ...PACE, untilMs: clock.now() + 1000 });
  assert.deepEqual([hasty.access, hasty.unasked?.code], ['disallow_all', 'rate_limited']);
  resolve(undefined);
  assert.equal((await patient).access, 'rules');
});

for (const code of ['address', 'dns', 'connect', 'tls'] as const)
  test(`says that a host could not even be asked, and asks again for the next caller: ${code}`, async () => {
    const { cache } = cacheOver(new Answers(new PageError(code, 'Not that one.'), [200, '']));
    assert.deepEqual((await cache.rulesFor(HOST, signal)).unasked, { code, message: 'Not that one.' });
    assert.equal(await isAllowed(cache), true);
  });

/** Two caches that share the pace of a host, and a clock that moves to where somebody sleeps. */
function pacedCaches(fetcher: Fetcher) {
  let nowMs = 0;
  const clock = {
    now: () => nowMs,
    steadyMs: () => nowMs,
    sleepUntil: async (ms: number) => void (nowMs = Math.max(nowMs, ms)),
    alarm: () => () => undefined,
  };
  const gate = new MemoryHostGate(clock);
  const cache = () => new RobotsCache(fetcher, clock, [], { gate, agent: 'weft' });
  return { gate, clock, caches: [cache(), cache()] as const };
}

const PACE = { inFlightMax: 2, gapMs: 0 };

test('keeps the delay that the file asks for before anything else is asked, another cache included', async () => {
  const asked: number[] = [];
  const fetcher = new Answers([200, 'User-agent: *\nCrawl-delay: 0.25\n']);
  const { gate, clock, caches } = pacedCaches({
    fetch: (request) => {
      asked.push(clock.now());
      return fetcher.fetch(request);
    },
    close: async () => undefined,
  });
  await Promise.all(caches.map((cache) => cache.rulesFor(HOST, signal)));
  assert.ok((asked[1] ?? 0) - (asked[0] ?? 0) >= 250, asked.join(', '));
  assert.equal((await gate.restOf(HOST)).restsUntilMs, clock.now() + 250);
});

test('asks again for a file that is refused until the time that the host names', async () => {
  const fetcher = new Answers([429, '', '30'], [503, '', '30'], [200, NO]);
  const { clock, caches } = pacedCaches(fetcher);
  assert.equal(await isAllowed(caches[0]), false);
  assert.deepEqual([fetcher.asked, clock.now()], [3, 60_000]);
});

test('gives a host up that wants to be left alone for a day', async () => {
  const { clock, caches } = pacedCaches(new Answers([503, '', '86400']));
  const rules = await caches[0].rulesFor(HOST, signal);
  assert.deepEqual([rules.access, clock.now()], ['disallow_all', 0]);
});
