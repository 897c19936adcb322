// Sites that become APIs on the agent: built, tried, verified, picked, published, built again.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { BuildView } from '@weft/contract';
import { ApiError } from '@weft/client';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { startEditedShop } from '../sites/edited-shop.ts';
import { startTeaShop } from '../sites/tea-shop.ts';
import type { TeaShop } from '../sites/tea-shop.ts';

const OBJECTIVE = 'search products by name';

suite('builds of the agent', { timeout: 600_000 }, () => {
  let shop: TeaShop;
  let agent: TestAgent;
  let built: BuildView;
  before(async () => {
    shop = await startTeaShop();
    agent = await startTestAgent();
    built = await agent.client.builds.start({ url: `${shop.origin}/`, objective: OBJECTIVE, wait: true });
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
    await shop.close();
    assert.deepEqual(agent.logged, []);
  });
  const refused = (code: string, status: number) => (error: unknown) =>
    error instanceof ApiError && error.code === code && error.status === status;

  test('a search with pages is found, drafted without a model, and proved on the first rung', () => {
    const { status, rung, mode, escalations, respect_robots: robots, ai_supervise: supervised, draft_source: source } = built;
    assert.deepEqual(
      [status, rung, mode, escalations, robots, supervised, source],
      ['proved', 'static', 'crawl', undefined, true, false, 'mechanical'],
    );
    const [search] = built.functions ?? [];
    assert.deepEqual([search?.name, search?.kind, search?.state, search?.lane], ['search_products', 'search', 'proved', 'http']);
    assert.deepEqual(Object.keys((search?.inputs?.['properties'] ?? {}) as object), ['q', 'page']);
    const paths = Object.values((built.openapi?.['paths'] ?? {}) as Record<string, Record<string, Record<string, unknown>>>);
    assert.ok(paths.length > 0 && paths.every((path) => Object.values(path).every((operation) => 'x-proof' in operation)));
  });

  test('a function gives the rows of the shop for words that it was not built from', async () => {
    const tried = await agent.client.builds.try({ id: built.build_id, name: 'search_products', inputs: { q: 'white coffee' } });
    const truth = shop.products.filter(({ title }) => title.startsWith('White Coffee')).map(({ title, sku }) => [title, sku]);
    assert.deepEqual(
      tried.data.map((row) => [row['title'], row['sku']]),
      truth,
    );
    await assert.rejects(
      agent.client.builds.try({ id: built.build_id, name: 'search_products', inputs: { word: 'tea' } }),
      refused('bad_request', 400),
    );
    await assert.rejects(agent.client.builds.try({ id: built.build_id, name: 'none' }), refused('not_found', 404));
  });

  test('its certificates are decided again without a request, and not once an answer is another', async () => {
    const asked = shop.requests.length;
    const { data } = await agent.client.builds.verify({ id: built.build_id });
    assert.ok(data.length > 0 && data.every(({ holds, state }) => holds && state === 'proved'), JSON.stringify(data));
    assert.equal(shop.requests.length, asked);
  });

  test('what was found can be picked by its id; what is not there can not', async () => {
    const { candidates } = await agent.client.builds.evidence({ id: built.build_id });
    const list = candidates.find(({ kind }) => kind === 'list');
    const functions = [{ candidate_id: String(list?.['id']), name: 'all_products' }];
    const begun = await agent.client.builds.draft({ id: built.build_id, functions });
    await agent.client.waitForRun(begun.run_id ?? 0);
    const picked = await agent.client.builds.read({ id: built.build_id });
    assert.equal(picked.draft_source, 'picked');
    assert.deepEqual(picked.functions?.map(({ name, state }) => [name, state]).sort(), [
      ['all_products', 'proved'],
      ['get_product', 'proved'],
      ['search_products', 'proved'],
    ]);
    await assert.rejects(
      agent.client.builds.draft({ id: built.build_id, functions: [{ candidate_id: 'C99' }] }),
      refused('bad_request', 400),
    );
  });

  test('proved functions become workflows that models are offered, and give the same rows', async () => {
    const { data } = await agent.client.builds.publish({ id: built.build_id, slug: 'teas' });
    assert.deepEqual(data.map(({ workflow_slug: slug }) => slug).sort(), ['teas-all-products', 'teas-get-product', 'teas-search-products']);
    const search = data.find(({ name }) => name === 'search_products');
    const workflow = await agent.client.workflows.read({ id: search?.workflow_id ?? 0 });
    assert.equal(workflow.expose, true);
    const run = await agent.client.workflows.run({ id: workflow.id, inputs: { q: 'iced cocoa' }, wait: true });
    const truth = shop.products.filter(({ title }) => title.startsWith('Iced Cocoa'));
    assert.deepEqual([run.status, run.rows_extracted], ['succeeded', truth.length]);
  });

  test('built again after the search is gone it says so, and what there was stays', async () => {
    shop.redesign('no_search');
    const begun = await agent.client.builds.rebuild({ id: built.build_id });
    await agent.client.waitForRun(begun.run_id ?? 0);
    const list = await agent.client.builds.list({});
    const newest = await agent.client.builds.read({ id: list.data[0]?.build_id ?? '' });
    assert.equal(newest.rebuild_of, built.build_id);
    assert.ok(newest.diff?.removed.includes('search_products'), JSON.stringify(newest.diff));
    const kept = await agent.client.builds.read({ id: built.build_id });
    assert.ok(kept.functions?.some(({ name }) => name === 'search_products'));
  });

  test('behind a captcha it climbs the ladder, says what stands there, and solves nothing', async () => {
    const walled = await startEditedShop();
    walled.spoil('captcha');
    try {
      const first = await agent.client.builds.start({ url: `${walled.origin}/`, objective: OBJECTIVE });
      await agent.client.waitForRun(first.run_id ?? 0);
      let newest = await agent.client.builds.read({ id: first.build_id });
      assert.deepEqual([newest.status, newest.fallback_reason], ['replaced', 'no_page_fetched']);
      assert.match(newest.measured ?? '', /asks to show that a person is asking \(captcha\), and nothing of that is solved/);
      while (newest.fallback_build_id !== undefined) newest = await agent.client.builds.read({ id: newest.fallback_build_id });
      assert.deepEqual([newest.rung, newest.status, newest.escalations?.length], ['ai', 'failed', 2]);
      assert.match(newest.measured ?? '', /no model is named.*captcha/);
      assert.ok(
        walled.requests.every((path) => path === '/' || path === '/robots.txt' || path === '/sitemap.xml'),
        walled.requests.join(),
      );
    } finally {
      await walled.close();
    }
  });

  test('where robots.txt refuses, both crawl rungs ask for nothing else, and each says so', async () => {
    const closed = await startTeaShop({ robots: 'User-agent: *\nDisallow: /\n' });
    try {
      const first = await agent.client.builds.start({ url: `${closed.origin}/`, objective: OBJECTIVE });
      await agent.client.waitForRun(first.run_id ?? 0);
      const replaced = await agent.client.builds.read({ id: first.build_id });
      assert.deepEqual([replaced.status, replaced.fallback_reason], ['replaced', 'robots_refused']);
      let newest = replaced;
      while (newest.fallback_build_id !== undefined) newest = await agent.client.builds.read({ id: newest.fallback_build_id });
      assert.deepEqual([newest.rung, newest.status, newest.respect_robots, newest.ai_supervise], ['ai', 'failed', undefined, undefined]);
      assert.deepEqual(
        newest.escalations?.map(({ rung, mode, reason }) => [rung, mode, reason]),
        [
          ['static', 'crawl', 'robots_refused'],
          ['rendered', 'rendered_crawl', 'robots_refused'],
        ],
      );
      assert.deepEqual(new Set(closed.requests), new Set(['/robots.txt']));
    } finally {
      await closed.close();
    }
  });
});
