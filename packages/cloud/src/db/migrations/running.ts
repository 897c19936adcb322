// Crawls in parts and turns, rates of all processes together, and pictures.
export const RUNNING = `
  -- A crawl of many hosts is divided into parts, rows of their own with a ledger and a job each; each host is of one part (D53).
  ALTER TABLE crawl ADD COLUMN parent bigint REFERENCES crawl (number) ON DELETE CASCADE;
  ALTER TABLE crawl ADD COLUMN part int;
  ALTER TABLE crawl ADD COLUMN parts int NOT NULL DEFAULT 0;
  -- Of a divided one: pages of its limit that no part has taken, and credits for browsers that no page has taken. pages_max of a part is what it took.
  ALTER TABLE crawl ADD COLUMN pages_left int NOT NULL DEFAULT 0 CHECK (pages_left >= 0);
  ALTER TABLE crawl ADD COLUMN renders_left bigint NOT NULL DEFAULT 0 CHECK (renders_left >= 0);
  CREATE INDEX crawl_by_parent ON crawl (parent) WHERE parent IS NOT NULL;
  -- What a part found for another one, until that one takes it.
  CREATE TABLE crawl_offer (
    crawl bigint NOT NULL REFERENCES crawl (number) ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    offer json NOT NULL,
    PRIMARY KEY (crawl, id)
  );

  -- A job that waits for the parts of its crawl, or for pages that other parts may give back, is claimed by nobody.
  ALTER TABLE crawl_job ADD COLUMN waits_for text CHECK (waits_for IN ('parts', 'pages'));
  -- When an account was given a place last: accounts take turns.
  CREATE TABLE account_turn (
    account_id text PRIMARY KEY REFERENCES account ON DELETE CASCADE,
    served_at timestamptz NOT NULL
  );
  -- Which host a call without a key is for.
  ALTER TABLE keyless_flight ADD COLUMN host bytea;
  CREATE INDEX keyless_flight_by_host ON keyless_flight (host);
  -- Token buckets; what is lost with the server's memory is a burst.
  CREATE UNLOGGED TABLE rate_bucket (
    caller bytea PRIMARY KEY,
    tokens float8 NOT NULL,
    is_allowed boolean NOT NULL,
    at timestamptz NOT NULL
  );
  -- When somebody has put the cloud in order last: one of its processes does it for all.
  CREATE TABLE upkeep (name text PRIMARY KEY, at timestamptz NOT NULL);
  -- Contents by their key, which is of one account; deleted once no picture has them.
  CREATE TABLE blob (
    key text PRIMARY KEY,
    account_id text NOT NULL,
    bytes bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX blob_by_time ON blob (created_at);
  -- Where the operator wants them in the database.
  CREATE TABLE blob_content (key text PRIMARY KEY, bytes bytea NOT NULL);
  ALTER TABLE blob_content ALTER bytes SET STORAGE EXTERNAL;
  CREATE TABLE picture (
    id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    blob_key text NOT NULL REFERENCES blob,
    crawl bigint REFERENCES crawl (number) ON DELETE CASCADE,
    name text NOT NULL,
    content_type text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX picture_by_blob ON picture (blob_key);
  CREATE INDEX picture_by_crawl ON picture (crawl) WHERE crawl IS NOT NULL;
  CREATE INDEX picture_by_time ON picture (created_at);
  -- The call that a crawl came from, for traces.
  ALTER TABLE crawl ADD COLUMN trace text;
  `;
