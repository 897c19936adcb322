import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBody } from './body.ts';
import { TransportError } from './errors.ts';

async function* parts(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

test('a body is what arrived, in one piece', async () => {
  assert.equal(Buffer.from(await readBody(parts('a', 'bc', ''), 3)).toString(), 'abc');
});

test('a body that passes the limit is refused at that byte', async () => {
  await assert.rejects(readBody(parts('abc', 'd'), 3), (error) => error instanceof TransportError && error.status === 413);
});

test('F23 a body that stops arriving is refused when its time is over', async () => {
  async function* stuck(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('a');
    await new Promise(() => undefined);
  }
  await assert.rejects(readBody(stuck(), 3, 1), (error) => error instanceof TransportError && error.status === 408);
});
