import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEventStream } from './sse.ts';

async function read(chunks: readonly string[]) {
  const body = ReadableStream.from(chunks.map((chunk) => new TextEncoder().encode(chunk))) as ReadableStream<Uint8Array>;
  return await Array.fromAsync(readEventStream(body));
}

const CASES: readonly (readonly [
  name: string,
  chunks: readonly string[],
  events: readonly (readonly [id: string | undefined, data: string])[],
])[] = [
  ['one event', ['id: 1\ndata: {"a":1}\n\n'], [['1', '{"a":1}']]],
  ['an event that arrives in pieces', ['id: 1\nda', 'ta: x', '\n', '\n'], [['1', 'x']]],
  ['comments are passed over', [':\n\n', 'data: x\n\n', ': y\n\n'], [[undefined, 'x']]],
  ['several data lines are one text', ['data: a\ndata: b\n\n'], [[undefined, 'a\nb']]],
  [
    'carriage returns end lines too',
    ['data: a\r\n\r\ndata: b\r\n\r\n'],
    [
      [undefined, 'a'],
      [undefined, 'b'],
    ],
  ],
  ['an event cut off at the end is dropped', ['data: a\n\ndata: b\n'], [[undefined, 'a']]],
  [
    'an id stays for the events after it',
    ['id: 4\ndata: a\n\ndata: b\n\n'],
    [
      ['4', 'a'],
      ['4', 'b'],
    ],
  ],
];

for (const [name, chunks, events] of CASES)
  test(`event stream: ${name}`, async () =>
    assert.deepEqual(
      (await read(chunks)).map(({ id, data }) => [id, data]),
      events,
    ));
