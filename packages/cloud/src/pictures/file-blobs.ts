// Blobs as files of a folder, two levels deep: written beside their place, made durable, and moved to it.
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BlobStore } from '@weft/engine';
import { syncFolder } from '@weft/serve';

export function fileBlobs(folder: string): BlobStore {
  const placeOf = (key: string) => join(folder, key.slice(0, 2), key.slice(2).replaceAll('/', '_'));
  return {
    async put(key, bytes) {
      const place = placeOf(key);
      await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      const draft = `${place}.${randomUUID()}`;
      const file = await open(draft, 'wx', 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
        await file.close();
        await rename(draft, place);
        syncFolder(dirname(place));
      } catch (error) {
        await file.close().catch(() => undefined);
        await rm(draft, { force: true });
        throw error;
      }
    },
    async get(key) {
      try {
        return await readFile(placeOf(key));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    async delete(keys) {
      for (const key of keys) await rm(placeOf(key), { force: true });
    },
  };
}
