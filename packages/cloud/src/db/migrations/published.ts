// What accounts publish, who calls it, and how long things are kept.
export const PUBLISHED = `
  ALTER TABLE account ADD COLUMN retention_days int NOT NULL DEFAULT 30 CHECK (retention_days BETWEEN 1 AND 3650);

  -- Notes of calls go with their account.
  ALTER TABLE idempotency ADD COLUMN account_id text DEFAULT nullif(current_setting('weft.account', true), '') REFERENCES account ON DELETE CASCADE;
  UPDATE idempotency SET account_id = (SELECT k.account_id FROM account_key k WHERE k.id = idempotency.id::json->>0);
  CREATE INDEX idempotency_by_account ON idempotency (account_id);
  CREATE INDEX ledger_by_hold ON ledger (hold_id, id);

  -- An API that others call. Its name is never given to another: its print outlives the account.
  CREATE TABLE taken_slug (hash bytea PRIMARY KEY);
  CREATE TABLE slug (
    slug text PRIMARY KEY,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX slug_by_account ON slug (account_id);
  CREATE TABLE published_function (
    slug text NOT NULL REFERENCES slug ON DELETE CASCADE,
    path text NOT NULL,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    -- The one that is called.
    revision int NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (slug, path)
  );
  CREATE INDEX published_function_by_account ON published_function (account_id, slug, path);
  CREATE TABLE published_revision (
    slug text NOT NULL,
    path text NOT NULL,
    revision int NOT NULL,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    name text NOT NULL,
    definition json NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (slug, path, revision),
    FOREIGN KEY (slug, path) REFERENCES published_function ON DELETE CASCADE
  );
  CREATE FUNCTION refuse_revision() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'a revision is never changed'; END $$;
  CREATE TRIGGER revision_is_kept BEFORE UPDATE ON published_revision FOR EACH ROW EXECUTE FUNCTION refuse_revision();

  CREATE TABLE consumer_key (
    id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    slug text NOT NULL REFERENCES slug ON DELETE CASCADE,
    name text NOT NULL,
    -- Null where it may call all functions of the slug.
    paths text[],
    daily_cap int CHECK (daily_cap > 0),
    hash bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz
  );
  CREATE INDEX consumer_key_by_account ON consumer_key (account_id, created_at, id);
  -- Calls of a UTC day.
  CREATE TABLE consumer_use (
    key_id text NOT NULL REFERENCES consumer_key ON DELETE CASCADE,
    day date NOT NULL,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    calls int NOT NULL CHECK (calls >= 0),
    PRIMARY KEY (key_id, day)
  );

  CREATE TABLE published_run (
    id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    slug text NOT NULL,
    path text NOT NULL,
    revision int NOT NULL,
    -- Null where a model called.
    key_id text,
    status text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'succeeded', 'failed')),
    failure json,
    lane text,
    credits int NOT NULL DEFAULT 0,
    row_count int NOT NULL DEFAULT 0,
    -- What it answered, and what its steps did: text, as pages have what binary JSON does not take.
    answer json,
    warnings json NOT NULL DEFAULT '[]',
    steps json NOT NULL DEFAULT '[]',
    started_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz
  );
  CREATE INDEX published_run_by_account ON published_run (account_id, started_at, id);
  CREATE INDEX published_run_by_time ON published_run (started_at);
  `;
