// The browser's lane too leads to no private address once a name was public (D31).
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createFetcher } from '@weft/engine/io';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { findBrowser } from '../browser.ts';
import { LANE_OPERATIONS } from '../attacks/rebinding.ts';
import { page, startFlippingName } from '../sites/flipping-name.ts';
import type { FlippingName } from '../sites/flipping-name.ts';
import type { RawRequest } from '../sites/raw-server.ts';

const PAGES = 5;

/** Each page leads to the next, by a link and through a script that asks for what its host has. */
function answer({ path }: RawRequest) {
  const number = path === '/' ? 0 : Number(/^\/p\/(\d+)$/.exec(path)?.[1] ?? Number.NaN);
  if (Number.isNaN(number) || number > PAGES) return undefined;
  return page(`page ${number}`, [`/p/${number + 1}`], `<script>fetch('/data/${number}')</script><iframe src="/frame/${number}"></iframe>`);
}

/** An agent whose names are those of `flipping`, with a real browser. */
async function start({ gate, dialTo }: FlippingName): Promise<TestAgent> {
  return await startTestAgent({ fetcher: createFetcher({ gate, dialTo, home: '/nowhere', chromePath: await findBrowser() }) });
}

const paths = (server: FlippingName['victim']) => server.requests.map((request) => request.path);

suite('a name that is pointed at a private address while a browser is there', { timeout: 600_000 }, () => {
  for (const [operation, ask] of Object.entries(LANE_OPERATIONS)) {
    for (const flip of ['/', '/data/0', '/p/1'])
      test(`attack 1: ${operation} in a browser whose name flips at ${flip} asks nothing at the private address`, async () => {
        await using flipping = await startFlippingName((request, point) => {
          if (request.path === flip) point('private');
          return answer(request);
        });
        await using agent = await start(flipping);
        const shown = await ask(agent, `${flipping.origin}/`, 'browser');
        assert.deepEqual(paths(flipping.victim), []);
        assert.doesNotMatch(JSON.stringify(shown), /secret of/);
      });

    test(`attack 1: ${operation} in a browser whose name flips after its first look-up asks nothing at the private address`, async () => {
      let lookUps = 0;
      await using flipping = await startFlippingName(answer, (point) => point(lookUps++ === 0 ? 'public' : 'private'));
      await using agent = await start(flipping);
      await ask(agent, `${flipping.origin}/`, 'browser');
      assert.deepEqual(paths(flipping.victim), []);
      assert.ok(lookUps > 1);
    });
  }

  test('attack 1: a private host that its caller names is rendered and crawled as long as it is private', async () => {
    await using flipping = await startFlippingName(answer);
    flipping.point('private');
    await using agent = await start(flipping);
    const { counts } = await agent.client.crawl.start({
      url: `${flipping.origin}/`,
      limit: 3,
      sitemap: 'skip',
      lane: 'browser',
      wait: true,
    });
    assert.equal(counts.fetched, 3);
    assert.deepEqual(paths(flipping.site), []);
  });
});
