import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { suite, test } from 'node:test';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { startSite } from '../sites/crawl-sites.ts';
import type { Answer, LocalSite } from '../sites/crawl-sites.ts';

const PAGES = 6;

/** Pages with validators, whose text changes when the test says so. */
interface Shelf {
  readonly versions: Map<string, number>;
  readonly site: LocalSite;
}

async function onShelf(body: (agent: TestAgent, shelf: Shelf) => Promise<void>): Promise<void> {
  const versions = new Map<string, number>();
  const site = await startSite((path, _url, request) => pageOf(path, versions, request));
  try {
    await using agent = await startTestAgent();
    await body(agent, { versions, site });
    assert.deepEqual(agent.logged, []);
  } finally {
    await site.close();
  }
}

function pageOf(path: string, versions: ReadonlyMap<string, number>, request: IncomingMessage): Answer {
  const number = Number(/^\/(\d?)$/.exec(path)?.[1] ?? Number.NaN);
  if (!(number < PAGES)) return undefined;
  const etag = `"${path}-${versions.get(path) ?? 0}"`;
  if (request.headers['if-none-match'] === etag) return { status: 304, headers: { etag } };
  const links = Array.from({ length: PAGES }, (_, i) => `<a href="/${i === 0 ? '' : i}">${i}</a>`).join(' ');
  const text = `Page ${number} of the shelf, in its version ${versions.get(path) ?? 0}, says what no other page does.`;
  return { status: 200, headers: { etag }, body: `<title>${number}</title><p>${text}</p>${links}` };
}

const OPTIONS = { sitemap: 'skip' as const, formats: ['text' as const] };

suite('pages that were fetched before', () => {
  test('a saved crawl asks hosts whether its pages have changed, and loads only those that have', () =>
    onShelf(async ({ client }, { versions, site }) => {
      const { slug: ref } = await client.crawlDefinitions.create({ url: `${site.origin}/`, ...OPTIONS });
      const first = await client.crawlDefinitions.run({ ref, wait: true });
      assert.deepEqual([first.counts.fetched, first.counts.reused], [PAGES, 0]);
      versions.set('/3', 1);
      const second = await client.crawlDefinitions.run({ ref, wait: true });
      assert.deepEqual([second.counts.fetched, second.counts.reused, second.counts.discovered], [1, PAGES - 1, PAGES]);
      const texts = new Map(second.data.map((page) => [new URL(page.url).pathname, page.text ?? '']));
      assert.equal(texts.size, PAGES, 'a run holds every page, reused or not');
      assert.match(texts.get('/3') ?? '', /version 1/);
      assert.match(texts.get('/4') ?? '', /version 0/);
    }));

  test('a page that is younger than page_max_age is not asked for at all, an older one is', () =>
    onShelf(async ({ client, clock }, { site }) => {
      const options = { url: `${site.origin}/`, ...OPTIONS, page_max_age: 600, wait: true };
      await client.crawl.start(options);
      const asked = site.requests.length;
      const again = await client.crawl.start(options);
      assert.deepEqual([again.counts.fetched, again.counts.reused, again.data.length], [0, PAGES, PAGES]);
      assert.equal(site.requests.length, asked, 'not one request, robots.txt included');
      clock.advance(700_000);
      const late = await client.crawl.start(options);
      assert.deepEqual([late.counts.fetched, late.counts.reused], [0, PAGES]);
      assert.equal(site.requests.length, asked + PAGES + 1, 'confirmed by their host, whose robots.txt is read again');
    }));

  test('a limit counts reused pages', () =>
    onShelf(async ({ client }, { site }) => {
      const options = { url: `${site.origin}/`, ...OPTIONS, page_max_age: 600, wait: true };
      await client.crawl.start(options);
      const limited = await client.crawl.start({ ...options, limit: 2 });
      assert.deepEqual([limited.counts.reused, limited.counts.fetched, limited.data.length], [2, 0, 2]);
    }));

  test('a copy serves only crawls that want the same views of it', () =>
    onShelf(async ({ client }, { site }) => {
      const options = { url: `${site.origin}/`, ...OPTIONS, page_max_age: 600, wait: true };
      await client.crawl.start(options);
      const other = await client.crawl.start({ ...options, formats: ['markdown'] });
      assert.deepEqual([other.counts.fetched, other.counts.reused], [PAGES, 0]);
    }));

  test('a scrape reuses a page as well', () =>
    onShelf(async ({ client }, { site }) => {
      const options = { url: `${site.origin}/`, limit: 1, formats: ['text' as const], page_max_age: 600, wait: true };
      const [first, again] = [await client.crawl.start(options), await client.crawl.start(options)];
      assert.deepEqual([first.counts.reused, again.counts.reused, site.requests.length], [0, 1, 2], 'the page and robots.txt, once');
      assert.deepEqual(again.data, first.data);
    }));
});
