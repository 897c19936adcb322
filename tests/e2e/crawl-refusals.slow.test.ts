// Hosts that ask to be left alone for a while: their own log says whether they were. Real time and real sockets on both sides.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { systemClock } from '../../packages/daemon/src/clock.ts';
import type { TestClock } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import type { Answer, LocalSite } from '../sites/crawl-sites.ts';
import { startSite } from '../sites/crawl-sites.ts';
import { fetcherOfSites } from '../sites/public-sites.ts';

/** Real time: nobody moves it. */
const CLOCK: TestClock = { ...systemClock, advance: () => undefined, jump: () => undefined };

const own = (path: string, links: readonly string[] = []) =>
  `<title>${path}</title><p>The page ${path} says what no other page says.</p>${links.map((href) => `<a href="${href}">l</a>`).join('')}`;

/** How a host says until when, at least a second from `nowMs`; and until when that is. */
type Wish = (nowMs: number) => { readonly header: string; readonly untilMs: number };

const WISHES: Readonly<Record<'seconds' | 'date', Wish>> = {
  seconds: (nowMs) => ({ header: '1', untilMs: nowMs + 1000 }),
  date(nowMs) {
    const untilMs = Math.ceil((nowMs + 1000) / 1000) * 1000;
    return { header: new Date(untilMs).toUTCString(), untilMs };
  },
};

/** A site that refuses the first `refusals` requests for each of `paths`, and notes whoever comes before the time that it named. */
async function startBusySite(
  refused: { readonly paths: readonly string[]; readonly status: 429 | 503; readonly wish: Wish; readonly refusals: number },
  answer: (path: string) => Answer,
): Promise<{
  readonly site: LocalSite;
  readonly early: readonly string[];
  readonly refusals: () => number;
}> {
  const early: string[] = [];
  const left = new Map(refused.paths.map((path) => [path, refused.refusals]));
  let untilMs = 0;
  let refusals = 0;
  const site = await startSite((path) => {
    const nowMs = Date.now();
    if (nowMs < untilMs) early.push(`${path} ${untilMs - nowMs} ms early`);
    const more = left.get(path) ?? 0;
    if (more === 0) return answer(path);
    left.set(path, more - 1);
    refusals++;
    const wish = refused.wish(nowMs);
    ({ untilMs } = wish);
    return { status: refused.status, headers: { 'retry-after': wish.header }, body: 'Not now.' };
  });
  return { site, early, refusals: () => refusals };
}

/** More than the attempts that a page has. */
const REFUSALS = 4;
const CASES = [
  [429, 'seconds'],
  [429, 'date'],
  [503, 'seconds'],
  [503, 'date'],
] as const;

suite('a host that refuses', { concurrency: true }, () => {
  for (const [status, form] of CASES)
    test(`a page with ${status} and Retry-After as ${form} is left alone until then and gives the page in the end, while another host goes on`, async () => {
      const others = Array.from({ length: 20 }, (_, i) => `/other/${i}`);
      const { site, early, refusals } = await startBusySite(
        { paths: ['/s/wanted'], status, wish: WISHES[form], refusals: REFUSALS },
        (path) =>
          path === '/s/'
            ? own(path, ['wanted', 'http://calm.test/other/'])
            : path === '/s/wanted'
              ? own(path, ['after'])
              : path === '/s/after'
                ? own(path)
                : undefined,
      );
      const calm = await startSite((path) => (path === '/other/' ? own(path, others) : others.includes(path) ? own(path) : undefined));
      try {
        await using agent = await startTestAgent({ clock: CLOCK, fetcher: fetcherOfSites({ 'busy.test': site, 'calm.test': calm }) });
        const crawl = await agent.client.crawl.start({
          url: 'http://busy.test/s/',
          allow_external_links: true,
          sitemap: 'skip',
          formats: [],
          max_concurrency: 2,
          wait: true,
        });
        assert.deepEqual([crawl.status, crawl.counts.fetched, crawl.counts.failed], ['succeeded', 3 + 21, 0]);
        assert.deepEqual([early, refusals()], [[], REFUSALS]);
        assert.equal(site.requests.filter((path) => path === '/s/wanted').length, REFUSALS + 1);
        const blockedMs = site.arrivals[site.requests.indexOf('/s/wanted')] ?? 0;
        const freedMs = site.arrivals[site.requests.lastIndexOf('/s/wanted')] ?? 0;
        const meanwhile = calm.arrivals.filter((ms) => ms >= blockedMs && ms < freedMs).length;
        assert.ok(meanwhile >= 20, `${meanwhile} pages of the other host came while the first was blocked`);
        assert.deepEqual(agent.logged, []);
      } finally {
        await Promise.all([site.close(), calm.close()]);
      }
    });

  for (const path of ['/robots.txt', '/sitemap.xml'])
    test(`${path} with 503 and Retry-After is left alone until then and asked again, and nothing is missed that it would have told`, async () => {
      const { site, early } = await startBusySite({ paths: [path], status: 503, wish: WISHES.seconds, refusals: 2 }, (asked) => {
        const body = (text: string, type: string) => ({ status: 200, headers: { 'content-type': type }, body: text });
        if (asked === '/robots.txt') return body('User-agent: *\nDisallow: /secret\n', 'text/plain');
        if (asked === '/sitemap.xml') return body('<urlset><url><loc>http://busy.test/hidden</loc></url></urlset>', 'text/xml');
        return asked === '/'
          ? own(asked, ['/linked', '/secret'])
          : ['/linked', '/hidden', '/secret'].includes(asked)
            ? own(asked)
            : undefined;
      });
      try {
        await using agent = await startTestAgent({ clock: CLOCK, fetcher: fetcherOfSites({ 'busy.test': site }) });
        const crawl = await agent.client.crawl.start({ url: 'http://busy.test/', formats: [], max_concurrency: 1, wait: true });
        assert.deepEqual([crawl.status, crawl.counts.fetched], ['succeeded', 3]);
        assert.deepEqual([early, site.requests.filter((asked) => asked === '/secret')], [[], []]);
        assert.equal(site.requests.filter((asked) => asked === path).length, 3);
      } finally {
        await site.close();
      }
    });

  test('one of two crawls holds the other back too', async () => {
    const { site, early } = await startBusySite({ paths: ['/a/1'], status: 429, wish: WISHES.seconds, refusals: 2 }, (path) => {
      const [, section, number] = path.split('/');
      if (section !== 'a' && section !== 'b') return undefined;
      return number === '' ? own(path, ['1', '2', '3', '4']) : own(path);
    });
    try {
      await using agent = await startTestAgent({ clock: CLOCK, fetcher: fetcherOfSites({ 'busy.test': site }) });
      const crawls = await Promise.all(
        ['a', 'b'].map((name) =>
          agent.client.crawl.start({ url: `http://busy.test/${name}/`, sitemap: 'skip', formats: [], max_concurrency: 1, wait: true }),
        ),
      );
      assert.deepEqual(
        crawls.map(({ status, counts }) => [status, counts.fetched]),
        [
          ['succeeded', 5],
          ['succeeded', 5],
        ],
      );
      assert.deepEqual(early, []);
    } finally {
      await site.close();
    }
  });

  test('a scrape with Retry-After holds back the crawl that comes after it', async () => {
    const { site, early } = await startBusySite({ paths: ['/one'], status: 429, wish: WISHES.seconds, refusals: 1 }, (path) =>
      path === '/s/' ? own(path) : undefined,
    );
    try {
      await using agent = await startTestAgent({ clock: CLOCK, fetcher: fetcherOfSites({ 'busy.test': site }) });
      const scrape = await agent.client.crawl.start({ url: 'http://busy.test/one', limit: 1, wait: true });
      assert.equal(scrape.status, 'failed');
      const crawl = await agent.client.crawl.start({ url: 'http://busy.test/s/', sitemap: 'skip', formats: [], wait: true });
      // The robots.txt of a scrape is asked for beside its page, so it may come while the page is refused.
      assert.deepEqual([crawl.status, early.filter((asked) => !asked.startsWith('/robots.txt'))], ['succeeded', []]);
    } finally {
      await site.close();
    }
  });
});
