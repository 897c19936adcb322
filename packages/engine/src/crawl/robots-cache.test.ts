import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PageError } from '../errors.ts';
import type { FetchRequest, Fetcher, Page } from '../ports.ts';
import { decideRobots } from '../robots/decide.ts';
import { RobotsCache } from './robots-cache.ts';

const HOST = 'https://shop.test';

/** A fetcher that answers robots.txt from a list, one answer after the other; a string is a body, anything else fails. */
class Answers implements Fetcher {
  asked = 0;
  private readonly answers: readonly (readonly [status: number, body: string] | PageError)[];

  constructor(...answers: readonly (readonly [status: number, body: string] | PageError)[]) {
    this.answers = answers;
  }

  async fetch(request: FetchRequest): Promise<Page> {
    assert.equal(request.url, `${HOST}/robots.txt`);
    const answer = this.answers[Math.min(this.asked++, this.answers.length - 1)];
    if (answer === undefined || answer instanceof PageError) throw answer;
    const [status, body] = answer;
    const fixed = {
      headers: [],
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
