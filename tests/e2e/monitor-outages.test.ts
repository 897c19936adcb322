// Monitors whose sites are down: what they are told as, and that others do not wait for them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Check, Monitor, Run } from '@weft/contract';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { startFailingHosts } from '../sites/failing-hosts.ts';
import type { Failing } from '../sites/failing-hosts.ts';
import { serveOnLoopback } from '../sites/on-loopback.ts';
import { until } from '../until.ts';

const PLACES = 8;

describe('monitors of sites that are down', () => {
  for (const [failing, failure] of [
    ['refused', 'connect'],
    ['reset', 'connect'],
    ['500', 'server_error'],
  ] as readonly (readonly [Failing, string])[])
    test(`a site that fails with its robots.txt is down, and forbids nothing: ${failing}`, async () => {
      await using agent = await startTestAgent();
      const [host] = await startFailingHosts(1, () => '<p>a</p>');
      assert.ok(host);
      await using _host = host;
      await host.set(failing);
      const monitor = await post<Monitor>(agent, '/v1/monitors', { url: `${host.origin}/`, active: false });
      const run = await post<Run>(agent, `/v1/monitors/${monitor.id}/run?wait=true`, {});
      const { output } = await call<{ output: Check }>(agent, 'GET', `/v1/runs/${run.id}/results`);
      assert.deepEqual([output.state, output.failure], ['error', failure]);
    });

  test('T27 connections and servers that fail are told apart, end with the first good check, and leave what is known as it is', async () => {
    await using agent = await startTestAgent();
    const [host] = await startFailingHosts(1, () => '<p>a</p>');
    assert.ok(host);
    await using _host = host;
    const monitor = await post<Monitor>(agent, '/v1/monitors', { url: `${host.origin}/`, active: false });
    const seen: unknown[] = [];
    for (const failing of [undefined, 'refused', undefined, '500', undefined] as const) {
      await host.set(failing);
      const run = await post<Run>(agent, `/v1/monitors/${monitor.id}/run?wait=true`, {});
      const { output } = await call<{ output: Check }>(agent, 'GET', `/v1/runs/${run.id}/results`);
      const { values } = await call<Monitor>(agent, 'GET', `/v1/monitors/${monitor.id}`);
      seen.push([output.verdict, output.state, output.failure, output.changes.length, values]);
    }
    const known = (seen[0] as readonly unknown[])[4];
    assert.deepEqual(seen, [
      ['first', 'ok', undefined, 0, known],
      ['trouble', 'error', 'connect', 0, known],
      ['unchanged', 'ok', undefined, 0, known],
      ['trouble', 'error', 'server_error', 0, known],
      ['unchanged', 'ok', undefined, 0, known],
    ]);
  });

  test('checks whose hosts are silent give their places to others', async () => {
    await using agent = await startTestAgent();
    await using well = await serveOnLoopback((_request, response) => void response.end('<p>a</p>'));
    const asked: string[] = [];
    const silent = await Promise.all(
      Array.from({ length: PLACES }, async () => await serveOnLoopback(({ url = '' }) => void asked.push(url))),
    );
    await using stack = new AsyncDisposableStack();
    for (const server of silent) stack.use(server);
    const add = async (url: string) => await post<Monitor>(agent, '/v1/monitors', { url, active: false, respect_robots: false });
    for (const { url } of silent) await post(agent, `/v1/monitors/${(await add(url)).id}/run`, {});
    await until(() => asked.length === PLACES);
    const answer = post<Run>(agent, `/v1/monitors/${(await add(well.url)).id}/run?wait=true`, {});
    agent.clock.advance(3000);
    assert.equal((await answer).status, 'succeeded');
  });
});

async function post<T>(agent: TestAgent, path: string, body: object): Promise<T> {
  return await call<T>(agent, 'POST', path, body);
}

async function call<T>(agent: TestAgent, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${agent.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${agent.token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  assert.ok(response.ok, await response.clone().text());
  return (await response.json()) as T;
}
