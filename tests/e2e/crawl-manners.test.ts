import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type { Fetcher, FetchRequest, Page } from '@weft/engine';
import { PageError } from '@weft/engine';
import { startTestAgent } from '../agent.ts';
import { Alarms } from '../alarms.ts';
import type { TestAgent, TestClock } from '../agent.ts';
import { shopSite, startSite } from '../sites/crawl-sites.ts';
import { until } from '../until.ts';

/** A request as the hosts of these tests see it. */
interface Asked {
  readonly url: string;
  readonly startMs: number;
  readonly privateTargets: readonly string[];
}

/** A clock that jumps to where the first sleeper wants to wake, once no request is under way. */
function jumpingClock(): TestClock & { busy: number } {
  let nowMs = Date.parse('2026-01-01T00:00:00Z');
  const alarms = new Alarms();
  const moveTo = (ms: number) => {
    nowMs = ms;
    alarms.ring(ms);
  };
  const clock = {
    busy: 0,
    now: () => nowMs,
    steadyMs: () => nowMs,
    advance: (ms: number) => moveTo(nowMs + ms),
    appointment: () => () => undefined,
    alarm: (atMs: number, ring: () => void) => alarms.at(atMs, ring),
    jump: () => undefined,
    async sleepUntil(epochMs: number, signal: AbortSignal) {
      if (!Number.isFinite(epochMs)) return signal.aborted ? undefined : void (await once(signal, 'abort'));
      // Sleepers of this test wake in the order of their times: each lets everybody else go first, a step at a time.
      while (!signal.aborted && epochMs > nowMs) {
        await new Promise((resolve) => setImmediate(resolve));
        if (clock.busy === 0) moveTo(Math.min(epochMs, nowMs + 5));
      }
    },
  };
  return clock;
}

type Answer = (
  url: string,
  nowMs: number,
) => { readonly status: number; readonly headers?: readonly (readonly [string, string])[]; readonly body?: string };

/** A network of its own that takes `tookMs` for an answer. */
function network(clock: TestClock & { busy: number }, answer: Answer, tookMs = 10) {
  const asked: Asked[] = [];
  let now = 0;
  let most = 0;
  const fetcher: Fetcher = {
    async fetch(request: FetchRequest): Promise<Page> {
      asked.push({ url: request.url, startMs: clock.now(), privateTargets: request.privateTargets ?? [] });
      most = Math.max(most, ++now);
      const untilMs = clock.now() + tookMs;
      while (clock.now() < untilMs) {
        await new Promise((resolve) => setImmediate(resolve));
        clock.advance(1);
      }
      now--;
      const { status, headers = [], body = '' } = answer(request.url, clock.now());
      if (status === 0) throw new PageError('address', `${request.url} is private.`);
      return {
        requestedUrl: request.url,
        url: request.url,
        status,
        headers: [['content-type', 'text/html'], ...headers],
        body: new TextEncoder().encode(body),
        contentType: 'text/html',
        reach: request.url.startsWith('http://10.') ? 'private' : 'public',
        lane: 'http',
        laneReason: 'static',
        redirects: [],
        timings: { totalMs: tookMs },
        fetchedAtMs: clock.now(),
        optionsIgnored: [],
        fromCache: false,
      };
    },
    close: async () => undefined,
  };
  return { fetcher, asked, mostAtOnce: () => most };
}

const ROBOTS = 'User-agent: *\nCrawl-delay: 2\n';
const shelf = (prefix: string, count: number) =>
  `<p>${prefix} page</p>${Array.from({ length: count }, (_, i) => `<a href="/${prefix}/${i}">${i}</a>`).join('')}`;

async function crawlAll(agent: TestAgent, urls: readonly string[]) {
  const started = await Promise.all(
    urls.map((url) => agent.client.crawl.start({ url, sitemap: 'skip', formats: [], crawl_entire_domain: false, wait: true })),
  );
  return started;
}

suite('manners', () => {
  test('three crawls of one host together keep the delay that its robots.txt asks for', async () => {
    const clock = jumpingClock();
    const { fetcher, asked, mostAtOnce } = network(clock, (url) => {
      const { pathname } = new URL(url);
      if (pathname === '/robots.txt') return { status: 200, body: ROBOTS };
      const [, name = '', number] = pathname.split('/');
      return { status: 200, body: number ? `<p>Page ${pathname} of this host says what no other page of it says.</p>` : shelf(name, 6) };
    });
    await using agent = await startTestAgent({ clock, fetcher });
    const crawls = await crawlAll(
      agent,
      ['a', 'b', 'c'].map((name) => `http://slow.test/${name}/`),
    );
    assert.deepEqual(
      crawls.map(({ counts }) => counts.fetched),
      [7, 7, 7],
    );
    const pages = asked.filter(({ url }) => !url.endsWith('/robots.txt')).map(({ startMs }) => startMs);
    const gaps = pages.slice(1).map((startMs, i) => startMs - (pages[i] ?? 0));
    assert.ok(Math.min(...gaps) >= 2000, `gaps of ${gaps.join(', ')} ms`);
    assert.equal(mostAtOnce(), 1);
    assert.equal(asked.length - pages.length, 1, 'one request for robots.txt serves all three');
    assert.deepEqual(agent.logged, []);
  });

  test('three crawls of one host have two requests in flight together, robots.txt included', async () => {
    const clock = jumpingClock();
    const { fetcher, mostAtOnce } = network(clock, (url) => {
      const [, name = '', number] = new URL(url).pathname.split('/');
      if (name === 'robots.txt') return { status: 404 };
      return { status: 200, body: number ? `<p>Page ${url} of this host says what no other page says.</p>` : shelf(name, 6) };
    });
    await using agent = await startTestAgent({ clock, fetcher });
    await crawlAll(
      agent,
      ['a', 'b', 'c'].map((name) => `http://host.test/${name}/`),
    );
    assert.equal(mostAtOnce(), 2);
  });

  test('a host that answers 429 is left alone for as long as it asks, and no attempt is spent', async () => {
    const clock = jumpingClock();
    let refusals = 5;
    let refusedUntilMs = 0;
    const early: string[] = [];
    const { fetcher } = network(clock, (url, nowMs) => {
      if (url.endsWith('/robots.txt')) return { status: 404 };
      if (nowMs - 10 < refusedUntilMs) early.push(url);
      if (!url.endsWith('/s/') && refusals-- > 0) {
        refusedUntilMs = nowMs + 37_000;
        return { status: 429, headers: [['retry-after', '37']] };
      }
      return { status: 200, body: url.endsWith('/s/') ? shelf('s', 3) : `<p>Page ${url} of this host says what no other says.</p>` };
    });
    await using agent = await startTestAgent({ clock, fetcher });
    const beganMs = clock.now();
    const crawl = await agent.client.crawl.start({
      url: 'http://busy.test/s/',
      sitemap: 'skip',
      formats: [],
      max_concurrency: 1,
      wait: true,
    });
    assert.deepEqual([crawl.counts.fetched, crawl.counts.failed], [4, 0]);
    assert.deepEqual(early, []);
    const tookMs = clock.now() - beganMs;
    assert.ok(tookMs >= 5 * 37_000 && tookMs < 5 * 38_000, `${tookMs} ms for five refusals of 37 seconds`);
  });

  test('a link on a public page never opens a private address, a link on the named address does', async () => {
    const clock = jumpingClock();
    const { fetcher, asked } = network(clock, (url) => {
      if (url.endsWith('/robots.txt')) return { status: 404 };
      if (url === 'http://10.0.0.5/')
        return { status: 200, body: '<p>Start</p><a href="http://public.test/">out</a><a href="/own">own</a>' };
      if (url === 'http://public.test/') return { status: 200, body: '<p>A public page</p><a href="http://10.0.0.5/admin">admin</a>' };
      return { status: 200, body: `<p>The page ${url} says what no other page says.</p>` };
    });
    await using agent = await startTestAgent({ clock, fetcher });
    await agent.client.crawl.start({ url: 'http://10.0.0.5/', allow_external_links: true, sitemap: 'skip', formats: [], wait: true });
    const targets = new Map(asked.map(({ url, privateTargets }) => [url, privateTargets]));
    assert.deepEqual(targets.get('http://10.0.0.5/'), ['10.0.0.5:80', '10.0.0.5:443']);
    assert.deepEqual(targets.get('http://10.0.0.5/own'), ['10.0.0.5:80', '10.0.0.5:443']);
    assert.deepEqual(targets.get('http://10.0.0.5/admin'), []);
  });
});

suite('a whole site', () => {
  test('a shop of 1,000 products behind 50 lists is complete two links deep, through the agent', async () => {
    const site = await shopSite();
    try {
      await using agent = await startTestAgent();
      const crawl = await agent.client.crawl.start({ url: `${site.origin}/`, max_depth: 2, formats: [], max_concurrency: 8, wait: true });
      assert.equal(crawl.status, 'succeeded');
      const { data } = await agent.client.crawl.reasons({ id: crawl.id });
      assert.deepEqual([crawl.counts.fetched, crawl.counts.failed], [1_051, 0]);
      assert.deepEqual(
        data.filter(({ reason }) => reason === 'robots').map(({ count }) => count),
        [20],
      );
      const products = new Set(site.requests.filter((path) => path.startsWith('/product/')));
      assert.equal(products.size, 1_000);
    } finally {
      await site.close();
    }
  });

  test('a crawl that is stopped with the agent goes on at its next start, in the folder that its seed was moved to', async () => {
    let isOpen = false;
    const links: Readonly<Record<string, readonly string[]>> = { '/site/': ['1', '2'], '/site/1': ['3'], '/site/2': [], '/site/3': [] };
    const site = await startSite(async (path) => {
      while (path === '/site/1' && !isOpen) await new Promise((resolve) => setImmediate(resolve));
      if (path === '/go/') return { status: 302, headers: { location: '/site/' } };
      const found = links[path];
      return (
        found && `<p>The page ${path} says what no other page says of itself.</p>${found.map((link) => `<a href="${link}">l</a>`).join('')}`
      );
    });
    const home = mkdtempSync(join(tmpdir(), 'weft-moved-'));
    try {
      let id = 0;
      {
        await using agent = await startTestAgent({ home });
        ({ id } = await agent.client.crawl.start({ url: `${site.origin}/go/`, sitemap: 'skip', formats: [] }));
        await until(() => site.requests.includes('/site/1') && site.requests.includes('/site/2'));
      }
      isOpen = true;
      await using agent = await startTestAgent({ home });
      const run = await agent.client.waitForRun(id);
      const { counts, data } = await agent.client.crawl.read({ id });
      assert.deepEqual([run.status, counts.fetched, new Set(data.map(({ url }) => url)).size], ['succeeded', 4, 4], JSON.stringify(counts));
    } finally {
      isOpen = true;
      await site.close();
      rmSync(home, { recursive: true });
    }
  });
});
