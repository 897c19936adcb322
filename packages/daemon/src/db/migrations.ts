// The database's schema as numbered, forward-only steps. A step that has been released is never edited.
import { GROUP_MIGRATIONS } from '../generated/migrations.ts';

/** The first steps, which made the tables of several groups at once. Later ones stand in `migrations.ts` of the group that they belong to. */
const FIRST: readonly string[] = [
  `
  CREATE TABLE api_key (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    token_hash BLOB NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER
  ) STRICT;

  CREATE TABLE idempotency (
    id TEXT PRIMARY KEY,
    body_hash TEXT NOT NULL,
    status INTEGER NOT NULL,
    body TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX idempotency_by_age ON idempotency (created_at);

  CREATE TABLE dataset (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source_kind TEXT NOT NULL,
    source_id INTEGER,
    source_deleted INTEGER NOT NULL DEFAULT 0,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX dataset_by_source ON dataset (source_kind, ifnull(source_id, 0));

  CREATE TABLE run (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    source_kind TEXT NOT NULL,
    source_id INTEGER,
    source_name TEXT NOT NULL,
    owner_id TEXT NOT NULL,
    dataset_id INTEGER REFERENCES dataset (id),
    rows_extracted INTEGER NOT NULL DEFAULT 0,
    failure TEXT,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    finished_at INTEGER
  ) STRICT;
  CREATE INDEX run_by_status ON run (status, id);
  CREATE INDEX run_by_kind ON run (kind, id);
  CREATE INDEX run_by_source ON run (source_kind, source_id, id);

  CREATE TABLE run_event (
    run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run_id, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE crawl (
    run_id INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    url TEXT NOT NULL,
    options TEXT NOT NULL,
    discovered INTEGER NOT NULL DEFAULT 0,
    fetched INTEGER NOT NULL DEFAULT 0,
    reused INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    skipped INTEGER NOT NULL DEFAULT 0,
    pending INTEGER NOT NULL DEFAULT 0,
    owner INTEGER NOT NULL DEFAULT 0,
    memory TEXT,
    CHECK (discovered = fetched + reused + failed + skipped + pending)
  ) STRICT;

  CREATE TABLE crawl_url (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES crawl (run_id) ON DELETE CASCADE,
    identity_hash BLOB NOT NULL,
    key_hash BLOB NOT NULL,
    url TEXT NOT NULL,
    key TEXT NOT NULL,
    host TEXT NOT NULL,
    is_twin INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    source TEXT NOT NULL,
    parent TEXT,
    state TEXT NOT NULL,
    lease_owner INTEGER,
    lease_until INTEGER,
    reason TEXT,
    rule TEXT,
    status INTEGER,
    final_url TEXT,
    final_hash BLOB,
    content_hash TEXT,
    alias_of BLOB,
    ignores_canonical INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE UNIQUE INDEX crawl_url_by_identity ON crawl_url (run_id, identity_hash);
  CREATE INDEX crawl_url_by_key ON crawl_url (run_id, key_hash);
  CREATE INDEX crawl_url_pending ON crawl_url (run_id, host, is_twin, depth, id) WHERE state = 'pending';
  CREATE INDEX crawl_url_leased ON crawl_url (run_id) WHERE lease_owner IS NOT NULL;
  CREATE INDEX crawl_url_by_content ON crawl_url (run_id, content_hash) WHERE state IN ('fetched', 'reused');
  CREATE INDEX crawl_url_by_final ON crawl_url (run_id, final_hash) WHERE final_hash IS NOT NULL;
  CREATE INDEX crawl_url_by_alias ON crawl_url (run_id, alias_of) WHERE alias_of IS NOT NULL;

  CREATE TABLE record (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    dataset_id INTEGER NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
    run_id INTEGER NOT NULL,
    key TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX record_by_key ON record (dataset_id, key, id);
  CREATE INDEX record_by_run ON record (run_id, id);
  `,
  `
  ALTER TABLE dataset ADD COLUMN records INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE dataset ADD COLUMN updated_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE record ADD COLUMN is_newest INTEGER NOT NULL DEFAULT 1;

  UPDATE record SET is_newest = 0 WHERE id NOT IN (SELECT max(id) FROM record GROUP BY dataset_id, key);
  UPDATE dataset SET
    records = (SELECT count(*) FROM record WHERE dataset_id = dataset.id AND is_newest = 1),
    updated_at = ifnull((SELECT max(created_at) FROM record WHERE dataset_id = dataset.id), created_at);

  CREATE INDEX dataset_by_update ON dataset (updated_at, id);
  CREATE INDEX record_by_dataset ON record (dataset_id, id);
  CREATE INDEX record_newest ON record (dataset_id, id) WHERE is_newest = 1;

  CREATE VIRTUAL TABLE record_text USING fts5(
    title, body, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );
  INSERT INTO record_text (record_text, rank) VALUES ('rank', 'bm25(10.0, 1.0)');
  INSERT INTO record_text (rowid, title, body)
    SELECT id, ifnull(body ->> '$.title', ''), coalesce(body ->> '$.markdown', body ->> '$.text', body) FROM record WHERE is_newest = 1;
  CREATE TRIGGER record_deleted AFTER DELETE ON record WHEN old.is_newest = 1 BEGIN
    DELETE FROM record_text WHERE rowid = old.id;
    UPDATE dataset SET records = records - 1 WHERE id = old.dataset_id;
  END;

  CREATE TABLE blob (
    hash TEXT PRIMARY KEY,
    bytes INTEGER NOT NULL,
    stored_bytes INTEGER NOT NULL,
    encoding TEXT NOT NULL,
    uses INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE file (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    content_type TEXT NOT NULL,
    blob_hash TEXT NOT NULL REFERENCES blob (hash),
    source_kind TEXT NOT NULL,
    source_id INTEGER,
    created_at INTEGER NOT NULL
  ) STRICT;
  `,
  `
  CREATE TABLE crawl_definition (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    options TEXT NOT NULL,
    dataset_id INTEGER NOT NULL REFERENCES dataset (id),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE page_copy (
    id INTEGER PRIMARY KEY,
    copy_hash BLOB NOT NULL,
    record_id INTEGER NOT NULL,
    checked_at INTEGER NOT NULL,
    etag TEXT,
    last_modified TEXT,
    links BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX page_copy_by_hash ON page_copy (copy_hash);
  CREATE INDEX page_copy_by_age ON page_copy (checked_at);
  `,
  `
  CREATE TABLE url_of_crawl (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES crawl (run_id) ON DELETE CASCADE,
    identity_hash BLOB NOT NULL,
    key_hash BLOB NOT NULL,
    url TEXT NOT NULL,
    key TEXT,
    host TEXT NOT NULL,
    is_twin INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    source TEXT NOT NULL,
    parent TEXT,
    state TEXT NOT NULL,
    reason TEXT,
    rule TEXT,
    status INTEGER,
    final_url TEXT,
    final_hash BLOB,
    content_hash TEXT,
    alias_of BLOB,
    ignores_canonical INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO url_of_crawl
    SELECT id, run_id, identity_hash, key_hash, url, nullif(key, url), host, is_twin, depth, source, parent, state, reason, rule, status,
      nullif(final_url, url), iif(final_url = url, NULL, final_hash), content_hash, alias_of, ignores_canonical FROM crawl_url;
  DROP TABLE crawl_url;
  ALTER TABLE url_of_crawl RENAME TO crawl_url;
  CREATE UNIQUE INDEX crawl_url_by_identity ON crawl_url (run_id, identity_hash);
  CREATE INDEX crawl_url_by_key ON crawl_url (run_id, key_hash);
  CREATE INDEX crawl_url_pending ON crawl_url (run_id, host, is_twin, depth, id) WHERE state = 'pending';
  CREATE INDEX crawl_url_by_content ON crawl_url (run_id, content_hash) WHERE state IN ('fetched', 'reused');
  CREATE INDEX crawl_url_by_final ON crawl_url (run_id, final_hash) WHERE final_hash IS NOT NULL;
  CREATE INDEX crawl_url_by_alias ON crawl_url (run_id, alias_of) WHERE alias_of IS NOT NULL;
  `,
  // Addresses of live crawls get the form of hash that they are looked for by. Settled crawls are never looked into again.
  `
  UPDATE crawl_url SET
    identity_hash = url_hash(iif(options ->> '$.ignore_query_parameters', substr(crawl_url.url, 1, instr(crawl_url.url || '?', '?') - 1), crawl_url.url)),
    key_hash = url_hash(ifnull(key, crawl_url.url)),
    final_hash = iif(final_hash IS NULL, NULL, url_hash(final_url)),
    alias_of = iif(alias_of IS NULL, NULL, url_hash(iif(options ->> '$.ignore_query_parameters', substr(rule, 1, instr(rule || '?', '?') - 1), rule)))
  FROM crawl JOIN run ON run.id = crawl.run_id
  WHERE crawl.run_id = crawl_url.run_id AND run.status IN ('queued', 'running', 'waiting_human');
  `,
  // What the health writes, and contents that were on their way in or out: only these may be swept, since a copy of the database does not know what came after it.
  `
  CREATE TABLE blob_move (hash TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

  CREATE TABLE health_probe (id INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT;
  INSERT INTO health_probe VALUES (1, 0);
  `,
  // What tells how near the texts of two pages are: a canonical page may differ from the other by a line.
  `
  ALTER TABLE crawl_url ADD COLUMN sketch TEXT;
  `,
  // How long a run took by a clock that nobody sets; NULL for one that went on after a restart.
  `
  ALTER TABLE run ADD COLUMN duration_ms INTEGER;
  `,
  // A note of a keyed call is what its effect made, under a print of its body that nobody can guess it from; notes of before hold such a one.
  `
  DROP TABLE idempotency;
  CREATE TABLE idempotency (
    id TEXT PRIMARY KEY,
    print TEXT NOT NULL,
    effect TEXT,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX idempotency_by_age ON idempotency (created_at);
  `,
];

/** Step n brings `user_version` from n - 1 to n. */
export const MIGRATIONS: readonly string[] = inOrder(FIRST, GROUP_MIGRATIONS);

/** All steps by their numbers. Throws where a number is missing or stands twice: the program is wrong. */
function inOrder(first: readonly string[], groups: readonly Readonly<Record<number, string>>[]): readonly string[] {
  const steps = [...first];
  const later = groups.flatMap((steps) => Object.entries(steps)).sort(([a], [b]) => Number(a) - Number(b));
  for (const [number, step] of later) {
    if (Number(number) !== steps.length + 1)
      throw new Error(`Migration ${number} stands where ${steps.length + 1} should: two groups have the same number, or one is missing.`);
    steps.push(step);
  }
  return steps;
}
