// Where bytes are kept under a key: the port that folders, databases and buckets implement. One suite (tests/store/blob-store-suite.ts) holds for all.

/** Contents by key. A key is 1 to 200 of `[a-z0-9/_-]` and never has two contents: what is put again is the same. */
export interface BlobStore {
  /** Keeps `bytes`; whoever reads the key afterwards has them whole. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Undefined where there are none. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** Deletes what is there of these keys. */
  delete(keys: readonly string[]): Promise<void>;
}
