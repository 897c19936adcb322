// A name that was public leads to no private address, whatever it is pointed at later (D31).
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { createHttpFetcher } from '../../packages/engine/src/io/http/fetcher.ts';
import { startTestAgent, testClock } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { OPERATIONS } from '../attacks/rebinding.ts';
import { page, startFlippingName } from '../sites/flipping-name.ts';
import type { FlippingName } from '../sites/flipping-name.ts';
import { redirect } from '../sites/raw-server.ts';
import { until } from '../until.ts';

const PAGES = 12;

/** Points the name at the private address once `path` was asked for; each page leads to the next. */
const flipAt = (path: string) =>
  startFlippingName((request, point) => {
    if (request.path === path) point('private');
    const number = Number(/^\/p\/(\d+)$/.exec(request.path)?.[1] ?? (request.path === '/' ? 0 : Number.NaN));
    if (request.path === '/moved') return redirect('/p/9');
    return Number.isNaN(number) || number > PAGES ? undefined : page(`page ${number}`, [`/p/${number + 1}`, '/moved']);
  });

/** An agent whose names are those of `flipping`. */
async function start(flipping: FlippingName, home?: string): Promise<TestAgent> {
  const { gate, dialTo } = flipping;
  return await startTestAgent({
    fetcher: createHttpFetcher({ gate, dialTo }),
    clock: testClock(),
    ...(home === undefined ? {} : { home }),
  });
}

const paths = (server: FlippingName['victim']) => server.requests.map((request) => request.path);

suite('a name that is pointed at a private address', () => {
  for (const path of ['/robots.txt', '/', '/p/1', '/p/4', '/sitemap.xml']) {
    test(`attack 1: a crawl whose name flips at ${path} asks nothing at the private address`, async () => {
      await using flipping = await flipAt(path);
      await using agent = await start(flipping);
      const { id } = await agent.client.crawl.start({ url: `${flipping.origin}/`, limit: 20, wait: true });
      assert.deepEqual(paths(flipping.victim), []);
      const { data } = await agent.client.crawl.reasons({ id });
      assert.ok(data.some(({ reason }) => reason === 'address'));
    });

    test(`attack 1: a saved crawl whose name flips at ${path} asks nothing at the private address`, async () => {
      await using flipping = await flipAt(path);
      await using agent = await start(flipping);
      await agent.client.crawlDefinitions.create({ url: `${flipping.origin}/`, slug: 'flip' });
      await agent.client.crawlDefinitions.run({ ref: 'flip', wait: true });
      assert.deepEqual(paths(flipping.victim), []);
    });

    test(`attack 1: a map whose name flips at ${path} asks nothing at the private address`, async () => {
      await using flipping = await flipAt(path);
      await using agent = await start(flipping);
      await agent.client.map.run({ url: `${flipping.origin}/` });
      assert.deepEqual(paths(flipping.victim), []);
    });
  }

  for (const [operation, ask] of Object.entries(OPERATIONS))
    test(`attack 1: ${operation} whose name flips after its first look-up asks nothing at the private address`, async () => {
      let lookUps = 0;
      await using flipping = await startFlippingName(
        ({ path }) => page(`at ${path}`, ['/p/1', '/p/2']),
        (point) => point(lookUps++ === 0 ? 'public' : 'private'),
      );
      await using agent = await start(flipping);
      await ask(agent, `${flipping.origin}/`, 'http');
      assert.deepEqual(paths(flipping.victim), []);
      assert.ok(lookUps > 1);
    });

  test('attack 1: an explanation asks a name that was public for no robots.txt at the private address', async () => {
    let lookUps = 0;
    await using flipping = await startFlippingName(
      () => undefined,
      (point) => point(lookUps++ === 0 ? 'public' : 'private'),
    );
    await using agent = await start(flipping);
    const urls = [`${flipping.origin}/`, `${flipping.origin.replace('http:', 'https:')}/`];
    await agent.client.crawl.explain({ options: { url: `${flipping.origin}/` }, urls });
    assert.deepEqual([flipping.victim.connectionCount(), lookUps], [0, 2]);
  });

  test('attack 1: a name that flips while the agent is down is as public after the restart', async () => {
    await using flipping = await flipAt('/never');
    const home = mkdtempSync(join(tmpdir(), 'weft-flip-'));
    try {
      const first = await start(flipping, home);
      const { id } = await first.client.crawl.start({ url: `${flipping.origin}/`, limit: 20, delay_ms: 1000 });
      await until(() => paths(flipping.site).includes('/p/3'));
      await first[Symbol.asyncDispose]();
      flipping.point('private');
      await using second = await start(flipping, home);
      const { status } = await second.client.waitForRun(id);
      assert.equal(status, 'succeeded');
      assert.deepEqual(paths(flipping.victim), []);
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  test('attack 1: a private host that its caller names is crawled, and mapped, as long as it is private', async () => {
    await using flipping = await flipAt('/never');
    flipping.point('private');
    await using agent = await start(flipping);
    const crawl = await agent.client.crawl.start({ url: `${flipping.origin}/`, limit: 3, sitemap: 'skip', wait: true });
    assert.equal(crawl.counts.fetched, 3);
    assert.ok((await agent.client.map.run({ url: `${flipping.origin}/`, sitemap: 'skip', limit: 10 })).count > 2);
    assert.deepEqual(paths(flipping.site), []);
  });
});
