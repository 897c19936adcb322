// Crawls of small applications through a running agent: every page once, with what it shows, whoever renders it.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createAddressGate, createFetcher } from '@weft/engine/io';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { findBrowser } from '../browser.ts';
import { APP_KINDS, startApp } from '../sites/apps/apps.ts';
import { startSite } from '../sites/crawl-sites.ts';

const SEED = 7;

suite('a crawl of an application', { timeout: 600_000 }, () => {
  let agent: TestAgent;
  before(async () => {
    const fetcher = createFetcher({ gate: createAddressGate({ mode: 'agent' }), home: '/nowhere', chromePath: await findBrowser() });
    agent = await startTestAgent({ fetcher });
  });
  after(() => agent[Symbol.asyncDispose]());

  for (const kind of APP_KINDS)
    test(`that is ${kind} keeps each of its pages once, with its name and prices`, async () => {
      const app = await startApp(kind, SEED);
      const crawl = await agent.client.crawl.start({
        url: `${app.origin}/`,
        limit: 100,
        wait: true,
        formats: ['text', 'metadata'],
        only_main_content: false,
      });
      await app.close();
      assert.equal(crawl.status, 'succeeded', JSON.stringify(crawl.failure));
      assert.deepEqual(crawl.data.map(({ url }) => new URL(url).pathname).toSorted(), [...app.pages.keys()].toSorted());
      for (const { url, text = '', metadata } of crawl.data) {
        const state = app.pages.get(new URL(url).pathname);
        assert.equal(metadata?.title, state?.title);
        for (const { name, price } of state?.products ?? [])
          assert.ok(text.includes(name) && text.includes(price), `${url} lacks ${name}: ${text}`);
      }
    });

  test('whose pages are fragments keeps each of them, and no place on a page', async () => {
    const script = `const show = () => {
      const name = location.hash.split('/')[1] ?? 'home';
      document.body.innerHTML = '<h1>' + name + '</h1><p>What ' + name + ' says.</p><a href="#/tea">t</a> <a href="#/cups">c</a> <a href="#top">top</a>';
    };
    addEventListener('hashchange', show);
    show();`;
    const site = await startSite(() => `<title>Shop</title><body><script>${script}</script></body>`);
    const crawl = await agent.client.crawl.start({
      url: `${site.origin}/`,
      lane: 'browser',
      sitemap: 'skip',
      formats: ['text'],
      wait: true,
    });
    await site.close();
    assert.deepEqual(crawl.data.map(({ url }) => url.slice(site.origin.length)).toSorted(), ['/', '/#/cups', '/#/tea']);
    for (const { url, text = '' } of crawl.data) assert.match(text, new RegExp(`What ${url.split('#/')[1] ?? 'home'} says`));
  });
});
