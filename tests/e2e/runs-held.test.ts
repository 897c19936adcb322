// Runs whose hosts say nothing keep nobody else waiting.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startTestAgent } from '../agent.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';
import type { RawAnswer, RawServer } from '../sites/raw-server.ts';
import { until } from '../until.ts';

const HOME = reply({ headers: { 'Content-Type': 'text/html' }, body: '<title>Home</title><main>Hello to everybody</main>' });
const silent: RawAnswer = () => undefined;
const busy = reply({ status: '429 Too Many Requests', headers: { 'Retry-After': '600' }, body: '' });

/** An agent, a site that answers, and eight hosts that answer nothing but `answer`. */
async function start(answer: RawAnswer) {
  const live = await startRawServer({ '/': HOME });
  const held: RawServer[] = await Promise.all(Array.from({ length: 8 }, () => startRawServer(() => answer)));
  const agent = await startTestAgent();
  return {
    agent,
    client: agent.client,
    live: `${live.origin}/`,
    held: held.map(({ origin }) => `${origin}/`),
    running: async () => (await agent.client.agent.status()).runs,
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]();
      await Promise.all([live, ...held].map((server) => server.close()));
    },
  };
}

suite('held runs', () => {
  for (const count of [8, 100])
    test(`${count} crawls of hosts that never answer: a page of another host is scraped at once`, async () => {
      await using stage = await start(silent);
      for (let i = 0; i < count; i++) await stage.client.crawl.start({ url: stage.held[i % 8] ?? '', limit: 10 });
      const { status } = await stage.client.crawl.start({ url: stage.live, limit: 1, wait: true });
      assert.deepEqual([status, (await stage.running()).queued], ['succeeded', count - 8]);
    });

  test('a hundred crawls of hosts that never answer: a crawl of another host begins once they have been silent for a while', async () => {
    await using stage = await start(silent);
    for (let i = 0; i < 100; i++) await stage.client.crawl.start({ url: stage.held[i % 8] ?? '', limit: 10 });
    const { id } = await stage.client.crawl.start({ url: stage.live, limit: 10 });
    await until(async () => {
      stage.agent.clock.advance(3_000);
      return (await stage.client.crawl.read({ id })).status === 'succeeded';
    });
    assert.deepEqual(await stage.running(), { queued: 0, running: 100 });
  });

  test('sixteen pages of a host that never answers: those that stand in its line hold no place', async () => {
    await using stage = await start(silent);
    for (let i = 0; i < 16; i++) await stage.client.crawl.start({ url: stage.held[0] ?? '', limit: 1 });
    const { status } = await stage.client.crawl.start({ url: stage.live, limit: 1, wait: true });
    assert.deepEqual([status, await stage.running()], ['succeeded', { queued: 0, running: 16 }]);
  });

  test('eight crawls of hosts that want to be left alone for ten minutes: a page of another host is scraped meanwhile', async () => {
    await using stage = await start(busy);
    for (const url of stage.held) await stage.client.crawl.start({ url, limit: 10 });
    const { status } = await stage.client.crawl.start({ url: stage.live, limit: 1, wait: true });
    assert.equal(status, 'succeeded');
  });
});
