// Readers of event streams and sockets that never read (F11): what they cost is bounded, they are cut off, and others go on.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { suite, test } from 'node:test';
import { attachWebSocket, listen } from '@weft/serve';
import { createDatasetStore } from '../../packages/daemon/src/datasets/store.ts';
import { createDatasetWriter } from '../../packages/daemon/src/datasets/writer.ts';
import type { RunNotifier } from '../../packages/daemon/src/runs/notifier.ts';
import { createRunNotifier } from '../../packages/daemon/src/runs/notifier.ts';
import type { Runs } from '../../packages/daemon/src/runs/run.ts';
import { createRuns } from '../../packages/daemon/src/runs/run.ts';
import { createRunStore } from '../../packages/daemon/src/runs/store.ts';
import { serveRunEvents } from '../../packages/daemon/src/ws-ticket/topics.ts';
import { requestText } from '../raw-request.ts';
import { openRawWebSocket } from '../raw-websocket.ts';
import { until } from '../until.ts';
import { silentFetcher, startKernelAgent } from './kernel.ts';
import { STUCK_URL } from './ways.ts';

const GRACE_MS = 200;
/** Long enough that a reader who reads is never taken for a deaf one. */
const STALLED_MS = 1000;
/** What Node keeps of an answer before it asks its source to wait. */
const NODE_BUFFER_BYTES = 64 * 1024;
/** More than the system keeps for a connection of which nothing is read. */
const LOG_BYTES = 16 * 1024 * 1024;
const EVENT_BYTES = 32 * 1024;
/** More than the system keeps for a connection, many times over. */
const RECORD_BYTES = 24_000_000;
const DEAF_READERS = 20;
/** The largest part of a record that goes out at once. */
const PART_BYTES_MAX = 1024 * 1024;

/** An agent with a run that does not end by itself, and what its listener holds for each answer. */
async function startServed() {
  // Requests are counted; time passes so quickly that none is refused.
  let nowMs = 0;
  const agent = await startKernelAgent({ fetcher: silentFetcher, monotonicMs: () => (nowMs += 1000) });
  const listener = await listen(agent.services.kernel, { port: 0, timeouts: { stalledMs: STALLED_MS } });
  const answers: ServerResponse[] = [];
  listener.server.on('request', (_request, response: ServerResponse) => void answers.push(response));
  const { id } = (await agent.json('POST', '/v1/crawl', { url: STUCK_URL, limit: 1 })).body as { id: number };
  const notifier = createRunNotifier();
  const store = createRunStore(agent.database);
  const runs = createRuns({ store, notifier, clock: agent.clock });
  return {
    agent,
    listener,
    runId: id,
    runs,
    notifier,
    /** Number of the run's newest event. */
    lastSeq: () => store.lastSeq(id),
    /** Bytes that wait in this process for their readers. */
    heldBytes: () => answers.reduce((sum, { writableLength }) => sum + writableLength, 0),
    async [Symbol.asyncDispose]() {
      agent.services.streams.endAll();
      await listener.close(GRACE_MS);
      await agent[Symbol.asyncDispose]();
    },
  };
}

type Served = Awaited<ReturnType<typeof startServed>>;

suite('F11 readers of event streams that never read', () => {
  test('a thousand of them hold nothing in the agent, and one who reads gets every event', async () => {
    await using served = await startServed();
    const { agent, runs, runId } = served;
    logText(runs, runId, 20, 200);
    const deaf = await Promise.all(Array.from({ length: 1000 }, () => openDeaf(served, eventsOf(served))));
    await until(() => agent.services.streams.count() === deaf.length);
    assert.equal(await countEvents(served), served.lastSeq() + 1);
    await until(() => served.heldBytes() === 0);
    for (const socket of deaf) socket.destroy();
    await until(() => agent.services.streams.count() === 0);
    assert.deepEqual(agent.logged, []);
  });

  test('a long log waits in the database for them, and they are cut off in the end', async () => {
    await using served = await startServed();
    const { agent, runs, runId } = served;
    logText(runs, runId, LOG_BYTES / EVENT_BYTES, EVENT_BYTES);
    const deaf = await Promise.all(Array.from({ length: 3 }, () => openDeaf(served, eventsOf(served))));
    const cut = deaf.map((socket) => once(socket, 'close'));
    await until(() => agent.services.streams.count() === deaf.length);
    assert.equal(await countEvents(served), served.lastSeq() + 1);
    assert.ok(served.heldBytes() <= deaf.length * (NODE_BUFFER_BYTES + EVENT_BYTES), `${served.heldBytes()} bytes are held`);
    await until(() => agent.services.streams.count() === 0);
    for (const socket of deaf) socket.resume();
    await Promise.all(cut);
    assert.equal((await agent.json('GET', '/v1/agent')).status, 200);
    assert.deepEqual(agent.logged, []);
  });
});

suite('attack 3: readers of many large records that never read', () => {
  test('hold a part each, and who reads is answered with none of them cut off', async () => {
    await using agent = await startKernelAgent({ fetcher: silentFetcher });
    const listener = await listen(agent.services.kernel, { port: 0 });
    const answers: ServerResponse[] = [];
    listener.server.on('request', (_request, response: ServerResponse) => void answers.push(response));
    const writer = createDatasetWriter(createDatasetStore(agent.database));
    const datasetId = writer.ensure({ kind: 'test', id: 1 }, 'large', 0);
    writer.addRecords(datasetId, [{ run_id: 1, key: 'a', created_at: 0, body: { text: 'x'.repeat(RECORD_BYTES) } }]);
    const target = `/v1/datasets/${datasetId}/records`;
    const deaf = await Promise.all(Array.from({ length: DEAF_READERS }, () => openDeaf({ agent, listener }, target)));
    await until(() => answers.length === deaf.length && answers.every(({ writableNeedDrain }) => writableNeedDrain));
    const held = answers.reduce((sum, { writableLength }) => sum + writableLength, 0);
    assert.ok(held <= DEAF_READERS * (PART_BYTES_MAX + NODE_BUFFER_BYTES), `${held} bytes are held`);
    const response = await fetch(`${listener.own.origin}${target}`, { headers: { authorization: `Bearer ${agent.token}` } });
    assert.equal(((await response.json()) as { data: { data: { text: string } }[] }).data[0]?.data.text.length, RECORD_BYTES);
    assert.ok(answers.slice(0, -1).every(({ destroyed }) => !destroyed));
    for (const socket of deaf) socket.destroy();
    await listener.close(GRACE_MS);
  });
});

suite('F11 readers of the socket that never read', () => {
  test('one is dropped once four megabytes wait for it; another gets every event', async () => {
    await using served = await startServed();
    const { runs, runId, notifier, agent } = served;
    const open = serveSockets(served, notifier);
    await using deaf = await open();
    deaf.socket.pause();
    await using hearing = await open();
    await until(() => notifier.count() === 2);
    const hearNext = async () => {
      logText(runs, runId, 1, EVENT_BYTES);
      assert.match(String((await hearing.read())?.payload), new RegExp(`^.{1,60}"seq":${served.lastSeq()},`));
    };
    for (let sent = 0; notifier.count() === 2; sent += EVENT_BYTES) {
      assert.ok(sent < LOG_BYTES, `${sent} bytes were taken for a reader that never reads`);
      await hearNext();
    }
    await hearNext();
    assert.equal(agent.services.streams.count(), 1);
  });
});

/** Serves the events of these runs, as the agent's own sockets do; the answer opens one more socket. */
function serveSockets({ agent, listener }: Served, notifier: RunNotifier) {
  const store = createRunStore(agent.database);
  attachWebSocket(listener, {
    ...agent.services.sockets,
    serve: (socket, actor, signal) => serveRunEvents(socket, actor, signal, { store, notifier }),
  });
  return async () => {
    const { ticket } = (await agent.json('POST', '/v1/ws-ticket')).body as { ticket: string };
    return await openRawWebSocket(listener.port, { target: `/ws?ticket=${ticket}` });
  };
}

function logText(runs: Runs, runId: number, events: number, bytes: number): void {
  const message = 'x'.repeat(bytes);
  for (let i = 0; i < events; i++) runs.append(runId, { type: 'log', level: 'info', message });
}

const eventsOf = ({ runId }: Served) => `/v1/runs/${runId}/events`;
const headersOf = ({ agent, listener }: Pick<Served, 'agent' | 'listener'>) => [
  `Host: ${listener.own.host}`,
  `Authorization: Bearer ${agent.token}`,
];

/** A connection on which `target` was asked for, and of which nothing is read. */
async function openDeaf(served: Pick<Served, 'agent' | 'listener'>, target: string): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: served.listener.port }).on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(requestText({ target, headers: headersOf(served) }));
  return socket;
}

/** How many events a reader has once it has the newest one: the snapshot and the whole log. */
async function countEvents(served: Served): Promise<number> {
  const socket = await openDeaf(served, eventsOf(served));
  let text = '';
  for await (const chunk of socket.setEncoding('latin1')) {
    text += chunk as string;
    if (text.includes(`\nid: ${served.lastSeq()}\n`) && text.endsWith('\n\n\r\n')) break;
  }
  return text.match(/^data: /gm)?.length ?? 0;
}
