import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ApiError } from '@weft/client';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { startSite } from '../sites/crawl-sites.ts';

const CODE = (code: string) => (error: unknown) => error instanceof ApiError && error.code === code;

/** Three pages that link to each other. */
const startShelf = () =>
  startSite((path) =>
    /^\/[ab]?$/.test(path)
      ? `<title>${path}</title><p>This is the page ${path} of a shelf with three of them, and no other says so.</p><a href="/">0</a><a href="/a">a</a><a href="/b">b</a>`
      : undefined,
  );

async function onShelf(body: (agent: TestAgent, url: string) => Promise<void>): Promise<void> {
  const site = await startShelf();
  try {
    await using agent = await startTestAgent();
    await body(agent, `${site.origin}/`);
    assert.deepEqual(agent.logged, []);
  } finally {
    await site.close();
  }
}

suite('saved crawls', () => {
  test('a URL alone is enough to save one; slug and id name the same', () =>
    onShelf(async ({ client }, url) => {
      const saved = await client.crawlDefinitions.create({ url });
      assert.equal(saved.name, new URL(url).host);
      assert.match(saved.slug, /^[a-z][a-z0-9-]*$/);
      assert.deepEqual(
        await client.crawlDefinitions.read({ ref: saved.slug }),
        await client.crawlDefinitions.read({ ref: String(saved.id) }),
      );
      const other = await client.crawlDefinitions.create({ url });
      assert.notEqual(other.slug, saved.slug);
      assert.deepEqual((await client.crawlDefinitions.list({ limit: 1 })).data, [other]);
    }));

  test('refuses a slug that is taken, options that no crawl could run with, and an empty result of a patch', () =>
    onShelf(async ({ client }, url) => {
      await client.crawlDefinitions.create({ url, slug: 'shelf' });
      await assert.rejects(client.crawlDefinitions.create({ url, slug: 'shelf' }), CODE('conflict'));
      await assert.rejects(client.crawlDefinitions.create({ url, include_paths: ['regex:('] }), CODE('bad_request'));
      await assert.rejects(client.crawlDefinitions.update({ ref: 'shelf', url: null }), {
        code: 'bad_request',
        message: 'A saved crawl keeps its "url": it can be replaced, not removed.',
      });
      await assert.rejects(client.crawlDefinitions.update({ ref: 'shelf', limit: 0 }), CODE('bad_request'));
      assert.equal((await client.crawlDefinitions.read({ ref: 'shelf' })).url, url);
    }));

  test('a patch replaces lists as a whole, removes what is null and leaves the rest', () =>
    onShelf(async ({ client }, url) => {
      await client.crawlDefinitions.create({ url, slug: 'shelf', limit: 7, max_depth: 2, exclude_paths: ['/a', '/b'] });
      const patched = await client.crawlDefinitions.update({ ref: 'shelf', exclude_paths: ['/c'], limit: null, slug: 'renamed' });
      assert.deepEqual([patched.slug, patched.exclude_paths, patched.max_depth, 'limit' in patched], ['renamed', ['/c'], 2, false]);
    }));

  test('its runs fill one dataset, of which the data shows the newest record of each page, page by page', () =>
    onShelf(async ({ client }, url) => {
      const saved = await client.crawlDefinitions.create({ url, slug: 'shelf', formats: [] });
      const runs = [];
      for (let i = 0; i < 2; i++) runs.push(await client.crawlDefinitions.run({ ref: 'shelf', wait: true }));
      assert.deepEqual(new Set(runs.map((run) => run.dataset_id)), new Set([saved.dataset_id]));
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.crawlDefinitions.data({ ref: 'shelf', limit: 2, ...(cursor === undefined ? {} : { cursor }) });
        seen.push(...page.data.map((record) => new URL(record.url).pathname));
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      assert.deepEqual(seen.toSorted(), ['/', '/a', '/b']);
      const { last_run } = await client.crawlDefinitions.read({ ref: 'shelf' });
      assert.deepEqual([last_run?.id, last_run?.status], [runs[1]?.id, 'succeeded']);
      const run = await client.runs.read({ id: runs[0]?.id ?? 0 });
      assert.deepEqual(run.source, { kind: 'crawl_definition', id: saved.id, name: saved.name });
    }));

  test('max_age answers with an earlier run that is recent enough and had the same options, else loads anew', () =>
    onShelf(async (agent, url) => {
      const { client, clock } = agent;
      await client.crawlDefinitions.create({ url, slug: 'shelf', formats: [] });
      const first = await client.crawlDefinitions.run({ ref: 'shelf', max_age: 60, wait: true });
      assert.equal(first.reused, undefined);
      const again = await client.crawlDefinitions.run({ ref: 'shelf', max_age: 60 });
      assert.deepEqual([again.id, again.reused, again.data.length], [first.id, true, 3]);
      clock.advance(61_000);
      const late = await client.crawlDefinitions.run({ ref: 'shelf', max_age: 60, wait: true });
      assert.notEqual(late.id, first.id);
      await client.crawlDefinitions.update({ ref: 'shelf', limit: 2 });
      const changed = await client.crawlDefinitions.run({ ref: 'shelf', max_age: 60, wait: true });
      assert.deepEqual([changed.reused, changed.data.length], [undefined, 2]);
    }));

  test('deleting one keeps what it collected and cancels what runs', async () => {
    let isHeld = true;
    const site = await startSite(async (path) => {
      while (isHeld && path === '/a') await new Promise((resolve) => setImmediate(resolve));
      return path === '/robots.txt' ? undefined : `<p>A page at ${path} that says enough to be told from others.</p><a href="/a">a</a>`;
    });
    try {
      await using agent = await startTestAgent();
      const { client } = agent;
      await client.crawlDefinitions.create({ url: site.origin, slug: 'held', sitemap: 'skip' });
      const { id } = await client.crawlDefinitions.run({ ref: 'held' });
      await client.crawlDefinitions.delete({ ref: 'held' });
      await assert.rejects(client.crawlDefinitions.read({ ref: 'held' }), CODE('not_found'));
      assert.equal((await client.runs.read({ id })).status, 'cancelled');
      isHeld = false;
    } finally {
      isHeld = false;
      await site.close();
    }
  });
});
