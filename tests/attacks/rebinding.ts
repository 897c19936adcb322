// Names that flip between a public and a private address at random moments, under every operation that asks a site.
import assert from 'node:assert/strict';
import { createHttpFetcher } from '../../packages/engine/src/io/http/fetcher.ts';
import { startTestAgent, testClock } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { page, startFlippingName } from '../sites/flipping-name.ts';
import { redirect } from '../sites/raw-server.ts';

const PAGES = 12;

/** Each asks the site in its own way, and answers all that its caller is shown. */
const OPERATIONS: Readonly<Record<string, (agent: TestAgent, url: string) => Promise<unknown>>> = {
  crawl: async ({ client }, url) => await client.crawl.start({ url, limit: PAGES, wait: true }),
  scrape: async ({ client }, url) => await client.crawl.start({ url, limit: 1, wait: true }),
  map: async ({ client }, url) => await client.map.run({ url }),
  extract: async ({ client }, url) => await client.extract.run({ url, css: 'h1' }),
  async 'saved crawl'({ client }, url) {
    await client.crawlDefinitions.create({ url, slug: 'flip', limit: PAGES });
    return await client.crawlDefinitions.run({ ref: 'flip', wait: true });
  },
};

/** Asks a site of its own by each operation; answers how often its name flipped. Throws where the private address was asked, or a run goes on. */
export async function attackByNames(random: () => number): Promise<number> {
  let flips = 0;
  for (const [operation, ask] of Object.entries(OPERATIONS)) flips += await attackOne(operation, ask, random);
  return flips;
}

async function attackOne(operation: string, ask: (agent: TestAgent, url: string) => Promise<unknown>, random: () => number) {
  let flips = 0;
  let lookUps = 0;
  const flipsOften = random();
  const maybe = (point: (to: 'public' | 'private') => void) => {
    if (random() > flipsOften) return;
    flips++;
    point(random() < 0.5 ? 'private' : 'public');
  };
  await using flipping = await startFlippingName(
    ({ path }, point) => {
      maybe(point);
      if (random() < 0.1) return redirect(`/p/${Math.floor(random() * PAGES)}`);
      const links = Array.from({ length: 3 }, () => `/p/${Math.floor(random() * PAGES)}`);
      return path === '/' || path.startsWith('/p/') ? page(`at ${path}`, links) : undefined;
    },
    // The first contact is public, of a page and of robots.txt beside it: a host that is private from the start is what its caller names.
    (point) => void (lookUps++ > 1 && maybe(point)),
  );
  const { gate, dialTo, origin, victim } = flipping;
  await using agent = await startTestAgent({ fetcher: createHttpFetcher({ gate, dialTo }), clock: testClock() });
  // A refusal is an answer as well; what counts is where the agent went and what it shows.
  const shown = await ask(agent, `${origin}/`).catch(String);
  assert.deepEqual(
    victim.requests.map(({ path }) => path),
    [],
    `${operation} asked a private address`,
  );
  assert.doesNotMatch(JSON.stringify(shown), /secret of/, `${operation} shows a private page`);
  await assertAllEnded(agent);
  return flips;
}

/** No run is live, and none has lasted longer than a test does. */
export async function assertAllEnded({ client }: TestAgent): Promise<void> {
  const { data } = await client.runs.list({});
  for (const { id, status, duration_ms: lastedMs = 0 } of data) {
    assert.ok(status !== 'running' && status !== 'queued', `run ${id} is ${status}`);
    assert.ok(lastedMs >= 0 && lastedMs < 3_600_000, `run ${id} lasted ${lastedMs} ms`);
  }
}
