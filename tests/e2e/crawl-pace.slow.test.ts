// What a host sees of crawls: its own log of arrivals is the truth, real time and real sockets on both sides.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { AgentClient } from '@weft/client';
import { createClient } from '@weft/client';
import type { CrawlOptions } from '@weft/contract';
import { systemClock } from '../../packages/daemon/src/clock.ts';
import type { TestAgent, TestClock } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import type { Answer, LocalSite } from '../sites/crawl-sites.ts';
import { startSite } from '../sites/crawl-sites.ts';
import { fetcherOfSites } from '../sites/public-sites.ts';

/** Real time: nobody moves it. */
const CLOCK: TestClock = { ...systemClock, advance: () => undefined, jump: () => undefined };

const SECTIONS = ['a', 'b', 'c'] as const;
const PAGES_PER_SECTION = 5;
const own = (path: string) => `<title>${path}</title><p>The page ${path} says what no other page of this host says.</p>`;
const links = (paths: readonly string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join('');

/** A host of three sections; every answer takes some turns of the event loop, so that requests would overlap if they could. */
function startHost(robots: string | undefined): Promise<LocalSite> {
  return startSite(async (path) => {
    for (let turns = 20; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
    if (path === '/robots.txt')
      return robots === undefined ? undefined : { status: 200, headers: { 'content-type': 'text/plain' }, body: robots };
    const [, section = '', number] = path.split('/');
    if (!SECTIONS.some((name) => name === section) || (number !== '' && !/^\d$/.test(number ?? ''))) return undefined;
    return own(path) + (number === '' ? links(Array.from({ length: PAGES_PER_SECTION }, (_, i) => `/${section}/${i}`)) : '');
  });
}

const gapsOf = ({ arrivals }: LocalSite) => arrivals.slice(1).map((ms, i) => ms - (arrivals[i] ?? 0));

/** A client per section, each with a key of its own but for the first. */
async function callers(agent: TestAgent): Promise<readonly AgentClient[]> {
  const keys = await Promise.all(SECTIONS.slice(1).map((name) => agent.client.keys.create({ name, scopes: 'run' })));
  return [agent.client, ...keys.map(({ token }) => createClient({ baseUrl: agent.baseUrl, token, retriesMax: 0 }))];
}

/** Crawls all sections at once, and asserts that each crawl brought its pages once. */
async function crawlSections(agent: TestAgent, site: LocalSite, options: Partial<CrawlOptions>): Promise<void> {
  const clients = await callers(agent);
  const crawls = await Promise.all(
    clients.map((client, i) => client.crawl.start({ url: `http://host.test/${SECTIONS[i]}/`, formats: [], ...options, wait: true })),
  );
  for (const { status, counts } of crawls)
    assert.deepEqual([status, counts.fetched, counts.failed], ['succeeded', 1 + PAGES_PER_SECTION, 0]);
  const pages = site.requests.filter((path) => /^\/[abc]\//.test(path) && !path.endsWith('.xml'));
  assert.deepEqual([pages.length, new Set(pages).size], [3 * (1 + PAGES_PER_SECTION), 3 * (1 + PAGES_PER_SECTION)]);
}

suite('three crawls of one host by three callers', () => {
  const cases: readonly (readonly [
    name: string,
    robots: string | undefined,
    options: Partial<CrawlOptions>,
    gapMs: number,
    mostAtOnce: number,
  ])[] = [
    ['keep the fraction of a second that its robots.txt asks for', 'User-agent: *\nCrawl-delay: 0.06\n', { max_concurrency: 8 }, 60, 1],
    ['keep it too where its sitemaps are read', 'User-agent: *\nCrawl-delay: 0.06\n', { sitemap: 'include' }, 60, 1],
    ['keep the delay that they were started with', undefined, { delay_ms: 60 }, 60, 1],
    ['have as much in flight together as one of them may', undefined, {}, 0, 2],
    ['have one request in flight together where that is asked', undefined, { max_concurrency: 1 }, 0, 1],
  ];
  for (const [name, robots, options, gapMs, mostAtOnce] of cases)
    test(name, async () => {
      const site = await startHost(robots);
      const fetcher = fetcherOfSites({ 'host.test': site });
      try {
        await using agent = await startTestAgent({ clock: CLOCK, fetcher });
        await crawlSections(agent, site, { sitemap: 'skip', ...options });
        const gaps = gapsOf(site);
        assert.ok(
          gaps.every((gap) => gap >= gapMs),
          site.requests.map((path, i) => `${path} ${gaps[i - 1] ?? ''}`).join(', '),
        );
        assert.ok(site.mostAtOnce() <= mostAtOnce, `${site.mostAtOnce()} at once`);
        assert.deepEqual(agent.logged, []);
      } finally {
        await site.close();
      }
    });
});

suite('a redirect', () => {
  const links = ['/s/old/1', '/s/old/2', '/s/old/3', '/s/gone'];
  const answers: Readonly<Record<string, Answer>> = {
    '/robots.txt': {
      status: 200,
      headers: { 'content-type': 'text/plain' },
      body: 'User-agent: *\nCrawl-delay: 0.06\nDisallow: /secret\n',
    },
    '/s/': own('/s/') + links.map((href) => `<a href="${href}">${href}</a>`).join(''),
    '/sitemap.xml': { status: 301, headers: { location: '/map.xml' } },
    '/map.xml': {
      status: 200,
      headers: { 'content-type': 'text/xml' },
      body: '<urlset><url><loc>http://host.test/s/1</loc></url></urlset>',
    },
    '/s/old/1': { status: 301, headers: { location: '/s/1' } },
    '/s/old/2': { status: 302, headers: { location: '/s/older/2' } },
    '/s/older/2': { status: 308, headers: { location: '/s/2' } },
    '/s/old/3': { status: 301, headers: { location: 'http://other.test/s/3' } },
    '/s/gone': { status: 302, headers: { location: '/secret' } },
    '/s/1': own('/s/1'),
    '/s/2': own('/s/2'),
    '/s/3': own('/s/3'),
    '/secret': own('/secret'),
  };

  test('is followed at the pace of the host that it leads to, and never to where a robots.txt forbids', async () => {
    const [host, other] = await Promise.all([startSite((path) => answers[path]), startSite((path) => answers[path])]);
    try {
      await using agent = await startTestAgent({ clock: CLOCK, fetcher: fetcherOfSites({ 'host.test': host, 'other.test': other }) });
      const options = { allow_external_links: true, wait: true };
      const crawl = await agent.client.crawl.start({ url: 'http://host.test/s/', ...options });
      // Four that redirect, and the one that stands between two of them.
      assert.deepEqual([crawl.status, crawl.counts.fetched, crawl.counts.skipped], ['succeeded', 4, 5]);
      for (const site of [host, other]) {
        const gaps = gapsOf(site);
        assert.ok(
          gaps.every((gap) => gap >= 60),
          site.requests.map((path, i) => `${path} ${gaps[i - 1] ?? ''}`).join(', '),
        );
        assert.equal(site.mostAtOnce(), 1);
        assert.ok(!site.requests.includes('/secret'));
      }
      assert.deepEqual(other.requests, ['/robots.txt', '/s/3']);
      const { data } = await agent.client.crawl.reasons({ id: crawl.id });
      assert.ok(
        data.some(({ reason, count }) => reason === 'robots' && count === 1),
        JSON.stringify(data),
      );
    } finally {
      await Promise.all([host.close(), other.close()]);
    }
  });
});
