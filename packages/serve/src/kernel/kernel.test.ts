import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { formatToken } from '@weft/contract';
import type { JsonParts, Operation, ServerEvent } from '@weft/contract';
import { z } from 'zod';
import { kernelOf, callKernel } from '../../../../tests/conformance/kernel.ts';
import { createStreamRegistry } from './streams.ts';

const STREAM: Operation = {
  id: 'test.row',
  method: 'GET',
  path: '/v1/test',
  summary: 'a stream',
  scopes: ['read'],
  replies: { 200: { description: 'events', content: { 'text/event-stream': 'events' } } },
};

/** A source of events that says whether it was closed. */
function source(events: () => AsyncGenerator<ServerEvent>) {
  const state = { isClosed: false };
  async function* watched() {
    try {
      yield* events();
    } finally {
      state.isClosed = true;
    }
  }
  return { state, body: watched() };
}

async function* three(): AsyncGenerator<ServerEvent> {
  for (let id = 1; id <= 3; id++) yield { id, data: { id } };
}

async function* failing(): AsyncGenerator<ServerEvent> {
  yield { id: 1, data: {} };
  throw new Error('the source broke');
}

suite('streams of a kernel', () => {
  const call = { target: '/v1/test', token: formatToken('wlt', 'A'.repeat(43)) };

  test('an event stream that was read to its end is forgotten', async () => {
    const streams = createStreamRegistry();
    const kernel = kernelOf(STREAM, () => ({ status: 200, type: 'text/event-stream', body: three() }), { streams });
    const response = await callKernel(kernel, call);
    assert.equal(streams.count(), 1);
    assert.equal((await response.text()).split('\n\n').length, 4);
    assert.equal(streams.count(), 0);
  });

  test('an event stream whose reader leaves is closed and forgotten', async () => {
    const streams = createStreamRegistry();
    const { state, body } = source(three);
    const kernel = kernelOf(STREAM, () => ({ status: 200, type: 'text/event-stream', body }), { streams });
    const reader = (await callKernel(kernel, call)).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    assert.deepEqual([state.isClosed, streams.count()], [true, 0]);
  });

  test('a source that breaks ends its own stream alone, and is forgotten', async () => {
    const streams = createStreamRegistry();
    const kernel = kernelOf(STREAM, () => ({ status: 200, type: 'text/event-stream', body: failing() }), { streams });
    await assert.rejects((await callKernel(kernel, call)).text(), /the source broke/);
    assert.equal(streams.count(), 0);
  });

  test('HEAD of an event stream closes its source', async () => {
    const streams = createStreamRegistry();
    const { state, body } = source(three);
    const kernel = kernelOf(STREAM, () => ({ status: 200, type: 'text/event-stream', body }), { streams });
    const response = await callKernel(kernel, { ...call, method: 'HEAD' });
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    assert.deepEqual([response.body, streams.count()], [null, 0]);
    assert.equal(state.isClosed, false, 'a source that was never asked has nothing to close');
  });

  test('a handler that throws leaves no stream behind', async () => {
    const streams = createStreamRegistry();
    const kernel = kernelOf(
      STREAM,
      () => {
        throw new Error('the handler broke');
      },
      { streams },
    );
    const response = await callKernel(kernel, call);
    assert.equal(response.status, 500);
    assert.doesNotMatch(await response.text(), /the handler broke/);
    assert.equal(streams.count(), 0);
  });

  test('a handler that answers what its row does not declare leaves no stream behind', async () => {
    const streams = createStreamRegistry();
    const kernel = kernelOf(STREAM, () => ({ status: 418 }), { streams });
    assert.equal((await callKernel(kernel, call)).status, 500);
    assert.equal(streams.count(), 0);
  });
});

const LIST: Operation = {
  ...STREAM,
  replies: {
    200: {
      description: 'a list',
      content: { 'application/json': z.strictObject({ count: z.int(), data: z.array(z.strictObject({ text: z.string() })) }) },
    },
  },
};

suite('attack 3: answers that carry many records', () => {
  const call = { target: '/v1/test', token: formatToken('wlt', 'A'.repeat(43)) };
  const RECORD_BYTES = 200_000;
  const PART_BYTES_MIN = 65_536;

  /** A list of ten records of ten parts or more each, and how many bytes of them were read so far. */
  function tenRecords() {
    const state = { read: 0 };
    const record: JsonParts = function* parts(bytesMax) {
      yield '{"text":"';
      for (let at = 0; at < RECORD_BYTES;) {
        const length = Math.min(bytesMax(), RECORD_BYTES - at);
        at += length;
        state.read += length;
        yield Buffer.alloc(length, 'x');
      }
      yield '"}';
    };
    return { state, reply: () => ({ status: 200, body: { count: 10, data: [] }, items: Array.from({ length: 10 }, () => record) }) };
  }

  test('are made as they are read, and are whole in the end', async () => {
    const { state, reply } = tenRecords();
    const response = await callKernel(kernelOf(LIST, reply), call);
    assert.ok(state.read <= RECORD_BYTES, `${state.read} bytes were read for a reader that took none`);
    assert.deepEqual(await response.json(), { count: 10, data: Array.from({ length: 10 }, () => ({ text: 'x'.repeat(RECORD_BYTES) })) });
  });

  test('are empty lists where there is nothing', async () => {
    const kernel = kernelOf(LIST, () => ({ status: 200, body: { count: 0, data: [] }, items: [] }));
    assert.deepEqual(await (await callKernel(kernel, call)).json(), { count: 0, data: [] });
  });

  test('are cut off, not sent wrong, where a record is gone before it was sent', async () => {
    const lines: unknown[] = [];
    const gone: JsonParts = function* parts() {
      yield '{"text":"';
      throw new Error('gone');
    };
    const kernel = kernelOf(
      LIST,
      () => ({ status: 200, body: { count: 2, data: [] }, items: [() => [`{"text":"${'a'.repeat(70_000)}"}`], gone] }),
      {
        log: ({ error }) => void (error && lines.push(error)),
      },
    );
    await assert.rejects((await callKernel(kernel, call)).text(), /gone/);
    assert.equal(lines.length, 1);
  });

  test('hold a small part for each of fifty readers that read nothing, and keep nobody else waiting', async () => {
    const { state, reply } = tenRecords();
    const kernel = kernelOf(LIST, reply, { heldBytesMax: 500_000 });
    const stopped = await Promise.all(Array.from({ length: 50 }, () => callKernel(kernel, call)));
    for (let turn = 0; turn < 50; turn++) await nextTurn();
    // The first ones found more room.
    assert.ok(state.read <= 10 * RECORD_BYTES + 40 * PART_BYTES_MIN, `${state.read} bytes were read`);
    const { data } = (await (await callKernel(kernel, call)).json()) as { data: unknown[] };
    assert.equal(data.length, 10);
    const bodies = await Promise.all(stopped.map(async (response) => ((await response.json()) as { data: unknown[] }).data.length));
    assert.deepEqual(new Set(bodies), new Set([10]));
  });

  test('free what they held when their readers leave', async () => {
    const { reply } = tenRecords();
    const streams = createStreamRegistry();
    const kernel = kernelOf(LIST, reply, { heldBytesMax: 100_000, streams });
    for (let i = 0; i < 5; i++) {
      const reader = (await callKernel(kernel, call)).body?.getReader();
      await reader?.read();
      await reader?.cancel();
    }
    await callKernel(kernel, { ...call, method: 'HEAD' });
    assert.equal(streams.count(), 0);
    assert.equal(((await (await callKernel(kernel, call)).json()) as { data: unknown[] }).data.length, 10);
  });
});
