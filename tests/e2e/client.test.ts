import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { DAEMON_TABLE, EXTRA_TABLE } from '@weft/contract';
import { DiscoveryError, RunWaitTimeoutError, createClient, discoverAgent } from '@weft/client/node';
import { startTestAgent } from '../agent.ts';

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
    using home = scratch();
    const seen: string[] = [];
    const squatter = createServer((request, response) => {
      seen.push(JSON.stringify([request.url, request.headers]));
      response.end('{"instance_id":"i","proof":"x"}');
    });
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
    const runtime = {
      base_url: `http://127.0.0.1:${(squatter.address() as AddressInfo).port}`,
      token: 'wlt_precious',
      instance_id: 'i',
      probe_secret: 's',
    };
    writeFileSync(join(home.path, 'runtime.json'), JSON.stringify(runtime));
    await assert.rejects(
      discoverAgent({ env: { SERVICE_HOME: home.path, HOME: '/nowhere' } }),
      /does not answer as the agent that wrote it/,
    );
    squatter.close();
    assert.equal(seen.length, 1);
    assert.doesNotMatch(seen.join(), /wlt_precious/);
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

async function startSite(options: { readonly isSilent?: boolean } = {}) {
  const server = createServer((_request, response) => {
    if (!options.isSilent) response.writeHead(200, { 'content-type': 'text/html' }).end('<title>x</title><p>Some text on a page.');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
