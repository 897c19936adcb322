// The agent and the cloud over one site: the same pages with the same hashes, the same ledgers, the same maps, and the same verdicts on what is edited.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { startTestCloud } from '../cloud.ts';
import type { TestCloud } from '../cloud.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { startGeneratedSite } from '../sites/generated-site.ts';
import type { GeneratedSite } from '../sites/generated-site.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';
import type { RawServer } from '../sites/raw-server.ts';
import { until } from '../until.ts';

const PAGES = 20;
const EDITS = 12;
const SEED = 7;

// The shapes are what the tests compare.
// oxlint-disable-next-line no-explicit-any
type Body = any;

suite('both surfaces', { timeout: 600_000 }, () => {
  let site: GeneratedSite;
  let shop: RawServer;
  let agent: TestAgent;
  let cloud: TestCloud;
  let database: Database;
  let shown = '';

  before(async () => {
    site = await startGeneratedSite(PAGES);
    shop = await startRawServer((request) =>
      request.path === '/kettle' ? reply({ headers: { 'Content-Type': 'text/html' }, body: shown }) : undefined,
    );
    agent = await startTestAgent();
    cloud = await startTestCloud({ privateTargets: [new URL(site.start).host, `127.0.0.1:${shop.port}`] });
    database = await openDatabase(cloud.database.url);
  });
  after(async () => {
    await database.close();
    await cloud[Symbol.asyncDispose]();
    await agent[Symbol.asyncDispose]();
    await Promise.all([site.close(), shop.close()]);
  });

  const local = async (method: string, path: string, body?: object): Promise<Body> => {
    const response = await fetch(agent.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${agent.token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const answer: Body = await response.json();
    assert.ok(response.ok, JSON.stringify(answer));
    return answer;
  };
  const hosted = async (method: string, path: string, body?: object): Promise<Body> => {
    const answer = await cloud.call(method, path, cloud.owner, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };
  /** What of a page is the site's, and not of when and by whom it was had. */
  const ofPage = ({ url, final_url, status, title, content_hash, markdown, lane }: Body) => ({
    url,
    final_url,
    status,
    title,
    content_hash,
    markdown,
    lane,
  });

  test('a scrape is the same page with the same hash', async () => {
    const asked = { url: site.start, lane: 'http' };
    const crawl = await local('POST', '/v1/crawl', { ...asked, limit: 1, wait: true });
    const page = await hosted('POST', '/api/crawl/scrape', asked);
    assert.ok(page.content_hash);
    assert.deepEqual(ofPage(page), ofPage(crawl.data[0]));
  });

  test('a crawl has the same pages and the same ledger', async () => {
    const asked = { url: site.start, lane: 'http', limit: 100 };
    const mine = await local('POST', '/v1/crawl', { ...asked, wait: true });
    const pages = (await local('GET', `/v1/crawl/${mine.id}?limit=500`)).data;
    const { id } = await hosted('POST', '/api/crawl', asked);
    // A key may not ask as often as a test does.
    await until(async () => (await database.rows(`SELECT 1 FROM crawl WHERE id = $1 AND finished_at IS NOT NULL`, [id])).length > 0);
    const theirs = await hosted('GET', `/api/crawl/${id}?limit=500`);
    const byUrl = (all: readonly Body[]) => all.map(ofPage).toSorted((a, b) => (a.url < b.url ? -1 : 1));
    assert.deepEqual([theirs.status, theirs.counts], [mine.status, mine.counts]);
    assert.ok(theirs.counts.fetched >= PAGES / 2);
    assert.deepEqual(byUrl(theirs.data), byUrl(pages));
  });

  test('a map has the same addresses in the same order', async () => {
    const asked = { url: site.start, limit: 50 };
    const [mine, theirs] = [
      await local('POST', '/x/map', asked),
      await cloud.call('POST', '/v1/keyless/map', { device: 'd'.repeat(20) }, asked),
    ];
    assert.equal(theirs.status, 200, JSON.stringify(theirs.body));
    assert.ok(mine.count > 1);
    const of = ({ links, count, complete }: Body) => ({ count, complete, links: links.map(({ url }: Body) => url) });
    assert.deepEqual(of(theirs.body), of(mine));
  });

  test('a monitor beside a target has the same verdicts and changes, edit after edit', async () => {
    const random = mulberry32(SEED);
    const selectors = [
      { selector: '#price', extractors: [{ type: 'price' }, { type: 'text', name: 'words' }] },
      { selector: '.stock', allow_missing: true, extractors: [{ type: 'availability' }] },
    ];
    const body = { url: `${shop.origin}/kettle`, lane: 'http', active: false, selectors, known_states: 2 };
    shown = edited(random, '10.00');
    const monitor = await local('POST', '/v1/monitors', body);
    const target = await hosted('POST', '/api/targets', body);
    const verdicts = new Set<string>();
    for (let edit = 0; edit < EDITS; edit++) {
      if (edit > 0 && random() < 0.8) shown = edited(random, (10 + Math.floor(random() * 3)).toFixed(2));
      const { id } = await local('POST', `/v1/monitors/${monitor.id}/run?wait=true`);
      const mine = (await local('GET', `/v1/runs/${id}/results`)).output;
      const theirs = (await hosted('POST', `/api/targets/${target.id}/run`)).check;
      assert.deepEqual(ofCheck(theirs), ofCheck(mine), `edit ${edit}: ${shown}`);
      verdicts.add(theirs.verdict);
    }
    assert.ok(verdicts.has('changed') && verdicts.has('unchanged'), [...verdicts].join());
  });
});

/** A page of a shop as some edit leaves it. */
function edited(random: () => number, price: string): string {
  const stock = random() < 0.3 ? '' : `<p class="stock">${random() < 0.5 ? 'In stock' : 'Sold out'}</p>`;
  const name = random() < 0.3 ? 'id="cost" class="amount"' : 'id="price" class="amount"';
  const words = 'Words that a reader finds on a page. '.repeat(1 + Math.floor(random() * 4));
  return `<!doctype html><title>Kettle</title><main><h1>Kettle</h1><p>Price: <b ${name}>${price} EUR</b></p>${stock}<p>${words}</p></main>`;
}

/** A check without its times and the ids that its store gave: selectors by their order. */
function ofCheck(check: Body): object {
  const selectors: number[] = [...new Set<number>(check.values.map((one: Body) => one.selector_id as number))].toSorted((a, b) => a - b);
  const plain = ({ selector_id, extractor_id: _extractor, id: _id, run_id: _run, created_at: _at, ...rest }: Body) => {
    const { monitor_id: _m, monitor_name: _mn, target_id: _t, target_name: _tn, ...shared } = rest;
    return { ...shared, selector: selectors.indexOf(selector_id) };
  };
  const { verdict, state, changed_since_last, differs_from_baseline, flapping, values, changes, trace } = check;
  const gates = trace.map(({ gate, outcome }: Body) => [gate, outcome]);
  return {
    verdict,
    state,
    changed_since_last,
    differs_from_baseline,
    flapping,
    gates,
    values: values.map(plain),
    changes: changes.map(plain),
  };
}
