import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { ServerEvent } from '@weft/contract';
import { eventLines, formatEvent } from './events.ts';

const never = new AbortController().signal;

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
  const lines = eventLines(endless(), never, 1000);
  for (let i = 1; i <= 3; i++) {
    await lines.next();
    assert.equal(asked, i);
  }
  await lines.return(undefined);
});

test('an idle stream carries a comment, and an event that comes later', async () => {
  const { promise, resolve } = Promise.withResolvers<ServerEvent>();
  async function* late(): AsyncGenerator<ServerEvent> {
    yield await promise;
  }
  const lines = eventLines(late(), never, 1);
  const read = async () => (await lines.next()).value;
  assert.equal(await read(), ':\n\n');
  resolve({ data: 1 });
  let text = await read();
  while (text === ':\n\n') text = await read();
  assert.equal(text, 'data: 1\n\n');
  await lines.return(undefined);
});

test('a source that breaks while its reader rests takes nothing else with it (F10)', async () => {
  const broken = Promise.withResolvers<ServerEvent>();
  async function* breaksLater(): AsyncGenerator<ServerEvent> {
    yield await broken.promise;
  }
  const lines = eventLines(breaksLater(), never, 1);
  await lines.next();
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', onUnhandled);
  broken.reject(new Error('the source broke'));
  // Unhandled rejections are told after the microtasks of a turn.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  process.off('unhandledRejection', onUnhandled);
  assert.deepEqual(unhandled, []);
  await assert.rejects(lines.next(), /the source broke/);
});

test('the signal ends a stream that waits', async () => {
  const end = new AbortController();
  async function* silent(): AsyncGenerator<ServerEvent> {
    yield { data: await once(end.signal, 'abort') };
  }
  const read = eventLines(silent(), end.signal, 10_000).next();
  end.abort();
  assert.equal((await read).done, true);
});
