import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { writeDraft } from './draft.ts';

const SAMPLE_BYTES = 65_536;

async function* pieces(content: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.byteLength; at += size) yield content.subarray(at, at + size);
}

test('a content of any length is written whole, and compressed where that helps', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-draft-'));
  try {
    let number = 0;
    for (const bytes of [0, 1, 1000, SAMPLE_BYTES - 1, SAMPLE_BYTES, SAMPLE_BYTES + 1, 3 * SAMPLE_BYTES])
      for (const content of [Buffer.alloc(bytes, 'kettle '), randomBytes(bytes)])
        for (const size of [997, 1_000_000]) {
          const draft = await writeDraft(join(folder, String(number++)), pieces(content, size));
          const stored = readFileSync(draft.path);
          assert.deepEqual(draft.encoding === 'zstd' ? zstdDecompressSync(stored) : stored, content);
          assert.deepEqual([draft.bytes, draft.storedBytes], [bytes, stored.byteLength]);
          assert.equal(draft.hash, createHash('sha256').update(content).digest('hex'));
          if (bytes >= 1000) assert.equal(draft.encoding, content.subarray(0, 7).equals(Buffer.from('kettle ')) ? 'zstd' : 'identity');
        }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
