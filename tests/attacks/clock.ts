// A time of day that is set at random moments of live runs, by up to ten years in either direction.
import assert from 'node:assert/strict';
import { startTestAgent, testClock } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { page } from '../sites/flipping-name.ts';
import { startRawServer } from '../sites/raw-server.ts';
import { assertAllEnded } from './rebinding.ts';

const YEARS_10_MS = 10 * 365 * 24 * 3_600_000;
const UPTIME_SECONDS_MAX = 3600;

/** Runs all that waits for a host, with several runs at once; answers how often the clock was set. Throws where one does not end. */
export async function attackByClock(random: () => number): Promise<number> {
  let jumps = 0;
  let jumpedMs = 0;
  const clock = testClock(Date.parse('2036-06-01T00:00:00Z'));
  const jumpsOften = random();
  const maybe = () => {
    if (random() > jumpsOften) return;
    jumps++;
    // From wherever it was: jumps are no walk away from now.
    const toMs = Math.round((random() * 2 - 1) * YEARS_10_MS);
    clock.jump(toMs - jumpedMs);
    jumpedMs = toMs;
  };
  const { sleepUntil } = clock;
  const jumping = {
    ...clock,
    async sleepUntil(epochMs: number, signal: AbortSignal) {
      maybe();
      await sleepUntil(epochMs, signal);
    },
  };
  const site = await startRawServer(({ path }) => {
    maybe();
    if (path === '/robots.txt' || path.endsWith('.xml')) return undefined;
    const base = path === '/' ? '' : path;
    return page(`at ${path}`, path.split('/').length < 5 ? [`${base}/a`, `${base}/b`] : []);
  });
  try {
    await using agent = await startTestAgent({ clock: jumping });
    await askInAllWays(agent, `${site.origin}/`, random);
    await assertAllEnded(agent);
    assert.ok((await agent.client.agent.status()).uptime_seconds < UPTIME_SECONDS_MAX);
  } finally {
    await site.close();
  }
  return jumps;
}

async function askInAllWays({ client }: TestAgent, url: string, random: () => number): Promise<void> {
  const delayMs = Math.floor(random() * 2000);
  const runs = [1, 1, 4, 8].map((limit) => client.crawl.start({ url, limit, delay_ms: delayMs, sitemap: 'skip', wait: true }));
  const [settled, map, found] = await Promise.all([Promise.all(runs), client.map.run({ url }), client.extract.run({ url, css: 'h1' })]);
  assert.deepEqual(
    settled.map(({ status }) => status),
    runs.map(() => 'succeeded'),
  );
  assert.ok(map.count > 0 && found.count === 1);
}
