// Nothing is changed by reading: a program whose links act on GET, crawled in both lanes.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createAddressGate, createFetcher } from '@weft/engine/io';
import { startTestAgent } from '../agent.ts';
import { findBrowser } from '../browser.ts';
import { startCrmSite } from '../sites/crm-site.ts';
import type { CrmSite } from '../sites/crm-site.ts';

async function crawled(site: CrmSite, options: { readonly lane: 'http' | 'browser'; readonly follow_actions?: boolean }) {
  const fetcher = createFetcher({ gate: createAddressGate({ mode: 'agent' }), home: '/nowhere', chromePath: await findBrowser() });
  await using agent = await startTestAgent({ fetcher });
  const { client } = agent;
  const { id, status } = await client.crawl.start({ url: `${site.origin}/`, sitemap: 'skip', formats: [], ...options, wait: true });
  assert.equal(status, 'succeeded');
  const { data: reasons } = await client.crawl.reasons({ id });
  const ledger = await client.crawl.ledger({ id, limit: 500, outcome: 'fetched' });
  assert.ok(!(ledger instanceof Response));
  const acts = reasons.find(({ reason }) => reason === 'acts')?.count ?? 0;
  return { acts, pages: ledger.data.map(({ url }) => new URL(url).pathname).toSorted() };
}

suite('a program whose links act', { timeout: 600_000 }, () => {
  for (const lane of ['http', 'browser'] as const) {
    test(`is the same before and after it was read, and read whole: ${lane}`, async () => {
      const site = await startCrmSite();
      try {
        const before = site.books();
        const { acts, pages } = await crawled(site, { lane });
        assert.equal(site.books(), before);
        assert.deepEqual(pages, site.pages.toSorted());
        // Thirteen in the frame of each page, and five of each of the twelve customers.
        assert.equal(acts, 13 + 12 * 5);
      } finally {
        await site.close();
      }
    });
  }

  test('is changed by a crawl that is told to follow what acts', async () => {
    const site = await startCrmSite();
    try {
      const before = site.books();
      const { acts } = await crawled(site, { lane: 'http', follow_actions: true });
      assert.notEqual(site.books(), before);
      assert.equal(acts, 0);
    } finally {
      await site.close();
    }
  });
});
