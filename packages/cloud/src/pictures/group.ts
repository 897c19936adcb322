// What pictures of pages add to the cloud.
import { join } from 'node:path';
import type { BlobStore } from '@weft/engine';
import type { BlobPlace } from '../config.ts';
import type { Database } from '../db/queries.ts';
import type { Group } from '../group.ts';
import { bucketBlobs } from './bucket-blobs.ts';
import { databaseBlobs } from './database-blobs.ts';
import { fileBlobs } from './file-blobs.ts';
import { pictureHandlers } from './handlers.ts';
import { createPictures } from './picture.ts';
import type { Pictures } from './picture.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly pictures: Pictures;
  }
}

export const group: Group = {
  nouns: {
    pictures: ({ database, config, clock, secrets, baseUrl }) =>
      createPictures({
        database,
        blobs: blobsOf(config.blobs, join(config.home, 'pictures'), database),
        clock,
        secret: secrets.pictures,
        baseUrl,
      }),
  },
  account: ({ pictures }) => ({ pictures: pictureHandlers(pictures) }),
  upkeep: ({ pictures }) => pictures.prune(),
  forget: ({ pictures }, accountId) => pictures.forget(accountId),
};

function blobsOf(place: BlobPlace, folder: string, database: Database): BlobStore {
  if (place.kind === 's3') return bucketBlobs(place);
  return place.kind === 'database' ? databaseBlobs(database) : fileBlobs(folder);
}
