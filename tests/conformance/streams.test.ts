// Callers that leave and callers that meet an error, while others go on (F10, F12).
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { suite, test } from 'node:test';
import type { Run } from '@weft/contract';
import type { Listener } from '@weft/serve';
import { listen } from '@weft/serve';
import { createRunNotifier } from '../../packages/daemon/src/runs/notifier.ts';
import { createRuns } from '../../packages/daemon/src/runs/run.ts';
import { createRunStore } from '../../packages/daemon/src/runs/store.ts';
import { rawRequest, requestText } from '../raw-request.ts';
import { until } from '../until.ts';
import type { KernelAgent } from './kernel.ts';
import { silentFetcher, startKernelAgent } from './kernel.ts';
import { STUCK_URL } from './ways.ts';

/** Short, because callers that never read would be waited for. */
const GRACE_MS = 200;

/** An agent with a listener, whose streams can be counted, and a run that does not end by itself. */
async function startServed() {
  const agent = await startKernelAgent({ fetcher: silentFetcher });
  const listener = await listen(agent.services.kernel, { port: 0 });
  const { id } = (await agent.json('POST', '/v1/crawl', { url: STUCK_URL, limit: 1 })).body as Run;
  return {
    agent,
    listener,
    runId: id,
    async [Symbol.asyncDispose]() {
      agent.services.streams.endAll();
      await listener.close(GRACE_MS);
      await agent[Symbol.asyncDispose]();
    },
  };
}

function headersOf(agent: KernelAgent, listener: Listener): readonly string[] {
  return [`Host: ${listener.own.host}`, `Authorization: Bearer ${agent.token}`];
}

function getRaw(agent: KernelAgent, listener: Listener, target: string) {
  return rawRequest(listener.port, requestText({ target, headers: headersOf(agent, listener) }));
}

suite('F10 an error inside the agent', () => {
  test('of a handler is a 500 of that request alone, logged with its id and hidden from its caller', async () => {
    await using served = await startServed();
    const { agent, listener } = served;
    agent.database.fast.exec('ALTER TABLE api_key RENAME TO away');
    const [broken, ...others] = await Promise.all(
      ['/v1/keys', '/v1/agent', '/v1/runs', `/v1/runs/${served.runId}`].map((path) => getRaw(agent, listener, path)),
    );
    assert.deepEqual([broken?.status, ...others.map(({ status }) => status)], [500, 200, 200, 200]);
    assert.doesNotMatch(broken?.body ?? '', /api_key|SQLITE|no such table/);
    const line = agent.logged.map(([entry]) => entry as { requestId: string; error: Error });
    assert.deepEqual(
      line.map(({ requestId, error }) => [requestId, /api_key/.test(error.message)]),
      [[broken?.headers['x-request-id'], true]],
    );
  });

  test('of an event source cuts that stream off and is logged; the agent and its runs go on', async () => {
    await using served = await startServed();
    const { agent, listener, runId } = served;
    const socket = await openStream(agent, listener, runId);
    const closed = once(socket, 'close');
    await until(() => agent.services.streams.count() === 1);
    agent.database.fast.exec('ALTER TABLE run_event RENAME TO away');
    const late = await getRaw(agent, listener, `/v1/runs/${runId}/events`);
    assert.doesNotMatch(late.body, /finished/);
    assert.equal((await getRaw(agent, listener, '/v1/agent')).status, 200);
    agent.database.fast.exec('ALTER TABLE away RENAME TO run_event');
    assert.equal(agent.logged.length, 1);
    assert.equal((await agent.json('POST', `/v1/runs/${runId}/cancel`)).status, 200);
    await closed;
    assert.equal(agent.services.streams.count(), 0);
  });
});

suite('F12 callers that leave', () => {
  const TIMES = 500;

  test(`while they wait for a run leave it running and nothing behind, ${TIMES} times`, async () => {
    await using served = await startServed();
    const { agent, listener } = served;
    const { streams } = agent.services;
    for (let i = 1; i <= TIMES; i++) {
      agent.clock.advance(1000);
      const socket = await openWait(agent, listener, `${STUCK_URL}/${i}`);
      await until(() => streams.count() === 1);
      socket.destroy();
      await until(() => streams.count() === 0);
    }
    const live = agent.database.fast.prepare(`SELECT count(*) AS n FROM run WHERE status IN ('queued', 'running')`).get();
    assert.deepEqual({ ...live }, { n: TIMES + 1 });
    assert.deepEqual(agent.logged, []);
  });

  test(`leave no listener behind where they waited, ${TIMES} times`, async () => {
    await using served = await startServed();
    const notifier = createRunNotifier();
    const runs = createRuns({ store: createRunStore(served.agent.database), notifier, clock: served.agent.clock });
    const callers = Array.from({ length: TIMES }, () => new AbortController());
    const waiting = callers.map(({ signal }) => runs.wait(served.runId, 3_600_000, signal));
    assert.equal(notifier.count(), TIMES);
    for (const caller of callers) caller.abort();
    assert.ok((await Promise.all(waiting)).every(({ status }) => status === 'running'));
    assert.equal(notifier.count(), 0);
  });

  test('attack 23: in the middle of their body are no fault of the agent', async () => {
    await using served = await startServed();
    const { agent, listener } = served;
    for (let i = 0; i < 20; i++) {
      const headers = [...headersOf(agent, listener), 'Content-Type: application/json', 'Content-Length: 1000'];
      const socket = await open(listener.port, requestText({ method: 'POST', target: '/v1/crawl', headers, body: '{"url": ' }));
      // Answered after the body before it was taken in: by then that request is under way.
      assert.equal((await getRaw(agent, listener, '/v1/agent')).status, 200);
      socket.destroy();
      await once(socket, 'close');
    }
    assert.equal((await getRaw(agent, listener, '/v1/agent')).status, 200);
    assert.deepEqual(agent.logged, []);
  });

  test('before their stream begins leave none behind', async () => {
    await using served = await startServed();
    const { agent, listener, runId } = served;
    for (let i = 0; i < 50; i++) (await openStream(agent, listener, runId)).destroy();
    assert.equal((await getRaw(agent, listener, '/v1/agent')).status, 200);
    await until(() => agent.services.streams.count() === 0);
  });
});

/** A connection on which the events of a run were asked for. */
async function openStream(agent: KernelAgent, listener: Listener, runId: number): Promise<Socket> {
  const socket = await open(listener.port, requestText({ target: `/v1/runs/${runId}/events`, headers: headersOf(agent, listener) }));
  socket.resume();
  return socket;
}

async function openWait(agent: KernelAgent, listener: Listener, url: string): Promise<Socket> {
  const body = JSON.stringify({ url, limit: 1, wait: true });
  const headers = [...headersOf(agent, listener), 'Content-Type: application/json', `Content-Length: ${body.length}`];
  return await open(listener.port, requestText({ method: 'POST', target: '/v1/crawl', headers, body }));
}

async function open(port: number, text: string): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port }).on('error', () => undefined);
  await once(socket, 'connect');
  await new Promise((resolve) => socket.write(text, resolve));
  return socket;
}
