import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { ServerEvent } from '@weft/contract';
import { eventStream, formatEvent } from './events.ts';

const never = { signal: new AbortController().signal, onEnd: () => undefined };

test('an event is its id and one line of data, whatever the data holds (F71)', () => {
  const data = { text: 'a\nb\r\nc\u2028d\ndata: e\n\nid: 9' };
  const text = formatEvent({ id: 7, data });
  const [idLine, dataLine, ...rest] = text.split('\n');
  assert.equal(idLine, 'id: 7');
  assert.deepEqual(JSON.parse(dataLine?.slice('data: '.length) ?? ''), data);
  assert.deepEqual(rest, ['', '']);
});

test('an event of a megabyte is still one event', () => {
  const data = 'x'.repeat(1_000_000);
  assert.equal(formatEvent({ data }), `data: ${JSON.stringify(data)}\n\n`);
});

test('no event is asked for before the reader took the last one', async () => {
  let asked = 0;
  async function* endless(): AsyncGenerator<ServerEvent> {
    for (;;) yield { data: asked++ };
  }
  const reader = eventStream(endless(), { ...never, keepAliveMs: 1000 }).getReader();
  for (let i = 1; i <= 3; i++) {
    await reader.read();
    assert.equal(asked, i);
  }
  await reader.cancel();
});

test('an idle stream carries a comment, and an event that comes later', async () => {
  const { promise, resolve } = Promise.withResolvers<ServerEvent>();
  async function* late(): AsyncGenerator<ServerEvent> {
    yield await promise;
  }
  const reader = eventStream(late(), { ...never, keepAliveMs: 1 }).getReader();
  const read = async () => new TextDecoder().decode((await reader.read()).value);
  assert.equal(await read(), ':\n\n');
  resolve({ data: 1 });
  let text = await read();
  while (text === ':\n\n') text = await read();
  assert.equal(text, 'data: 1\n\n');
  await reader.cancel();
});

test('a source that breaks while its reader rests takes nothing else with it (F10)', async () => {
  const broken = Promise.withResolvers<ServerEvent>();
  async function* breaksLater(): AsyncGenerator<ServerEvent> {
    yield await broken.promise;
  }
  const reader = eventStream(breaksLater(), { ...never, keepAliveMs: 1 }).getReader();
  await reader.read();
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', onUnhandled);
  broken.reject(new Error('the source broke'));
  // Unhandled rejections are told after the microtasks of a turn.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  process.off('unhandledRejection', onUnhandled);
  assert.deepEqual(unhandled, []);
  await assert.rejects(reader.read(), /the source broke/);
});

test('the signal ends a stream that waits', async () => {
  const end = new AbortController();
  async function* silent(): AsyncGenerator<ServerEvent> {
    yield { data: await once(end.signal, 'abort') };
  }
  const reader = eventStream(silent(), { ...never, signal: end.signal, keepAliveMs: 10_000 }).getReader();
  const read = reader.read();
  end.abort();
  assert.equal((await read).done, true);
});
