import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { DAEMON_TABLE, EXTRA_TABLE } from '@weft/contract';
import { DiscoveryError, RunWaitTimeoutError, ScrapeError, createClient, discoverAgent } from '@weft/client/node';
import { startTestAgent } from '../agent.ts';
import { serveOnLoopback } from '../sites/on-loopback.ts';

suite('client', () => {
  test('has one method for every operation, and no other', () => {
    const client: Record<string, unknown> = { ...createClient({ baseUrl: 'http://127.0.0.1:1' }) };
    const verbs: Record<string, string[]> = {};
    for (const [group, operations] of [...Object.entries(DAEMON_TABLE), ...Object.entries(EXTRA_TABLE)])
      (verbs[group] ??= []).push(...Object.keys(operations));
    for (const [group, names] of Object.entries(verbs)) assert.deepEqual(Object.keys(client[group] as object).sort(), names.sort(), group);
  });

  test('waits for a run by its event stream, and shows the events on the way', async () => {
    await using site = await startSite();
    await using agent = await startTestAgent();
    const crawl = await agent.client.crawl.start({ url: site.url, limit: 1 });
    const types: string[] = [];
    const run = await agent.client.waitForRun(crawl.id, { onEvent: (event) => types.push(event.type) });
    assert.equal(run.status, 'succeeded');
    assert.deepEqual([types[0], types.at(-1)], ['snapshot', 'finished']);
  });

  test('a spent waiting budget carries the run id, and the run goes on', async () => {
    await using site = await startSite({ isSilent: true });
    await using agent = await startTestAgent();
    const crawl = await agent.client.crawl.start({ url: site.url, limit: 1 });
    const error = await agent.client.waitForRun(crawl.id, { timeout: 0.05 }).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof RunWaitTimeoutError);
    assert.equal(error.runId, crawl.id);
    assert.equal((await agent.client.runs.read({ id: crawl.id })).status, 'running');
    assert.equal((await agent.client.runs.cancel({ id: crawl.id })).status, 'cancelled');
  });

  test('scrapes a page, and says why one does not come', async () => {
    await using site = await startSite();
    await using agent = await startTestAgent();
    assert.match((await agent.client.scrape(site.url)).markdown ?? '', /\w/);
    await assert.rejects(agent.client.scrape('http://127.0.0.1:1/'), (error) => {
      assert.ok(error instanceof ScrapeError);
      assert.deepEqual([error.url, error.code], ['http://127.0.0.1:1/', 'address']);
      return true;
    });
  });

  test('goes through lists of every kind to their end, page after page', async () => {
    await using agent = await startTestAgent();
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await agent.client.keys.create({ name, scopes: 'read' });
      await agent.client.workflows.create({ name, steps: [{ id: 'open', type: 'navigate', url: 'http://shop.test/' }] });
    }
    const keys = await Array.fromAsync(agent.client.keys.list.all({ limit: 2 }));
    assert.deepEqual(keys.map(({ name }) => name).toSorted(), ['a', 'b', 'c', 'd', 'e']);
    const workflows = await Array.fromAsync(agent.client.workflows.list.all({ limit: 3 }));
    assert.deepEqual(workflows.map(({ slug }) => slug).toSorted(), ['a', 'b', 'c', 'd', 'e']);
    await using site = await startSite();
    const { id } = await agent.client.crawl.start({ url: site.url, limit: 3, wait: true });
    const pages = await Array.fromAsync(agent.client.crawl.read.all({ id, limit: 1 }));
    assert.equal(pages.length, (await agent.client.crawl.read({ id })).data.length);
  });

  test('makes one thing where the answer to its making was lost', async () => {
    await using agent = await startTestAgent();
    let lost = 0;
    const losing: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (init?.method !== 'POST' || lost++ > 0) return answer;
      throw new TypeError('the connection broke');
    };
    const client = createClient({ baseUrl: agent.baseUrl, token: agent.token, fetch: losing, delay: async () => undefined });
    const made = await client.workflows.create({ name: 'Once', steps: [{ id: 'open', type: 'navigate', url: 'http://shop.test/' }] });
    assert.equal(lost, 2);
    assert.deepEqual(
      (await client.workflows.list()).data.map(({ id }) => id),
      [made.id],
    );
  });

  test('cancelling twice answers the run both times', async () => {
    await using site = await startSite();
    await using agent = await startTestAgent();
    const crawl = await agent.client.crawl.start({ url: site.url, limit: 1, wait: true });
    assert.equal((await agent.client.runs.cancel({ id: crawl.id })).status, 'succeeded');
  });
});

suite('discovery', () => {
  test('finds a live agent by runtime.json and says where', async () => {
    await using agent = await startTestAgent();
    const found = await discoverAgent({ env: { SERVICE_HOME: agent.home, HOME: '/nowhere' } });
    assert.deepEqual(found, { baseUrl: agent.baseUrl, token: agent.token, source: join(agent.home, 'runtime.json') });
  });

  test('F73 three dead candidates are told in order, each with its reason', async () => {
    using home = scratch();
    writeFileSync(join(home.path, 'runtime.json'), '{"base_url":');
    const error = await discoverAgent({ env: { SERVICE_HOME: home.path, HOME: '/nowhere' } }).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof DiscoveryError);
    assert.match(error.tried[0] ?? '', /runtime\.json: is not a runtime file/);
    assert.match(error.tried[1] ?? '', /\/nowhere\/\.weft\/runtime\.json: there is no such file/);
    assert.match(error.tried[2] ?? '', /SERVICE_TOKEN: not set/);
  });

  test('A30 whoever took the port of a dead agent never sees its token', async () => {
    await using squatter = await startSquatter((_nonce, response) => void response.end('{"instance_id":"i","proof":"x"}'));
    using home = scratch();
    writeFileSync(join(home.path, 'runtime.json'), squatter.runtime);
    await assert.rejects(
      discoverAgent({ env: { SERVICE_HOME: home.path, HOME: '/nowhere' } }),
      /does not answer as the agent that wrote it/,
    );
    assert.equal(squatter.seen.length, 1);
    assert.doesNotMatch(squatter.seen.join(), /wlt_precious/);
  });

  const SLOW: readonly (readonly [name: string, answer: (response: ServerResponse) => void])[] = [
    ['never answers', () => undefined],
    ['never ends its answer', (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{"proof":"')],
  ];
  for (const [name, answer] of SLOW)
    test(`F73 a candidate that ${name} is passed over and sees no token`, async () => {
      await using squatter = await startSquatter((_nonce, response) => answer(response));
      await using agent = await startTestAgent();
      using homes = twoHomes(squatter.runtime, readFileSync(join(agent.home, 'runtime.json'), 'utf8'));
      const found = await discoverAgent({ env: homes.env, probeMs: 100 });
      assert.deepEqual([found.baseUrl, found.token], [agent.baseUrl, agent.token]);
      assert.equal(squatter.seen.length, 1);
      assert.doesNotMatch(squatter.seen.join(), /wlt_precious/);
    });

  test('F73 all candidates are asked at once, and the first of those that live is taken', async () => {
    const asked = Promise.withResolvers<void>();
    await using second = await startSquatter((nonce, response) => {
      asked.resolve();
      response.end(second.proofOf(nonce));
    });
    await using first = await startSquatter(async (nonce, response) => {
      await asked.promise;
      response.end(first.proofOf(nonce));
    });
    using homes = twoHomes(first.runtime, second.runtime);
    const found = await discoverAgent({ env: homes.env });
    assert.equal(found.source, join(homes.env.SERVICE_HOME, 'runtime.json'));
  });

  test('an explicit address takes only an explicit token, on loopback or over TLS', async () => {
    await assert.rejects(discoverAgent({ env: { SERVICE_API_URL: 'http://192.0.2.1:8131', SERVICE_TOKEN: 't' } }), /must be https/);
    await assert.rejects(discoverAgent({ env: { SERVICE_API_URL: 'http://127.0.0.1:8131' } }), /needs a token/);
    const found = await discoverAgent({ env: { SERVICE_API_URL: 'https://agent.example/', SERVICE_TOKEN: 't' } });
    assert.deepEqual([found.baseUrl, found.token], ['https://agent.example', 't']);
  });
});

function scratch(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'weft-client-'));
  mkdirSync(path, { recursive: true });
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

/** What `SERVICE_HOME` and `HOME` name, with a runtime file in each. */
function twoHomes(first: string, second: string) {
  const home = scratch();
  mkdirSync(join(home.path, '.weft'));
  writeFileSync(join(home.path, 'runtime.json'), first);
  writeFileSync(join(home.path, '.weft', 'runtime.json'), second);
  return { env: { SERVICE_HOME: home.path, HOME: home.path }, [Symbol.dispose]: () => home[Symbol.dispose]() };
}

/** A server on a port that a runtime file names, and what it was sent. */
async function startSquatter(answer: (nonce: string, response: ServerResponse) => void) {
  const seen: string[] = [];
  const server = await serveOnLoopback((request, response) => {
    seen.push(JSON.stringify([request.url, request.headers]));
    answer(new URL(request.url ?? '', 'http://127.0.0.1').searchParams.get('nonce') ?? '', response);
  });
  const baseUrl = server.origin;
  return {
    ...server,
    seen,
    /** The text of a runtime file that names it. */
    runtime: JSON.stringify({ base_url: baseUrl, token: 'wlt_precious', instance_id: 'i', probe_secret: 's' }),
    /** The answer of the agent that wrote the file. */
    proofOf: (nonce: string) =>
      JSON.stringify({ proof: createHmac('sha256', 's').update(['weft-probe-1', 'i', baseUrl, nonce].join('\0')).digest('base64url') }),
  };
}

async function startSite(options: { readonly isSilent?: boolean } = {}) {
  return await serveOnLoopback((_request, response) => {
    if (!options.isSilent) response.writeHead(200, { 'content-type': 'text/html' }).end('<title>x</title><p>Some text on a page.');
  });
}
