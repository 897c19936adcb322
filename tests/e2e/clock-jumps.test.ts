// The time of day can be set by anybody at any moment: nothing that waits, rests or lasts goes by it.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { TestAgent, TestClock } from '../agent.ts';
import { startTestAgent, testClock } from '../agent.ts';
import { page } from '../sites/flipping-name.ts';
import { startRawServer } from '../sites/raw-server.ts';

const HOUR = 3_600_000;
const YEARS_10 = 10 * 365 * 24 * HOUR;

/** A site whose every page is asked for with `onAsked`. */
async function start(onAsked: (clock: TestClock) => void) {
  const clock = testClock(Date.parse('2036-06-01T00:00:00Z'));
  const site = await startRawServer(({ path }) => {
    if (path === '/robots.txt') return undefined;
    onAsked(clock);
    const depth = path.split('/').length;
    return path.endsWith('.xml')
      ? undefined
      : page(`at ${path}`, depth < 5 ? [`${path === '/' ? '' : path}/a`, `${path === '/' ? '' : path}/b`] : []);
  });
  const agent = await startTestAgent({ clock });
  return {
    agent,
    clock,
    url: `${site.origin}/`,
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]();
      await site.close();
    },
  };
}

/** Everything that asks a host goes through, and takes no more time than it does. */
async function asksInAllWays({ client }: TestAgent, url: string): Promise<void> {
  for (const limit of [1, 4]) {
    const run = await client.crawl.start({ url, limit, delay_ms: 500, sitemap: 'skip', wait: true, timeout: 600 });
    assert.equal(run.status, 'succeeded');
    const { duration_ms: lastedMs = -1 } = await client.runs.read({ id: run.id });
    assert.ok(lastedMs >= 0 && lastedMs < 60_000, `${lastedMs} ms`);
  }
  assert.ok((await client.map.run({ url })).count > 0);
  assert.equal((await client.extract.run({ url, css: 'h1' })).count, 1);
  assert.ok((await client.agent.status()).uptime_seconds < 600);
}

suite('the time of day', () => {
  for (const [name, jumpMs] of [
    ['an hour back', -HOUR],
    ['a day forward', 24 * HOUR],
    ['ten years back', -YEARS_10],
    ['ten years forward', YEARS_10],
  ] as const) {
    test(`attack 2: set ${name}, hosts that were asked before are asked on`, async () => {
      await using site = await start(() => undefined);
      await asksInAllWays(site.agent, site.url);
      site.clock.jump(jumpMs);
      await asksInAllWays(site.agent, site.url);
      site.clock.jump(-jumpMs);
      await asksInAllWays(site.agent, site.url);
    });

    test(`attack 2: set ${name} in the middle of each request, everything goes on`, async () => {
      let sign = 1;
      await using site = await start((clock) => clock.jump((sign = -sign) * jumpMs));
      await asksInAllWays(site.agent, site.url);
    });
  }

  test('attack 2: whatever the jumps, every run ends and none lasts longer than it took', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -YEARS_10, max: YEARS_10 }), { minLength: 1, maxLength: 20 }), async (jumps) => {
        let at = 0;
        let jumpedMs = 0;
        await using site = await start((clock) => {
          // From wherever it was: jumps are no walk away from now.
          const toMs = jumps[at++ % jumps.length] ?? 0;
          clock.jump(toMs - jumpedMs);
          jumpedMs = toMs;
        });
        await asksInAllWays(site.agent, site.url);
      }),
      { numRuns: 5 },
    );
  });
});
