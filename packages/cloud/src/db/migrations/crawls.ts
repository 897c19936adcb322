// Crawls: their ledgers, jobs and pages, and the hosts that they ask.
export const CRAWLS = `
  CREATE TABLE crawl (
    id text PRIMARY KEY,
    -- What the many rows of a crawl name it by.
    number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    url text NOT NULL,
    options json NOT NULL,
    status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
    failure json,
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    -- Who opened the frontier last; whoever did before changes nothing any more.
    owner bigint NOT NULL DEFAULT 0,
    memory text,
    discovered int NOT NULL DEFAULT 0,
    fetched int NOT NULL DEFAULT 0,
    reused int NOT NULL DEFAULT 0,
    failed int NOT NULL DEFAULT 0,
    skipped int NOT NULL DEFAULT 0,
    pending int NOT NULL DEFAULT 0,
    -- The credits that it may spend, those that it has spent, and what they did not reach for.
    hold_id text NOT NULL,
    budget bigint NOT NULL,
    charged bigint NOT NULL DEFAULT 0,
    pages_max int NOT NULL,
    is_lane_limited boolean NOT NULL DEFAULT false,
    CHECK (discovered = fetched + reused + failed + skipped + pending),
    CHECK (charged <= budget)
  );
  CREATE INDEX crawl_by_account ON crawl (account_id, number);
  CREATE INDEX crawl_by_end ON crawl (finished_at);

  -- The work of a crawl that has not ended, and who does it.
  CREATE TABLE crawl_job (
    crawl_id text PRIMARY KEY REFERENCES crawl ON DELETE CASCADE,
    account_id text NOT NULL,
    queued_at timestamptz NOT NULL DEFAULT now(),
    claim text,
    alive_until timestamptz,
    -- Claims in a row that were lost without an address having been settled, and how many had been when the last one began.
    losses int NOT NULL DEFAULT 0,
    settled_at_claim int NOT NULL DEFAULT 0
  );

  CREATE TABLE crawl_url (
    crawl bigint NOT NULL REFERENCES crawl (number) ON DELETE CASCADE,
    id int NOT NULL,
    identity_hash bytea NOT NULL,
    key_hash bytea NOT NULL,
    url text NOT NULL,
    -- Null where they are the url.
    key text,
    final_url text,
    host text NOT NULL,
    -- Ranks what waits: -1 what pages call canonical, 1 twins, 0 all others.
    is_twin smallint NOT NULL,
    depth int NOT NULL,
    source text NOT NULL,
    parent text,
    state text NOT NULL,
    reason text,
    rule text,
    status int,
    final_hash bytea,
    content_hash text,
    sketch text,
    alias_of bytea,
    ignores_canonical boolean NOT NULL DEFAULT false,
    PRIMARY KEY (crawl, id)
  );
  CREATE UNIQUE INDEX crawl_url_by_identity ON crawl_url (crawl, identity_hash);
  CREATE INDEX crawl_url_by_key ON crawl_url (crawl, key_hash);
  CREATE INDEX crawl_url_pending ON crawl_url (crawl, host, is_twin, depth, id) WHERE state = 'pending';
  CREATE INDEX crawl_url_by_content ON crawl_url (crawl, content_hash) WHERE state IN ('fetched', 'reused');
  CREATE INDEX crawl_url_by_final ON crawl_url (crawl, final_hash) WHERE final_hash IS NOT NULL;
  CREATE INDEX crawl_url_by_alias ON crawl_url (crawl, alias_of) WHERE alias_of IS NOT NULL;

  -- Of an address at most one page is kept: a second one breaks the transaction that brings it.
  CREATE TABLE crawl_page (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    crawl bigint NOT NULL REFERENCES crawl (number) ON DELETE CASCADE,
    url_id int NOT NULL,
    account_id text NOT NULL,
    record json NOT NULL,
    UNIQUE (crawl, url_id)
  );
  CREATE INDEX crawl_page_by_crawl ON crawl_page (crawl, id);

  CREATE TABLE page_copy (
    account_id text NOT NULL,
    copy_hash bytea NOT NULL,
    page_id bigint NOT NULL REFERENCES crawl_page ON DELETE CASCADE,
    checked_at bigint NOT NULL,
    etag text,
    last_modified text,
    links bytea NOT NULL,
    PRIMARY KEY (account_id, copy_hash)
  );
  CREATE INDEX page_copy_by_page ON page_copy (page_id);

  -- Which process asks a host, until when, who else wants to, and how the host wants to be treated.
  CREATE TABLE host_lease (
    host text PRIMARY KEY,
    holder text,
    wanted_by text,
    until_at timestamptz NOT NULL,
    state json,
    state_at timestamptz NOT NULL
  );
  CREATE TABLE robots_copy (
    host text PRIMARY KEY,
    rules json NOT NULL,
    asked_at timestamptz NOT NULL,
    until_at timestamptz NOT NULL
  );
  `;
