import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { formatToken } from '@weft/contract';
import type { Operation, ServerEvent } from '@weft/contract';
import { kernelOf, callKernel } from '../../../tests/conformance/kernel.ts';
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
