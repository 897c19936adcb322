import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shopSite, trapSite, TRAP_SITE_PAGES } from '../sites/crawl-sites.ts';
import type { LocalSite, TrapLook } from '../sites/crawl-sites.ts';
import type { Page } from '../../packages/engine/src/ports.ts';
import { serveOnLoopback } from '../sites/on-loopback.ts';
import { JumpingClock, crawl } from './crawl-harness.ts';
import type { CrawlRunResult } from './crawl-harness.ts';

/** Runs `body` on a site and closes it whatever happens. */
async function on(starting: Promise<LocalSite>, body: (site: LocalSite) => Promise<void>): Promise<void> {
  const site = await starting;
  try {
    await body(site);
  } finally {
    await site.close();
  }
}

function assertBalanced({ outcome, ledger }: CrawlRunResult): void {
  const { discovered, fetched, reused, failed, skipped, pending } = outcome.counts;
  assert.equal(discovered, fetched + reused + failed + skipped + pending);
  assert.equal(discovered, ledger.length);
  for (const entry of ledger) {
    if (entry.outcome === 'skipped' || entry.outcome === 'failed') assert.ok(entry.reason && entry.rule, `no reason for ${entry.url}`);
    if (entry.source !== 'seed') assert.ok(entry.parent, `no parent for ${entry.url}`);
  }
}

test('brings all 1,000 products of a shop whose 50 lists are joined by next links alone, two links deep', async () => {
  await on(shopSite(), async (site) => {
    const result = await crawl(`${site.origin}/`, { maxDepth: 2 });
    assertBalanced(result);
    const products = result.ledger.filter((entry) => entry.outcome === 'fetched' && entry.url.includes('/product/'));
    assert.equal(products.length, 1_000);
    assert.equal(result.outcome.counts.fetched, 1_051);
    assert.equal(result.outcome.end, 'complete');
    assert.deepEqual(
      result.ledger
        .filter((entry) => entry.reason === 'robots')
        .map((entry) => entry.rule)
        .slice(0, 1),
      ['robots.txt line 2: Disallow: /private/'],
    );
    assert.ok(!site.requests.some((path) => path.startsWith('/private/')));
    assert.equal(new Set(site.requests).size, site.requests.length);
    assert.ok(site.mostAtOnce() <= 2, `${site.mostAtOnce()} at once`);
  });
});

const LOOKS: readonly TrapLook[] = [
  { hasCanonical: true, showsAddresses: false, calendar: 'path', echo: 'longer' },
  { hasCanonical: true, showsAddresses: true, calendar: 'query', echo: 'repeated' },
  { hasCanonical: false, showsAddresses: false, calendar: 'query', echo: 'nested' },
];

for (const look of LOOKS) {
  test(`ends by itself on a site of traps, with every real page and little waste: ${JSON.stringify(look)}`, async () => {
    await on(trapSite(look), async (site) => {
      const result = await crawl(`${site.origin}/`, { limit: 2_000 });
      assertBalanced(result);
      assert.equal(result.outcome.end, 'complete');
      const fetched = new Set(result.ledger.filter((entry) => entry.outcome === 'fetched').map((entry) => new URL(entry.url).pathname));
      assert.deepEqual(
        TRAP_SITE_PAGES.filter((path) => !fetched.has(path)),
        [],
      );
      const honest = new Set([...TRAP_SITE_PAGES, '/robots.txt', '/files/', '/files/readme-1', '/files/readme-2', '/files/readme-3']);
      const wasted = site.requests.filter((path) => !honest.has(path));
      assert.ok(wasted.length < site.requests.length * 0.2, `${wasted.length} of ${site.requests.length}: ${wasted.join(' ')}`);
      assert.equal(new Set(site.requests).size, site.requests.length);
    });
  });
}

test('attack 3: fetches no more large pages than 32 MB while none of them has been read', async () => {
  const pageBytes = 8_000_000;
  await using site = await serveOnLoopback(({ url: path = '/' }, response) => {
    const links = Array.from({ length: 12 }, (_, i) => `<a href="/${i}">page ${i}</a>`).join('');
    response.writeHead(path === '/robots.txt' ? 404 : 200, { 'content-type': 'text/html' });
    response.end(path === '/' ? links : `<p>${path} ${path.repeat(pageBytes / path.length)}</p>`);
  });
  const clock = new JumpingClock();
  let held = 0;
  let heldMax = 0;
  const save = async (page: Page) => {
    held += page.body.byteLength;
    heldMax = Math.max(heldMax, held);
    // Long enough that whatever may be fetched beside it is there.
    for (let quiet = 0; quiet < 200; quiet = clock.busy > 0 ? 0 : quiet + 1) await new Promise((resolve) => setImmediate(resolve));
    held -= page.body.byteLength;
    return page.url;
  };
  const { outcome } = await crawl(site.url, {}, { clock, sink: { save } });
  assert.equal(outcome.counts.fetched, 13);
  // Two that were on their way came behind the last for which there was room.
  assert.ok(heldMax <= 32_000_000 + 3 * pageBytes, `${heldMax} bytes were held`);
});
