import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import S3rver from 's3rver';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { bucketBlobs } from '../../packages/cloud/src/pictures/bucket-blobs.ts';
import { databaseBlobs } from '../../packages/cloud/src/pictures/database-blobs.ts';
import { fileBlobs } from '../../packages/cloud/src/pictures/file-blobs.ts';
import { testDatabase } from '../cloud.ts';
import type { TestDatabase } from '../cloud.ts';
import { blobStoreSuite } from './blob-store-suite.ts';

suite('places of blobs', { timeout: 600_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-blobs-'));
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: join(folder, 's3'),
    configureBuckets: [{ name: 'pictures', configs: [] }],
  });
  let data: TestDatabase;
  let database: Database;
  let bucketUrl = '';
  const bucket = (name = 'pictures') =>
    bucketBlobs({ kind: 's3', url: `${bucketUrl}/${name}`, region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' });

  before(async () => {
    data = await testDatabase();
    database = await openDatabase(data.url);
    await server.run();
    bucketUrl = `http://127.0.0.1:${(server.httpServer.address() as AddressInfo).port}`;
  });
  after(async () => {
    server.httpServer.closeAllConnections();
    server.httpServer.close();
    await once(server.httpServer, 'close');
    await database.close();
    await data[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  blobStoreSuite('folder', async () => fileBlobs(join(folder, 'files')));
  blobStoreSuite('PostgreSQL', async () => databaseBlobs(database));
  blobStoreSuite('S3', async () => bucket());

  test('says that a bucket is not there', async () => {
    await assert.rejects(bucket('nowhere').put('ab12', Buffer.from('x')), /does not exist/);
  });
});
