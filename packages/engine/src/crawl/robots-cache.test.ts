import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PageError } from '../errors.ts';
import type { FetchRequest, Fetcher, Page } from '../ports.ts';
import { decideRobots } from '../robots/decide.ts';
import { MemoryHostGate } from './host-pace.ts';
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
  const clock = { nowMs: 0 };
  return { cache: new RobotsCache(fetcher, { now: () => clock.nowMs, sleepUntil: async () => undefined }), clock };
}

const signal = new AbortController().signal;
const isAllowed = async (cache: RobotsCache) => decideRobots(await cache.rulesFor(HOST, signal), 'weft', `${HOST}/a`).allowed;
const NO = 'User-agent: *\nDisallow: /';

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
  const fetcher = new Answers([503, ''], new PageError('connect', 'The host could not be reached.'), [200, '']);
  const { cache, clock } = cacheOver(fetcher);
  assert.equal(await isAllowed(cache), false);
  clock.nowMs = 601_000;
  const rules = await cache.rulesFor(HOST, signal);
  assert.equal(rules.note, 'robots.txt could not be read: The host could not be reached.');
  clock.nowMs = 1_300_000;
  assert.equal(await isAllowed(cache), true);
});

test('takes endless redirects for no file', async () => {
  assert.equal(await isAllowed(cacheOver(new Answers(new PageError('redirect_limit', 'Too many redirects.'))).cache), true);
});

test('does not lay an abort to the host', async () => {
  const fetcher = new Answers(new PageError('aborted', 'Stopped.'), [200, '']);
  const { cache } = cacheOver(fetcher);
  await cache.rulesFor(HOST, AbortSignal.abort());
  assert.equal(await isAllowed(cache), true);
});

test('does not lay the abort of one caller to another who waits for the same file', async () => {
  const fetcher = new Answers(new PageError('aborted', 'Stopped.'), [200, '']);
  const { cache } = cacheOver(fetcher);
  const [stopped, other] = await Promise.all([cache.rulesFor(HOST, AbortSignal.abort()), cache.rulesFor(HOST, signal)]);
  assert.deepEqual([stopped.access, other.access], ['disallow_all', 'rules']);
});

/** Two caches that share the pace of a host, and a clock that moves to where somebody sleeps. */
function pacedCaches(fetcher: Fetcher) {
  let nowMs = 0;
  const clock = { now: () => nowMs, sleepUntil: async (ms: number) => void (nowMs = Math.max(nowMs, ms)) };
  const gate = new MemoryHostGate();
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
  assert.equal(gate.tryStart(HOST, PACE, clock.now()), clock.now() + 250);
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
