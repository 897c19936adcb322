// What holds for every place where blobs are kept.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { BlobStore } from '@weft/engine';

const KEY = (n: number) => `${String(n).padStart(2, '0')}${'a1'.repeat(31)}`;

/** Runs the suite on stores that `open` makes. */
export function blobStoreSuite(name: string, open: () => Promise<BlobStore>): void {
  suite(`${name} blob store`, () => {
    test('gives back what was put, byte for byte', async () => {
      const store = await open();
      const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => (i * 31) % 256);
      await store.put(KEY(1), bytes);
      assert.deepEqual(new Uint8Array((await store.get(KEY(1))) ?? []), bytes);
      await store.put(KEY(2), new Uint8Array());
      assert.equal((await store.get(KEY(2)))?.byteLength, 0);
    });

    test('has nothing under a key that was never put', async () => {
      assert.equal(await (await open()).get(KEY(3)), undefined);
    });

    test('takes the same content again, and from many at once', async () => {
      const store = await open();
      const bytes = Buffer.from('the same');
      await Promise.all(Array.from({ length: 8 }, () => store.put(KEY(4), bytes)));
      assert.equal(Buffer.from((await store.get(KEY(4))) ?? []).toString(), 'the same');
    });

    test('deletes what is there of several keys', async () => {
      const store = await open();
      await store.put(KEY(5), Buffer.from('five'));
      await store.delete([KEY(5), KEY(6)]);
      assert.equal(await store.get(KEY(5)), undefined);
    });
  });
}
