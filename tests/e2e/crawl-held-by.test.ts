import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { StartCrawl } from '@weft/contract';
import { startTestAgent } from '../agent.ts';
import { startSite } from '../sites/crawl-sites.ts';
import type { LocalSite } from '../sites/crawl-sites.ts';

const page = (name: string, links: readonly string[]) =>
  `<title>${name}</title><h1>${name}</h1><p>${name} says enough to be a page of its own, and is told apart from others by that.</p>` +
  links.map((href) => `<a href="${href}">go</a>`).join('');

function startShop(): Promise<LocalSite> {
  return startSite((path) => {
    const number = /^\/(?:product|lots)\/(\d)$/.exec(path)?.[1];
    if (path === '/robots.txt') return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /closed' };
    if (path === '/')
      return page(
        'home',
        [1, 2, 3, 4, 5].map((i) => `/product/${i}`),
      );
    if (path === '/alone/') return page('alone', ['/', '/product/1', '/product/2']);
    if (path === '/away') return page('away', ['https://one.test/', 'https://two.test/']);
    if (path === '/shut') return page('shut', ['/closed/1', '/closed/2']);
    return number === undefined ? undefined : page(`product ${number}`, []);
  });
}

suite('a crawl that ends with next to nothing', () => {
  const cases: readonly (readonly [
    start: string,
    options: Partial<StartCrawl>,
    reason: string,
    count: number,
    option: string,
    value: unknown,
  ])[] = [
    ['/alone/', {}, 'outside_path', 3, 'crawl_entire_domain', true],
    ['/', { include_paths: ['/product'] }, 'not_included', 5, 'include_paths', ['/product/**']],
    ['/', { include_paths: ['/nothing'] }, 'not_included', 5, 'include_paths', undefined],
    ['/', { exclude_paths: ['/product/*'] }, 'excluded', 5, 'exclude_paths', undefined],
    ['/', { max_depth: 0 }, 'depth', 5, 'max_depth', undefined],
    ['/shut', {}, 'robots', 2, 'respect_robots', false],
    ['/away', {}, 'off_site', 2, 'allow_external_links', true],
    ['/closed', {}, 'robots', 1, 'respect_robots', false],
  ];
  test('says which rule held it and which option opens it', async () => {
    const site = await startShop();
    try {
      await using agent = await startTestAgent();
      for (const [start, options, reason, count, option, value] of cases) {
        const crawl = await agent.client.crawl.start({ url: site.origin + start, sitemap: 'skip', formats: [], wait: true, ...options });
        const [hold] = crawl.held_by ?? [];
        assert.deepEqual(
          [hold?.reason, hold?.count, hold?.option, hold?.value],
          [reason, count, option, value],
          JSON.stringify([start, options]),
        );
        assert.ok(hold?.example.startsWith('http') && hold.says.startsWith(`${count} `));
      }
      const whole = await agent.client.crawl.start({ url: `${site.origin}/`, sitemap: 'skip', formats: [], wait: true });
      assert.equal(whole.held_by, undefined);
    } finally {
      await site.close();
    }
  });
});
