// Scrapes and crawls of pages that need a browser, through a running agent.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { createAddressGate, createFetcher } from '@weft/engine/io';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { findBrowser } from '../browser.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';
import type { RawServer } from '../sites/raw-server.ts';

const WEFT = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts');
const html = (body: string) => reply({ headers: { 'Content-Type': 'text/html', ETag: '"same"' }, body });
/** A page whose content and links are all put there by a script that fetches them. */
const app = `<!doctype html><title>App</title><div id="root"></div><script>
  fetch('/api' + location.pathname).then((answer) => answer.json()).then((page) => {
    root.innerHTML = '<main><h1>' + page.title + '</h1><p>' + page.text + '</p>' + page.links.map((to) => '<a href="' + to + '">' + to + '</a>').join(' ') + '</main>'
  })</script>`;
/** An application whose routes stand behind a hash. */
const routed = `<!doctype html><title>App</title><div id="app"></div><script>
  const show = () => {
    const name = location.hash.split('/').at(-1).replace(/^#.*/, '') || 'home';
    app.innerHTML = '<main><h1>' + name + '</h1><p>Words that the page ' + name + ' says, and no other page of the application does.</p>' +
      '<a href="#/one">1</a><a href="#/one/two">2</a><a href="#/three">3</a><a href="#top">top</a><a href="/hash/#/three">3 again</a></main>';
  };
  addEventListener('hashchange', show); show();</script>`;
/** A list that a script fills with what it asked for, and a button that asks for more. */
const shelf = `<!doctype html><title>Shelf</title><div id="root"></div><script>
  fetch('/api/shelf?page=1').then((answer) => answer.json()).then((books) => {
    root.innerHTML = '<main><h1>Shelf</h1>' + books.map((book) => '<article><h3>' + book.title + '</h3><p>' + book.place + '</p></article>').join('') +
      '<button>Load more</button></main>';
  })</script>`;
const books = (from: number) => Array.from({ length: 6 }, (_, i) => ({ title: `Book number ${from + i}`, place: `Shelf A${from + i}` }));
const json = (value: object) => reply({ headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) });

suite('pages that need a browser', { timeout: 600_000 }, () => {
  let site: RawServer;
  let agent: TestAgent;
  before(async () => {
    site = await startRawServer({
      '/': html(app),
      '/one': html(app),
      '/two': html(app),
      '/blank': html('<!doctype html><title>Blank</title><div id="root"></div><script src="/absent.js"></script>'),
      '/shelf': html(shelf),
      '/api/shelf?page=1': json(books(1)),
      '/api/shelf?page=2': json(books(7)),
      '/api/': json({ title: 'Start', text: 'Words of the start page.', links: ['/one', '/two'] }),
      '/api/one': json({ title: 'First', text: 'Words of the first page.', links: ['/'] }),
      '/api/two': json({ title: 'Second', text: 'Words of the second page.', links: ['/one'] }),
      '/hash/': html(routed),
      '/wall': html('<h1>Are you a human?</h1><div class="g-recaptcha" data-sitekey="x"></div>'),
    });
    const fetcher = createFetcher({ gate: createAddressGate({ mode: 'agent' }), home: '/nowhere', chromePath: await findBrowser() });
    agent = await startTestAgent({ fetcher });
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
    await site.close();
  });

  test('a scrape renders a shell and says why', async () => {
    const { status, data } = await agent.client.crawl.start({ url: `${site.origin}/one`, limit: 1, wait: true });
    assert.equal(status, 'succeeded');
    const [page] = data;
    assert.match(page?.markdown ?? '', /# First\s+Words of the first page/);
    assert.deepEqual([page?.lane, page?.lane_reason], ['browser', 'js_shell']);
  });

  test('a page that stays empty in a browser is told', async () => {
    const env = { ...process.env, HOME: agent.home, SERVICE_HOME: agent.home, SERVICE_API_URL: agent.baseUrl, SERVICE_TOKEN: agent.token };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [WEFT, 'scrape', `${site.origin}/blank`], {
      env,
      cwd: agent.home,
    });
    assert.equal(stdout.trim(), '');
    assert.match(stderr, /\/blank shows no text in a browser either: its scripts may want a login/);
  });

  test('a list is read on by the requests of its script, until one finds nothing', async () => {
    const { lists, pages } = await agent.client.extract.run({ url: `${site.origin}/shelf`, list: true, pages: 20 });
    const [list] = lists as readonly { readonly items: readonly { readonly fields: Record<string, { readonly raw: string }> }[] }[];
    assert.deepEqual(
      list?.items.map(({ fields }) => fields['title']?.raw),
      Array.from({ length: 12 }, (_, i) => `Book number ${i + 1}`),
    );
    assert.deepEqual([pages?.read, pages?.end], [2, 'last_page']);
  });

  test('a crawl takes routes behind # for pages, once a rendered page shows them', async () => {
    for (const lane of ['auto', 'browser'] as const) {
      const { status, data, counts } = await agent.client.crawl.start({ url: `${site.origin}/hash/`, lane, limit: 20, wait: true });
      assert.equal(status, 'succeeded');
      const shown = data.map(({ url, markdown }) => [new URL(url).hash, /# (\w+)/.exec(markdown ?? '')?.[1]].join(' '));
      assert.deepEqual(shown.toSorted(), [' home', '#/one one', '#/one/two two', '#/three three'].toSorted(), lane);
      assert.equal(counts.failed, 0);
    }
  });

  test('a crawl follows links that only scripts make', async () => {
    const { status, data } = await agent.client.crawl.start({ url: `${site.origin}/`, limit: 10, wait: true });
    assert.equal(status, 'succeeded');
    assert.deepEqual(data.map(({ markdown }) => /# (\w+)/.exec(markdown ?? '')?.[1]).toSorted(), ['First', 'Second', 'Start']);
  });

  test('a selector that does not appear fails the scrape and is named', async () => {
    const { status, failure } = await agent.client.crawl.start({
      url: `${site.origin}/one`,
      limit: 1,
      wait: true,
      wait_for_selector: '###',
    });
    assert.equal(status, 'failed');
    assert.match(failure?.message ?? '', /The selector `###` is not valid CSS/);
  });

  test('pictures are kept as files that the record names', async () => {
    const { data } = await agent.client.crawl.start({ url: `${site.origin}/two`, limit: 1, wait: true, screenshot: 'full', pdf: true });
    const [page] = data;
    const [png, pdf] = await Promise.all([page?.screenshot, page?.pdf].map((id = '') => agent.client.files.read({ id })));
    assert.deepEqual([png?.content_type, png?.source.kind, pdf?.content_type], ['image/png', 'run', 'application/pdf']);
    assert.match(png?.name ?? '', /^127\.0\.0\.1-two\.png$/);
  });

  test('a selector is waited for', async () => {
    const { data } = await agent.client.crawl.start({ url: `${site.origin}/two`, limit: 1, wait: true, wait_for_selector: 'main h1' });
    assert.deepEqual([data[0]?.lane, data[0]?.lane_reason], ['browser', 'options']);
  });

  for (const lane of ['auto', 'http', 'browser'] as const)
    for (const limit of [1, 5])
      test(`a captcha is a failure and no record by ${lane} in a crawl of ${limit}`, async () => {
        const { status, failure, data } = await agent.client.crawl.start({ url: `${site.origin}/wall`, limit, lane, wait: true });
        assert.deepEqual([status, failure?.code, data.length], ['failed', 'captcha', 0]);
      });
});
