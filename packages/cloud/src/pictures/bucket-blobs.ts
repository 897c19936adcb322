// Blobs as objects of a bucket that speaks S3. An operator's address: no gate stands before it.
import { AwsClient } from 'aws4fetch';
import type { BlobStore } from '@weft/engine';
import type { BlobPlace } from '../config.ts';

type Bucket = Extract<BlobPlace, { readonly kind: 's3' }>;

const ANSWER_MS = 20_000;

/** Throws for each call that the bucket refuses, with its status. */
export function bucketBlobs({ url, region, accessKeyId, secretAccessKey }: Bucket): BlobStore {
  // Retries of its own would wait for minutes.
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 2 });
  const ask = async (method: 'PUT' | 'GET' | 'DELETE', key: string, body?: Uint8Array) => {
    const response = await client.fetch(`${url}/${key}`, {
      method,
      signal: AbortSignal.timeout(ANSWER_MS),
      redirect: 'error',
      ...(body
        ? { body: Buffer.from(body), headers: { 'content-type': 'application/octet-stream', 'content-length': String(body.byteLength) } }
        : {}),
    });
    if (response.ok) return response;
    await response.body?.cancel();
    if (response.status === 404) return undefined;
    throw new Error(`The bucket of pictures answered ${response.status} to ${method}.`);
  };
  return {
    async put(key, bytes) {
      const response = await ask('PUT', key, bytes);
      if (!response) throw new Error('The bucket of pictures does not exist: it answered 404 to PUT.');
      await response.arrayBuffer();
    },
    async get(key) {
      const response = await ask('GET', key);
      return response && new Uint8Array(await response.arrayBuffer());
    },
    async delete(keys) {
      for (const key of keys) await (await ask('DELETE', key))?.arrayBuffer();
    },
  };
}
