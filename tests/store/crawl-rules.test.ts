import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crawlOptions } from '../../packages/engine/src/crawl/options.ts';
import { explainUrl } from '../../packages/engine/src/crawl/admission.ts';
import { MemoryHostGate } from '../../packages/engine/src/crawl/hosts/host-gate.ts';
import { RobotsCache } from '../../packages/engine/src/crawl/hosts/robots-cache.ts';
import { parseRobots } from '../../packages/engine/src/robots/parse.ts';
import { onSite } from '../sites/crawl-sites.ts';
import type { Answer } from '../sites/crawl-sites.ts';
import { JumpingClock, PlainFetcher, crawl, outcomesByPath } from './crawl-harness.ts';
import { CrawlTables, MemoryFrontierStore } from '../../packages/engine/src/crawl/memory-frontier.ts';

const FILLER = 'and this is text enough to be told apart from other pages by what it says';

/** A page whose text is its name, with links. */
function page(name: string, links: readonly string[] = [], head = ''): string {
  return `<title>${name}</title>${head}<h1>${name}</h1><p>${name} ${FILLER}</p>${links.map((href) => `<a href="${href}">x</a>`).join('')}`;
}

const moved = (location: string): Answer => ({ status: 301, headers: { location } });

test('fetches twins until their content has shown the difference to be none, then no more', async () => {
  const names = Array.from({ length: 8 }, (_, i) => `/p${i}`);
  const pages = Object.fromEntries(names.flatMap((name) => [name, `${name}/`].map((path) => [path, page(name)])));
  await onSite({ '/': page('home', [...names, ...names.map((name) => `${name}/`)]), ...pages }, async (site) => {
    const { ledger, outcome } = await crawl(`${site.origin}/`, { hostConcurrency: 1 });
    assert.equal(outcome.counts.fetched, 9);
    assert.equal(site.requests.filter((path) => /^\/p\d\/$/.test(path)).length, 3);
    assert.ok(ledger.filter((entry) => /\/p\d\/$/.test(entry.url)).every((entry) => entry.reason === 'duplicate'));
    assert.match(ledger.find((entry) => entry.url.endsWith('/p7/'))?.rule ?? '', /slash made no difference/);
  });
});

test('leaves out a page in its other forms, and no file that has its name alone', async () => {
  const forms = ['/issues.atom?sort=new', '/issues.csv', '/issues.pdf'];
  const pages = {
    '/': page('home', ['/issues', '/report']),
    '/issues': page('issues', forms),
    '/report': page('report', ['/report.html']),
  };
  await onSite({ ...pages, '/report.html': page('the whole report') }, async (site) => {
    const { ledger } = await crawl(`${site.origin}/`);
    assert.deepEqual(
      ledger.filter(({ reason }) => reason === 'alternate').map(({ url }) => url.slice(site.origin.length)),
      forms,
    );
    assert.ok(site.requests.includes('/report.html'));
  });
});

test('leaves out addresses that only lead to another site', async () => {
  const exit = `/url.php?url=${encodeURIComponent('https://elsewhere.example/')}`;
  await onSite({ '/': page('home', [exit]), '/url.php': page('You are leaving') }, async (site) => {
    const { ledger } = await crawl(`${site.origin}/`);
    const line = ledger.find(({ url }) => url.endsWith(exit));
    assert.deepEqual([line?.reason, line?.rule], ['off_site', 'leads on to https://elsewhere.example/: allow_external_links is false']);
    assert.ok(!site.requests.includes('/url.php'));
  });
});

test('keeps both of two addresses that look like twins and are not', async () => {
  await onSite(
    { '/': page('home', ['/a', '/a/', '/b', '/b/']), '/a': page('a'), '/a/': page('a folder'), '/b': page('b'), '/b/': page('b folder') },
    async (site) => {
      const { outcome } = await crawl(`${site.origin}/`);
      assert.equal(outcome.counts.fetched, 5);
    },
  );
});

test('fetches an address as it is written but for known tracking parameters, and shows what was left out', async () => {
  const links = ['/a/', '/b?utm_source=x&z=1&y=2', '/b?utm_source=y&z=1&y=2', 'https://elsewhere.test/?utm_source=x'];
  await onSite({ '/?gclid=1': page('home', links), '/a/': page('a'), '/b?z=1&y=2': page('b') }, async (site) => {
    const { ledger, outcome } = await crawl(`${site.origin}/?gclid=1`);
    assert.deepEqual(site.requests.slice(1).toSorted(), ['/?gclid=1', '/a/', '/b?z=1&y=2']);
    assert.equal(outcome.counts.fetched, 3);
    const written = ledger.filter((entry) => entry.url.includes('utm_source'));
    assert.deepEqual(
      written.map(({ reason, rule }) => [reason, rule]),
      [
        ['duplicate', 'asked for without utm_source'],
        ['duplicate', 'asked for without utm_source'],
        ['off_site', 'allow_external_links is false'],
      ],
    );
  });
});

test('takes a page under its canonical address when that has the same content, else as it is', async () => {
  const canonical = (path: string) => `<link rel=canonical href="${path}">`;
  const pages = {
    '/': page('home', ['/a?v=1', '/list?page=2', '/gone?v=1']),
    '/a?v=1': page('a', [], canonical('/a')),
    '/a': page('a', [], canonical('/a')),
    '/list?page=2': page('list two', ['/c'], canonical('/list')),
    '/list': page('list one'),
    '/gone?v=1': page('gone', [], canonical('/gone')),
    '/c': page('c'),
  };
  await onSite(pages, async (site) => {
    const { ledger } = await crawl(`${site.origin}/`);
    const found = outcomesByPath(ledger);
    assert.deepEqual([found['/a?v=1'], found['/a'], found['/list?page=2'], found['/list']], ['duplicate', 'fetched', 'fetched', 'fetched']);
    assert.deepEqual([found['/gone?v=1'], found['/gone'], found['/c']], ['fetched', 'http_status', 'fetched']);
  });
});

test('counts a page once that several addresses redirect to, and leaves the site through no redirect', async () => {
  const pages = {
    '/': page('home', ['/old', '/older', '/new', '/away']),
    '/old': moved('/new'),
    '/older': moved('/old'),
    '/new': page('new'),
  };
  await onSite({ '/': page('other site') }, async (other) => {
    await onSite({ ...pages, '/away': moved(`${other.origin}/`) }, async (site) => {
      const { ledger, outcome } = await crawl(`${site.origin}/`, { hostConcurrency: 1 });
      const found = outcomesByPath(ledger);
      assert.equal(outcome.counts.fetched, 2);
      assert.deepEqual([found['/old'], found['/older'], found['/new'], found['/away']], ['redirect', 'redirect', 'fetched', 'off_site']);
      assert.equal(ledger.find((entry) => entry.url.endsWith('/older'))?.rule, `redirects to ${site.origin}/old`);
      assert.equal(new Set(site.requests).size, site.requests.length);
      assert.deepEqual(other.requests, []);
    });
  });
});

test('follows a seed that was moved to another folder', async () => {
  await onSite(
    { '/start/': moved('/en/home/'), '/en/home/': page('home', ['/en/home/a', '/other']), '/en/home/a': page('a') },
    async (site) => {
      const found = outcomesByPath((await crawl(`${site.origin}/start/`)).ledger);
      assert.deepEqual([found['/en/home/a'], found['/other']], ['fetched', 'outside_path']);
    },
  );
});

test('stays in the folder of its start: beside a page, below a page that begins a folder, where a start without a slash is moved to', async () => {
  const sitemap = (origin: string) => `<urlset><url><loc>${origin}/docs/listed</loc></url><url><loc>${origin}/listed</loc></url></urlset>`;
  let origin = '';
  const pages = {
    '/wiki/Main_Page': page('main', ['/wiki/A', '/wiki/Node.js', '/w/history', '/']),
    '/wiki/A': page('A', ['/wiki/B']),
    '/wiki/B': page('B'),
    '/wiki/Node.js': page('Node.js'),
    '/docs': page('docs', ['/', '/docs/a', '/pricing']),
    '/docs/a': page('a', ['/blog']),
    '/docs/listed': page('listed'),
    '/moved': moved('/moved/'),
    '/moved/': page('moved', ['/moved/a', '/other']),
    '/moved/a': page('moved a'),
    '/sitemap.xml': () => ({ status: 200, headers: { 'content-type': 'application/xml' }, body: sitemap(origin) }),
  };
  await onSite(pages, async (site) => {
    ({ origin } = site);
    const fetched = async (start: string) => {
      const { ledger, outcome } = await crawl(origin + start, { sitemap: 'include' });
      assert.equal(outcome.end, 'complete');
      return ledger.filter((entry) => entry.outcome === 'fetched').map((entry) => new URL(entry.finalUrl ?? entry.url).pathname);
    };
    assert.deepEqual((await fetched('/wiki/Main_Page')).toSorted(), ['/wiki/A', '/wiki/B', '/wiki/Main_Page', '/wiki/Node.js']);
    assert.deepEqual((await fetched('/docs')).toSorted(), ['/docs', '/docs/a', '/docs/listed']);
    assert.deepEqual((await fetched('/moved')).toSorted(), ['/moved/', '/moved/a']);
  });
});

test('obeys, reports or ignores robots rules as it is told', async () => {
  const robots: Answer = { status: 200, headers: { 'content-type': 'text/plain' }, body: 'User-agent: weft\nDisallow: /b' };
  await onSite({ '/robots.txt': robots, '/': page('home', ['/a', '/b']), '/a': page('a'), '/b': page('b') }, async (site) => {
    const enforced = (await crawl(`${site.origin}/`)).ledger.find((entry) => entry.url.endsWith('/b'));
    assert.deepEqual([enforced?.reason, enforced?.rule], ['robots', 'robots.txt line 2: Disallow: /b']);
    assert.ok(!site.requests.includes('/b'));
    const reported = (await crawl(`${site.origin}/`, { robots: 'report' })).ledger.find((entry) => entry.url.endsWith('/b'));
    assert.deepEqual([reported?.outcome, reported?.rule], ['fetched', 'Disallow: /b']);
    const before = site.requests.filter((path) => path === '/robots.txt').length;
    assert.equal((await crawl(`${site.origin}/`, { robots: 'off' })).outcome.counts.fetched, 3);
    assert.equal(site.requests.filter((path) => path === '/robots.txt').length, before);
  });
});

test('goes by the robots rules that hold when it starts, not by those of an earlier crawl', async () => {
  let asked = 0;
  const robots = (): Answer =>
    asked++ === 0 ? { status: 404 } : { status: 200, headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /admin' };
  await onSite({ '/robots.txt': robots, '/': page('home', ['/admin']), '/admin': page('admin') }, async (site) => {
    const clock = new JumpingClock();
    const cache = new RobotsCache(new PlainFetcher(clock), clock, [], { gate: new MemoryHostGate(clock), agent: 'weft' });
    const run = async () => outcomesByPath((await crawl(`${site.origin}/`, {}, { clock, robots: cache })).ledger)['/admin'];
    assert.equal(await run(), 'fetched');
    await clock.sleepUntil(clock.now() + 10_001, new AbortController().signal);
    assert.equal(await run(), 'robots');
    assert.equal(asked, 2);
  });
});

test('asks nothing of a host whose robots.txt answers 503, and says so', async () => {
  await onSite({ '/robots.txt': { status: 503 }, '/': page('home'), '/sitemap.xml': '<urlset/>' }, async (site) => {
    const { ledger } = await crawl(`${site.origin}/`, { sitemap: 'include' });
    assert.deepEqual(site.requests, ['/robots.txt']);
    assert.deepEqual([ledger[0]?.reason, ledger[0]?.rule], ['robots', 'robots.txt answered 503']);
  });
});

test('waits as long as Retry-After says without spending an attempt, and asks other hosts meanwhile', async () => {
  let refusals = 5;
  const busy = (): Answer => (refusals-- > 0 ? { status: 429, headers: { 'retry-after': '60' } } : page('busy'));
  await onSite({ '/': page('other', ['/x']), '/x': page('x') }, async (other) => {
    await onSite({ '/': page('home', ['/busy', `${other.origin}/`]), '/busy': busy }, async (site) => {
      const clock = new JumpingClock();
      const fetcher = new PlainFetcher(clock);
      const { outcome } = await crawl(`${site.origin}/`, { allowExternalLinks: true }, { clock, fetcher });
      assert.equal(outcome.counts.fetched, 4);
      const times = fetcher.asked.filter(({ url }) => url.endsWith('/busy')).map(({ atMs }) => atMs);
      assert.equal(times.length, 6);
      for (let i = 1; i < times.length; i++) assert.ok((times[i] ?? 0) - (times[i - 1] ?? 0) >= 60_000);
      const lastOther = Math.max(...fetcher.asked.filter(({ url }) => url.startsWith(other.origin)).map(({ atMs }) => atMs));
      assert.ok(lastOther < (times.at(-1) ?? 0));
    });
  });
});

test('gives a host up that refuses for a quarter of an hour', async () => {
  const pages = { '/': page('home', ['/a', '/b', '/c']), '/a': { status: 503 }, '/b': { status: 503 }, '/c': { status: 503 } };
  await onSite(pages, async (site) => {
    const { ledger, outcome } = await crawl(`${site.origin}/`);
    assert.deepEqual(outcome.counts, { discovered: 4, fetched: 1, reused: 0, failed: 3, skipped: 0, pending: 0 });
    assert.ok(ledger.slice(1).every((entry) => entry.reason === 'rate_limited'));
    assert.ok(site.requests.length < 30, `${site.requests.length} requests`);
  });
});

test('keeps no page waiting for one that is always refused, and gives that one up once its host has answered others', async () => {
  for (const headers of [{}, { 'retry-after': '2' }]) {
    const names = Array.from({ length: 50 }, (_, i) => `/p${i}`);
    const good = Object.fromEntries(names.map((name) => [name, page(name)]));
    await onSite({ '/': page('home', ['/broken', ...names]), ...good, '/broken': { status: 503, headers } }, async (site) => {
      const clock = new JumpingClock();
      const startMs = clock.now();
      const { ledger, outcome } = await crawl(`${site.origin}/`, {}, { clock });
      assert.deepEqual([outcome.counts.fetched, outcome.counts.failed], [51, 1]);
      const broken = ledger.find(({ url }) => url.endsWith('/broken'));
      assert.deepEqual([broken?.reason, broken?.rule], ['rate_limited', 'refused 10 times while its host answered others']);
      assert.ok(clock.now() - startMs < 300_000, `${clock.now() - startMs} ms`);
    });
  }
});

test('keeps every page that its host answers for beside some that are always refused', async () => {
  const broken = Array.from({ length: 20 }, (_, i) => `/broken${i}`);
  const names = Array.from({ length: 50 }, (_, i) => `/p${i}`);
  const refused = Object.fromEntries(broken.map((name) => [name, { status: 503 }]));
  const good = Object.fromEntries(names.map((name) => [name, page(name)]));
  await onSite({ '/': page('home', [...broken, ...names]), ...refused, ...good }, async (site) => {
    const { counts } = (await crawl(`${site.origin}/`)).outcome;
    assert.deepEqual([counts.fetched, counts.failed], [51, 20]);
  });
});

test('keeps the crawl delay of robots.txt and the delay of the caller, whichever is longer', async () => {
  const robots: Answer = { status: 200, headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nCrawl-delay: 3' };
  await onSite({ '/robots.txt': robots, '/': page('home', ['/a', '/b']), '/a': page('a'), '/b': page('b') }, async (site) => {
    for (const [delayMs, gapMs] of [
      [0, 3_000],
      [5_000, 5_000],
    ] as const) {
      const clock = new JumpingClock();
      const fetcher = new PlainFetcher(clock);
      await crawl(`${site.origin}/`, { delayMs }, { clock, fetcher });
      const times = fetcher.asked.filter(({ url }) => !url.endsWith('.txt')).map(({ atMs }) => atMs);
      for (let i = 1; i < times.length; i++) assert.ok((times[i] ?? 0) - (times[i - 1] ?? 0) >= gapMs);
    }
  });
});

test('tries a server error three times, a missing page once', async () => {
  await onSite({ '/': page('home', ['/error', '/gone']), '/error': { status: 500 } }, async (site) => {
    const { ledger } = await crawl(`${site.origin}/`);
    assert.equal(site.requests.filter((path) => path === '/error').length, 3);
    assert.equal(site.requests.filter((path) => path === '/gone').length, 1);
    assert.deepEqual(
      ledger.slice(1).map((entry) => [entry.outcome, entry.rule, entry.status]),
      [
        ['failed', 'HTTP 500', 500],
        ['failed', 'HTTP 404', 404],
      ],
    );
  });
});

test('never keeps more pages than the limit, and gives every other address that reason', async () => {
  const names = Array.from({ length: 30 }, (_, i) => `/p${i}`);
  await onSite({ '/': page('home', names), ...Object.fromEntries(names.map((name) => [name, page(name)])) }, async (site) => {
    const { outcome, ledger } = await crawl(`${site.origin}/`, { limit: 7, hostConcurrency: 5 });
    assert.deepEqual([outcome.end, outcome.counts.fetched, outcome.counts.skipped, outcome.counts.pending], ['limit', 7, 24, 0]);
    assert.ok(
      ledger.filter((entry) => entry.outcome === 'skipped').every((entry) => entry.reason === 'limit' && entry.rule === 'limit is 7'),
    );
    assert.equal(site.requests.length, 8);
  });
});

test('gives each address that it leaves out the rule that decided', async () => {
  const links = ['/a', '/shop/x', '/shop/private/x', '/shop/a.zip', 'https://elsewhere.test/', '/shop/a/a/a/b', 'mailto:a@b.test'];
  const zip: Answer = { status: 200, headers: { 'content-type': 'application/zip' }, body: 'PK' };
  await onSite(
    { '/shop/': page('shop', links), '/shop/a.zip': zip, '/shop/x': page('x', ['/shop/y']), '/shop/y': page('y') },
    async (site) => {
      const { ledger } = await crawl(`${site.origin}/shop/`, { excludePaths: ['/shop/private/**'], maxDepth: 1 });
      assert.deepEqual(
        ledger.map((entry) => [new URL(entry.url).pathname, entry.reason ?? entry.outcome, entry.rule]),
        [
          ['/shop/', 'fetched', undefined],
          ['/a', 'outside_path', 'crawl_entire_domain is false: outside /shop/'],
          ['/shop/x', 'fetched', undefined],
          ['/shop/private/x', 'excluded', '/shop/private/**'],
          ['/shop/a.zip', 'content_type', 'application/zip'],
          ['/', 'off_site', 'allow_external_links is false'],
          ['/shop/a/a/a/b', 'trap', 'repeating_path: /a repeats'],
          ['/shop/y', 'depth', 'max_depth is 1'],
        ],
      );
    },
  );
});

test('decides by content type what is a page, and asks for no more of a kind of file than it takes to know', async () => {
  const names = (folder: string, ending: string) => Array.from({ length: 40 }, (_, i) => `${folder}/n${i}.${ending}`);
  const file = (type: string): Answer => ({ status: 200, headers: { 'content-type': type }, body: 'x' });
  const wiki = [...names('/wiki', 'js'), ...names('/wiki', 'png'), ...names('/blob/main', 'css')];
  const files = [...names('/pool', 'deb'), ...names('/img', 'png'), ...names('/dist', 'js')];
  const attachments = Array.from({ length: 40 }, (_, i) => `/get.php?aid=${i + 100}`);
  const answers = [
    ...wiki.map((path) => [path, page(path)] as const),
    ...files.map((path) => [path, file(path.endsWith('js') ? 'text/javascript' : 'application/octet-stream')] as const),
    ...attachments.map((path) => [path, file('image/png')] as const),
  ];
  const start = page('home', [...files, ...attachments, ...wiki]);
  await onSite({ '/': start, ...Object.fromEntries(answers) }, async (site) => {
    const { ledger, outcome } = await crawl(`${site.origin}/`);
    assert.equal(outcome.counts.fetched, 1 + wiki.length);
    const asked = (prefix: string) => site.requests.filter((path) => path.startsWith(prefix)).length;
    // Two requests are under way at once.
    for (const prefix of ['/pool/', '/img/', '/dist/', '/get.php']) assert.ok(asked(prefix) <= 5, `${prefix} ${asked(prefix)}`);
    const last = ledger.find((entry) => entry.url.endsWith('/pool/n39.deb'));
    assert.deepEqual([last?.reason, /^\.deb: \d of \d below \/pool\/ were no pages$/.test(last?.rule ?? '')], ['file_type', true]);
    assert.equal(ledger.find((entry) => entry.url.endsWith('aid=139'))?.reason, 'trap');
  });
});

test('reads sitemaps beside links, instead of them, or not at all', async () => {
  const map = (origin: string) => `<urlset><url><loc>${origin}/listed</loc></url><url><loc>https://elsewhere.test/</loc></url></urlset>`;
  let origin = '';
  const pages = {
    '/': page('home', ['/linked']),
    '/linked': page('linked'),
    '/listed': page('listed', ['/further']),
    '/further': page('further'),
  };
  await onSite(
    { ...pages, '/sitemap.xml': () => ({ status: 200, headers: { 'content-type': 'application/xml' }, body: map(origin) }) },
    async (site) => {
      ({ origin } = site);
      const fetched = async (sitemap: 'include' | 'skip' | 'only') => {
        const { ledger } = await crawl(`${origin}/`, { sitemap });
        return ledger
          .filter((entry) => entry.outcome === 'fetched')
          .map((entry) => new URL(entry.url).pathname)
          .toSorted();
      };
      assert.deepEqual(await fetched('include'), ['/', '/further', '/linked', '/listed']);
      assert.deepEqual(await fetched('only'), ['/', '/listed']);
      assert.deepEqual(await fetched('skip'), ['/', '/linked']);
    },
  );
});

test('takes addresses that differ in their query for one when asked to', async () => {
  await onSite({ '/': page('home', ['/a?x=1', '/a?x=2', '/a']), '/a': page('a') }, async (site) => {
    const { outcome } = await crawl(`${site.origin}/`, { ignoreQueryParameters: true });
    assert.deepEqual([outcome.counts.discovered, outcome.counts.fetched], [2, 2]);
    assert.ok(site.requests.includes('/a?x=1'));
  });
});

test('takes a stored copy that is fresh enough instead of asking, with the links it had', async () => {
  await onSite({ '/': page('home', ['/a']), '/b': page('b') }, async (site) => {
    const links = { baseUrl: site.origin, canonical: undefined, robots: undefined, contentHash: 'stored', textBytes: 100, sketch: '' };
    const found = { url: `${site.origin}/b`, kind: 'anchor', isNoFollow: false } as const;
    const sink = {
      save: async (_page: unknown, _links: unknown, { url }: { url: string }) => url,
      findFresh: async (url: string, maxAgeMs: number) =>
        url.endsWith('/a') && maxAgeMs === 60_000
          ? { status: 200, finalUrl: url, links: { ...links, links: [found] }, result: `stored ${url}` }
          : undefined,
    };
    const { outcome, tables } = await crawl(`${site.origin}/`, { pageMaxAgeSeconds: 60 }, { sink });
    assert.deepEqual([outcome.counts.fetched, outcome.counts.reused], [2, 1]);
    assert.ok(tables.results.some(({ result }) => result === `stored ${site.origin}/a`));
    assert.ok(!site.requests.includes('/a'));
  });
});

test('loses no page and records none twice when it is killed at any point and goes on', async () => {
  const names = Array.from({ length: 40 }, (_, i) => `/p${i}`);
  const pages = Object.fromEntries(names.map((name, i) => [name, page(name, [`/p${(i * 7 + 3) % 40}`, `/p${(i * 11 + 5) % 40}`])]));
  await onSite({ '/': page('home', ['/p0', '/p1', '/p2']), ...pages, '/robots.txt': { status: 404 } }, async (site) => {
    const reachable = (await crawl(`${site.origin}/`)).outcome.counts.fetched;
    for (let killAt = 1; killAt < 30; killAt += 4) {
      const tables = new CrawlTables<string>();
      const clock = new JumpingClock();
      const killed = new AbortController();
      const fetcher = new KillingFetcher(clock, killAt, killed);
      await crawl(`${site.origin}/`, {}, { tables, clock, fetcher, signal: killed.signal });
      const resumed = await crawl(`${site.origin}/`, {}, { tables });
      assert.equal(resumed.outcome.counts.fetched, reachable, `killed at ${killAt}`);
      assert.equal(resumed.outcome.counts.pending, 0);
      const recorded = tables.results.map(({ url }) => url);
      assert.equal(new Set(recorded).size, recorded.length, `killed at ${killAt}`);
      assert.equal(recorded.length, reachable);
    }
  });
});

/** Aborts the whole crawl at its so many-th request. */
class KillingFetcher extends PlainFetcher {
  private left: number;
  private readonly killed: AbortController;

  constructor(clock: JumpingClock, left: number, killed: AbortController) {
    super(clock);
    this.left = left;
    this.killed = killed;
  }

  override async fetch(...asked: Parameters<PlainFetcher['fetch']>): ReturnType<PlainFetcher['fetch']> {
    if (--this.left === 0) this.killed.abort();
    return super.fetch(...asked);
  }
}

test('leaves what is pending as it is when it is cancelled, and settles it when its time is over', async () => {
  const pages = { '/': page('home', ['/a', '/b']), '/a': { status: 429, headers: { 'retry-after': '600' } }, '/b': page('b') };
  await onSite(pages, async (site) => {
    const cancelled = await crawl(`${site.origin}/`, {}, { signal: AbortSignal.abort() });
    assert.deepEqual([cancelled.outcome.end, cancelled.outcome.counts.pending, site.requests.length], ['cancelled', 1, 0]);
    const late = await crawl(`${site.origin}/`, { timeoutMs: 30_000, hostConcurrency: 1 });
    assert.equal(late.outcome.end, 'timeout');
    assert.equal(late.outcome.counts.pending, 0);
    assert.equal(outcomesByPath(late.ledger)['/a'], 'timeout');
  });
});

test('keeps pages of one template apart whose text is the same, and follows their links', async () => {
  const same = (next: string) => `<title>Page</title><p>Page ${FILLER}</p><a href="${next}">x</a>`;
  const names = Array.from({ length: 12 }, (_, i) => `/p${i}`);
  const pages = Object.fromEntries(names.map((name, i) => [name, same(`/p${i + 1}`)]));
  await onSite({ '/': same('/p0'), ...pages, '/p12': same('/p0') }, async (site) => {
    assert.equal((await crawl(`${site.origin}/`, { maxDepth: 50 })).outcome.counts.fetched, 14);
  });
});

test('ends with what the store throws instead of waiting for it', async () => {
  await onSite({ '/': page('home', ['/a']), '/a': page('a') }, async (site) => {
    const store = new FullStore(new CrawlTables<string>());
    await assert.rejects(crawl(`${site.origin}/`, {}, { store }), /disk full/);
  });
});

/** A store that can't write any page. */
class FullStore extends MemoryFrontierStore<string> {
  override async settle(): Promise<never> {
    throw new Error('disk full');
  }
}

test('shares one gate among crawls: together they ask no more of a host than one may', async () => {
  const names = Array.from({ length: 20 }, (_, i) => `/p${i}`);
  await onSite({ '/': page('home', names), ...Object.fromEntries(names.map((name) => [name, page(name)])) }, async (site) => {
    const clock = new JumpingClock();
    const ports = { gate: new MemoryHostGate(clock), clock };
    const runs = await Promise.all([crawl(`${site.origin}/`, {}, ports), crawl(`${site.origin}/`, {}, ports)]);
    assert.deepEqual(
      runs.map(({ outcome }) => outcome.counts.fetched),
      [21, 21],
    );
    assert.ok(site.mostAtOnce() <= 2, `${site.mostAtOnce()} at once`);
  });
});

test('passes on what the store or the sink throws for its own reasons', async () => {
  await onSite({ '/': page('home', ['/a']), '/a': page('a') }, async (site) => {
    const sink = {
      save: async (_page: unknown, _links: unknown, { url }: { url: string }) => {
        if (url.endsWith('/a')) throw new Error('no room');
        return url;
      },
    };
    const { ledger, outcome } = await crawl(`${site.origin}/`, {}, { sink });
    assert.deepEqual([outcome.end, ledger[1]?.outcome, ledger[1]?.reason], ['complete', 'failed', 'internal']);
  });
});

test('explains which rule decides an address before anything is asked for', () => {
  const options = crawlOptions({
    seeds: ['https://shop.test/docs/'],
    agent: 'weft',
    includePaths: ['/docs/**'],
    excludePaths: ['*.pdf'],
    maxDepth: 3,
  });
  const rules = parseRobots('User-agent: *\nDisallow: /docs/old/');
  const now = Date.UTC(2026, 10, 20);
  const cases = [
    ['https://shop.test/docs/a', true, undefined, '/docs/**'],
    ['https://shop.test/docs/a.pdf', false, 'excluded', '*.pdf'],
    ['https://shop.test/blog', false, 'outside_path', 'crawl_entire_domain is false: outside /docs/'],
    ['https://shop.test/docs/old/a', false, 'robots', 'Disallow: /docs/old/'],
    ['https://other.test/docs/', false, 'off_site', 'allow_external_links is false'],
    ['https://shop.test/docs/', true, undefined, '/docs/**'],
  ] as const;
  for (const [url, fetched, reason, rule] of cases) {
    const explained = explainUrl(options, rules, url, now);
    assert.deepEqual([explained.fetched, explained.reason, explained.rule], [fetched, reason, rule], url);
  }
  assert.equal(explainUrl(options, rules, 'https://shop.test/docs/a', now, 4).reason, 'depth');
  assert.equal(explainUrl({ ...options, robots: 'report' }, rules, 'https://shop.test/docs/old/a', now).fetched, true);
});

test('refuses to begin nowhere', () => {
  assert.throws(() => crawlOptions({ seeds: [], agent: 'weft' }), RangeError);
  assert.throws(() => crawlOptions({ seeds: ['ftp://shop.test/'], agent: 'weft' }), /no http or https address/);
});
