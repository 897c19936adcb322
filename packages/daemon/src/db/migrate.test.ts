import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';
import { urlHash } from '@weft/serve';

/** The last schema whose addresses may be hashed without their folder. */
const OLD_SCHEMA = 4;
const oldHash = (text: string) => hash('sha256', text, 'buffer').subarray(0, 16);

interface Address {
  readonly status?: string;
  readonly options?: string;
  readonly url: string;
  readonly identity?: string;
  /** The address that it waits for. */
  readonly canonical?: string;
  readonly canonicalIdentity?: string;
}

const NO_QUERIES = '{"ignore_query_parameters":true}';

suite('an upgrade hashes anew', () => {
  const promises: readonly (readonly [string, Address])[] = [
    ['addresses of a running crawl', { url: 'http://a.test/b/c?d=/e' }],
    ['addresses of a waiting crawl', { status: 'queued', url: 'http://a.test/' }],
    ['addresses whose query is ignored', { options: NO_QUERIES, url: 'http://a.test/b?d=/e', identity: 'http://a.test/b' }],
    ['addresses without a query to ignore', { options: NO_QUERIES, url: 'http://a.test/b' }],
    ['what waits for its canonical address', { url: 'http://a.test/p/b', canonical: 'http://a.test/b?c' }],
    [
      'what waits for one whose query is ignored',
      { options: NO_QUERIES, url: 'http://a.test/p/b', canonical: 'http://a.test/b?c', canonicalIdentity: 'http://a.test/b' },
    ],
  ];
  for (const [name, address] of promises) test(name, () => assert.deepEqual(raised(address), hashesOf(address, urlHash)));

  test('nothing of a settled crawl', () => {
    const address: Address = { status: 'succeeded', url: 'http://a.test/b/c' };
    assert.deepEqual(raised(address), hashesOf(address, oldHash));
  });
});

function hashesOf({ url, identity = url, canonical, canonicalIdentity = canonical }: Address, hashed: typeof urlHash) {
  const [identity_hash, key_hash, final_hash] = [identity, `${url}#key`, `${url}#final`].map((text) => Uint8Array.from(hashed(text)));
  return { identity_hash, key_hash, final_hash, alias_of: canonicalIdentity ? Uint8Array.from(hashed(canonicalIdentity)) : null };
}

/** The hashes of an address that was stored under the old schema, as an upgrade leaves them. */
function raised(address: Address) {
  const backups = mkdtempSync(join(tmpdir(), 'weft-migrate-'));
  try {
    using database = new DatabaseSync(':memory:');
    const options = { path: 'weft.db', backups, nowMs: 0 };
    migrate(database, options, MIGRATIONS.slice(0, OLD_SCHEMA));
    insertOld(database, address);
    migrate(database, options);
    return { ...database.prepare('SELECT identity_hash, key_hash, final_hash, alias_of FROM crawl_url').get() };
  } finally {
    rmSync(backups, { recursive: true });
  }
}

function insertOld(database: DatabaseSync, address: Address): void {
  const { status = 'running', options = '{}', url, canonical = null } = address;
  const old = hashesOf(address, oldHash);
  database
    .prepare(`INSERT INTO run (kind, status, source_kind, source_name, owner_id, created_at) VALUES ('crawl', ?, 'url', ?, 'runtime', 0)`)
    .run(status, url);
  database.prepare('INSERT INTO crawl (run_id, url, options) VALUES (1, ?, ?)').run(url, options);
  database
    .prepare(
      `INSERT INTO crawl_url (run_id, identity_hash, key_hash, url, key, host, is_twin, depth, source, state, rule, final_url, final_hash, alias_of)
       VALUES (1, ?, ?, ?, ?, 'http://a.test', 0, 0, 'link', 'pending', ?, ?, ?, ?)`,
    )
    .run(
      old.identity_hash ?? null,
      old.key_hash ?? null,
      url,
      `${url}#key`,
      canonical,
      `${url}#final`,
      old.final_hash ?? null,
      old.alias_of,
    );
}
