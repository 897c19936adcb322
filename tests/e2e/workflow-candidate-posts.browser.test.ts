// Rows that scripts fetch by POST: what only asks is sent by HTTP in the place of a browser, and what writes is sent once by each run, whatever it is called.
import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, suite, test } from 'node:test';
import type { NewWorkflow, Run, WorkflowCandidate } from '@weft/contract';
import { createAddressGate, createFetcher } from '@weft/engine/io';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { findBrowser } from '../browser.ts';
import { serveOnLoopback } from '../sites/on-loopback.ts';

const QUERY =
  'query Shelf($words: String!, $first: Int = 3) { # mutation {\n found(words: $words, first: $first) { edges { node { name price } } } }';
const RENAME = 'mutation Rename($words: String!) { found: rename(words: $words) { edges { node { name price } } } }';

/** Pages whose scripts send what was typed, and list what they are answered. */
const SENDING: Readonly<Record<string, string>> = {
  '/graphql-page': `['/graphql', { operationName: 'Shelf', query: ${JSON.stringify(QUERY)}, variables: { words } }, ({ data }) => data.found.edges.map(({ node }) => node)]`,
  '/search-page': `['/api/books/search', { q: words, page: 1, sort: { by: 'name' } }, ({ hits }) => hits]`,
  '/mutation-page': `['/graphql', { query: ${JSON.stringify(RENAME)}, variables: { words } }, ({ data }) => data.found.edges.map(({ node }) => node)]`,
  '/adding-page': `['/api/books', { q: words }, ({ hits }) => hits]`,
  '/saving-page': `['/api/search', { name: words }, ({ hits }) => hits]`,
};
const pageOf = (sending: string) => `<!doctype html><title>Shelf</title><body><div id=root></div><script>
root.innerHTML = '<h1>Shelf</h1><input name=q aria-label=Words><button>Find</button><ul></ul>';
document.querySelector('button').onclick = async () => {
  const words = document.querySelector('input').value;
  const [url, body, rowsOf] = ${sending};
  const answer = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  document.querySelector('ul').innerHTML = rowsOf(await answer.json()).map(({ name, price }) => '<li class=book><h2>' + name + '</h2><b>$' + price + '</b></li>').join('');
};
</script>`;

suite('the candidate by HTTP of rows that are fetched by POST', { timeout: 600_000 }, () => {
  let agent: TestAgent;
  let site: Awaited<ReturnType<typeof serveOnLoopback>>;
  /** The site's own log of what it was sent. */
  const posts: { readonly lane: 'http' | 'browser'; readonly path: string; readonly origin: string | undefined }[] = [];
  before(async () => {
    const fetcher = createFetcher({ gate: createAddressGate({ mode: 'agent' }), home: '/nowhere', chromePath: await findBrowser() });
    agent = await startTestAgent({ fetcher, sessions: fetcher.sessions });
    site = await serveOnLoopback(async (request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://site');
      if (request.method !== 'POST') {
        const sending = SENDING[pathname];
        return void response.writeHead(sending ? 200 : 404, { 'content-type': 'text/html' }).end(sending ? pageOf(sending) : '');
      }
      const lane = request.headers['sec-fetch-dest'] === undefined ? 'http' : 'browser';
      posts.push({ lane, path: pathname, origin: request.headers.origin });
      const sent = JSON.parse(await text(request)) as { q?: string; name?: string; variables?: { words: string } };
      const words = sent.q ?? sent.name ?? sent.variables?.words;
      // What is saved here is listed with what was there.
      const rows = [1, 2, 3].map((place) => ({ name: place === 3 && sent.name ? words : `${words} ${place}`, price: place }));
      const answer = pathname === '/graphql' ? { data: { found: { edges: rows.map((node) => ({ node })) } } } : { hits: rows, total: 3 };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });
  beforeEach(() => void posts.splice(0));

  async function create(path: string): Promise<number> {
    const steps = [
      { id: 'open', type: 'navigate', url: new URL(path, site.url).href },
      { id: 'words', type: 'change', selectors: ['[name=q]'], value: '{{inputs.q}}' },
      { id: 'find', type: 'click', selectors: ['button'] },
      { id: 'there', type: 'waitForElement', selectors: ['li.book'] },
      { id: 'rows', type: 'extractList', selectors: ['li.book'], fields: { title: { selectors: ['h2'] }, cost: { selectors: ['b'] } } },
    ];
    const inputs = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };
    return (await agent.client.workflows.create({ name: 'Find', inputs, steps } as unknown as NewWorkflow)).id;
  }
  /** The lanes in which the site was sent something meanwhile. */
  async function run(
    id: number,
    q: string,
  ): Promise<{ readonly run: Run; readonly lanes: readonly string[]; readonly titles: readonly unknown[] }> {
    posts.splice(0);
    const ended = await agent.client.workflows.run({ id, inputs: { q }, wait: true });
    assert.equal(ended.status, 'succeeded', JSON.stringify(ended.failure));
    const { data } = await agent.client.runs.data({ id: ended.id });
    return { run: ended, lanes: posts.map(({ lane }) => lane), titles: data.map((row) => (row as { readonly title: unknown }).title) };
  }
  const candidateOf = async (id: number): Promise<WorkflowCandidate> => await agent.client.workflows.candidate({ id });

  for (const path of ['/graphql-page', '/search-page'])
    test(`answers in the place of a browser once two inputs agreed: ${path}`, async () => {
      const id = await create(path);
      const first = await run(id, 'sea "and" sand');
      assert.deepEqual(first.lanes, ['browser', 'http'], JSON.stringify(await candidateOf(id)));
      await run(id, 'tea {{x}}');
      const { status, steps } = await candidateOf(id);
      assert.deepEqual([status, steps.map(({ type }) => type)], ['promoted', ['request', 'assert', 'forEach']]);
      const byHttp = await run(id, 'night & day');
      assert.deepEqual([byHttp.lanes, byHttp.run.lane], [['http'], 'http']);
      assert.deepEqual(byHttp.titles, ['night & day 1', 'night & day 2', 'night & day 3']);
      assert.equal(posts[0]?.origin, new URL(site.url).origin);
    });

  const DOUBTS: readonly (readonly [path: string, reason: RegExp])[] = [
    ['/mutation-page', /no query of GraphQL/],
    ['/adding-page', /neither its address nor what it sends says that it only asks/],
    ['/saving-page', /stands in its answer as in a row that was made of it/],
  ];
  for (const [path, reason] of DOUBTS)
    test(`is none where what is sent may change something, which is sent once by each run: ${path}`, async () => {
      const id = await create(path);
      for (const q of ['tea', 'sea', 'night']) assert.deepEqual((await run(id, q)).lanes, ['browser']);
      const candidate = await candidateOf(id);
      assert.equal(candidate.status, 'none');
      assert.match(candidate.reason, reason);
    });
});
