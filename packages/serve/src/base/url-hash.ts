// What addresses are found by in an index.
import { hash } from 'node:crypto';

const HASH_BYTES = 16;
const FOLDER_BYTES = 4;
let lastFolder: { readonly url: string; readonly hash: Uint8Array } = { url: '', hash: new Uint8Array(FOLDER_BYTES) };

/**
 * 16 bytes that stand for an identity, a key or an address: half the index, and no collision in one folder before 2^48 addresses. Those of
 * one folder begin alike, so that the links of a page, which are mostly neighbours, are written to few places of the index.
 * They are stored: another form needs a migration that hashes the addresses of live crawls anew.
 */
export function urlHash(url: string): Uint8Array {
  const short = hash('sha256', url, 'buffer').subarray(0, HASH_BYTES);
  const folder = url.slice(0, url.lastIndexOf('/'));
  if (folder !== lastFolder.url) lastFolder = { url: folder, hash: hash('sha256', folder, 'buffer').subarray(0, FOLDER_BYTES) };
  short.set(lastFolder.hash);
  return short;
}
