// Blobs as rows, for who has a database and nothing else that all processes reach.
import type { BlobStore } from '@weft/engine';
import type { Queries } from '../db/queries.ts';

export function databaseBlobs({ rows, find }: Queries): BlobStore {
  return {
    async put(key, bytes) {
      await rows('INSERT INTO blob_content (key, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING', [key, bytes]);
    },
    get: async (key) => (await find<{ bytes: Buffer }>('SELECT bytes FROM blob_content WHERE key = $1', [key]))?.bytes,
    async delete(keys) {
      await rows('DELETE FROM blob_content WHERE key = ANY($1)', [keys]);
    },
  };
}
