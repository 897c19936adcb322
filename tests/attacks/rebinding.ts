// Names that flip between a public and a private address at random moments, under every operation that asks a site.
import assert from 'node:assert/strict';
import type { Lane } from '@weft/engine';
import { createFetcher } from '@weft/engine/io';
import { startTestAgent, testClock } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { findBrowser } from '../browser.ts';
import { page, startFlippingName } from '../sites/flipping-name.ts';
import { redirect } from '../sites/raw-server.ts';

const PAGES = 12;

type Ask = (agent: TestAgent, url: string, lane: Lane) => Promise<unknown>;

/** Those that take a lane. Each asks the site in its own way, and answers all that its caller is shown. */
export const LANE_OPERATIONS: Readonly<Record<string, Ask>> = {
  crawl: async ({ client }, url, lane) => await client.crawl.start({ url, limit: PAGES, lane, wait: true }),
  scrape: async ({ client }, url, lane) => await client.crawl.start({ url, limit: 1, lane, wait: true }),
  extract: async ({ client }, url, lane) => await client.extract.run({ url, css: 'h1', lane }),
  async 'saved crawl'({ client }, url, lane) {
    await client.crawlDefinitions.create({ url, slug: 'flip', limit: PAGES, lane });
    return await client.crawlDefinitions.run({ ref: 'flip', wait: true });
  },
};

/** All that ask a site. */
export const OPERATIONS: Readonly<Record<string, Ask>> = {
  ...LANE_OPERATIONS,
  map: async ({ client }, url) => await client.map.run({ url }),
};

/** Asks a site of its own by each operation and lane; answers how often its name flipped. Throws where the private address was asked, or a run goes on. */
export async function attackByNames(random: () => number): Promise<number> {
  let flips = 0;
  for (const [operation, ask] of Object.entries(OPERATIONS)) flips += await attackOne(operation, ask, 'http', random);
  for (const [operation, ask] of Object.entries(LANE_OPERATIONS)) flips += await attackOne(operation, ask, 'browser', random);
  return flips;
}

async function attackOne(operation: string, ask: Ask, lane: Lane, random: () => number) {
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
    // The first look-up is public: a host that is private from the start is what its caller names.
    (point) => void (lookUps++ > 0 && maybe(point)),
  );
  const { gate, dialTo, origin, victim } = flipping;
  await using agent = await startTestAgent({
    fetcher: createFetcher({ gate, dialTo, home: '/nowhere', chromePath: await findBrowser() }),
    clock: testClock(),
  });
  // A refusal is an answer as well; what counts is where the agent went and what it shows.
  const shown = await ask(agent, `${origin}/`, lane).catch(String);
  assert.deepEqual(
    victim.requests.map(({ path }) => path),
    [],
    `${operation} by ${lane} asked a private address`,
  );
  assert.doesNotMatch(JSON.stringify(shown), /secret of/, `${operation} by ${lane} shows a private page`);
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
