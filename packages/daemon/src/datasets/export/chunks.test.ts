import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inChunks } from './chunks.ts';

const PIECE_CHARS = 65_536;

for (const [name, texts] of [
  ['nothing', []],
  ['one short text', ['a']],
  ['many short texts', Array.from({ length: 9000 }, (_, i) => `row ${i}\n`)],
  ['a text of megabytes between short ones', ['head', 'x'.repeat(3_000_000), 'tail']],
  ['characters of two halves at every boundary', ['', 'a', 'ab'].map((lead) => lead + '\u{1f4da}'.repeat(200_000))],
  ['texts as long as a piece', ['x'.repeat(PIECE_CHARS), 'y'.repeat(PIECE_CHARS)]],
] as const)
  test(`attack 3: ${name} is the same in pieces, none of which is large`, async () => {
    const pieces = await Array.fromAsync(inChunks(texts));
    assert.equal(Buffer.concat(pieces).toString(), texts.join(''));
    // The longest characters take two bytes for each half.
    for (const { byteLength } of pieces) assert.ok(byteLength > 0 && byteLength <= 2 * PIECE_CHARS + 2, `${byteLength}`);
  });
