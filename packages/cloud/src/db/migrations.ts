// The schema, forward only: a number that was released is never changed. Each statement holds beside the program of the number before.
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE account (
    id text PRIMARY KEY,
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE account_key (
    id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    name text NOT NULL,
    role text NOT NULL CHECK (role IN ('owner', 'api')),
    hash bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz
  );
  CREATE INDEX account_key_by_account ON account_key (account_id, created_at, id);

  -- A movement leaves one book and comes to another, so that the books of an account always agree (D43).
  CREATE TABLE ledger (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    at timestamptz NOT NULL DEFAULT now(),
    kind text NOT NULL CHECK (kind IN ('grant', 'reserve', 'settle', 'refund')),
    from_book text NOT NULL CHECK (from_book IN ('granted', 'available', 'held', 'spent')),
    to_book text NOT NULL CHECK (to_book IN ('granted', 'available', 'held', 'spent') AND to_book <> from_book),
    amount bigint NOT NULL CHECK (amount > 0),
    hold_id text,
    operation text,
    about text
  );
  CREATE INDEX ledger_by_account ON ledger (account_id, id);
  -- What the movements add up to, so that nobody adds them up to learn whether a page may be had.
  CREATE TABLE balance (
    account_id text PRIMARY KEY REFERENCES account ON DELETE CASCADE,
    available bigint NOT NULL DEFAULT 0 CHECK (available >= 0),
    held bigint NOT NULL DEFAULT 0 CHECK (held >= 0),
    spent bigint NOT NULL DEFAULT 0 CHECK (spent >= 0)
  );
  -- What is reserved by work that may die: given back after until_at.
  CREATE TABLE hold (
    id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    amount bigint NOT NULL CHECK (amount > 0),
    operation text NOT NULL,
    until_at timestamptz NOT NULL
  );
  CREATE INDEX hold_by_end ON hold (until_at);
  CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'the ledger is only added to'; END $$;
  CREATE TRIGGER ledger_is_added_to BEFORE UPDATE ON ledger FOR EACH ROW EXECUTE FUNCTION refuse_change();

  CREATE TABLE scrape (
    id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    at timestamptz NOT NULL DEFAULT now(),
    -- As text: binary JSON takes no NUL and no half of a surrogate, and pages have both.
    answer json NOT NULL
  );
  CREATE INDEX scrape_by_time ON scrape (at);

  CREATE TABLE idempotency (
    id text PRIMARY KEY,
    print text NOT NULL,
    effect jsonb,
    at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX idempotency_by_time ON idempotency (at);

  -- Pages of a UTC day: of a device, and of all devices behind one address.
  CREATE TABLE keyless_use (
    who bytea NOT NULL,
    day date NOT NULL,
    pages int NOT NULL CHECK (pages >= 0),
    PRIMARY KEY (who, day)
  );
  CREATE TABLE keyless_flight (
    id text PRIMARY KEY,
    network bytea NOT NULL,
    until_at timestamptz NOT NULL
  );
  CREATE INDEX keyless_flight_by_network ON keyless_flight (network);

  CREATE TABLE secret (name text PRIMARY KEY, bytes bytea NOT NULL);
  `,
  `
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
  `,
  `
  CREATE SEQUENCE target_claim;
  CREATE SEQUENCE target_run_number;

  -- A target with all that is known of it but its values: a check reads one row and writes one.
  CREATE TABLE target (
    id text PRIMARY KEY,
    number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    name text NOT NULL,
    url text NOT NULL,
    definition json NOT NULL,
    selectors json NOT NULL,
    -- Ids that its selectors and extractors were given.
    parts int NOT NULL,
    active boolean NOT NULL,
    -- Of all that decides what a check reads; a check that began under another one is not kept.
    version int NOT NULL DEFAULT 1,
    state json NOT NULL,
    is_trouble boolean NOT NULL DEFAULT false,
    known json NOT NULL DEFAULT '{}',
    page json,
    cadence json NOT NULL,
    scheduled_at timestamptz NOT NULL,
    flapping boolean NOT NULL DEFAULT false,
    checks int NOT NULL DEFAULT 0,
    left_out json,
    last_checked_at timestamptz,
    last_changed_at timestamptz,
    last_run_id text,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    -- When it is to be checked; of one that is being checked, when whoever does it is taken for dead.
    due_at timestamptz,
    -- What somebody waits for goes first.
    rank smallint NOT NULL DEFAULT 1,
    -- The scheduled occurrence that was begun last, and what the check under way was due for.
    last_due_at timestamptz,
    begun_for timestamptz,
    claim bigint,
    run bigint,
    -- The run that somebody asked for and nobody has begun.
    asked bigint,
    -- Claims of this check that were lost.
    losses int NOT NULL DEFAULT 0
  );
  CREATE INDEX target_by_account ON target (account_id, number);
  CREATE INDEX target_due ON target (rank, due_at) WHERE due_at IS NOT NULL;

  CREATE TABLE target_value (
    target bigint NOT NULL REFERENCES target (number) ON DELETE CASCADE,
    key text NOT NULL,
    account_id text NOT NULL,
    known json NOT NULL,
    -- As it is shown: its first characters, null where there is no value, and since when, in epoch milliseconds.
    shown text,
    since_ms bigint NOT NULL,
    PRIMARY KEY (target, key)
  );
  -- Values from the moment on at which a check saw them.
  CREATE TABLE target_record (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    target bigint NOT NULL REFERENCES target (number) ON DELETE CASCADE,
    account_id text NOT NULL,
    key text NOT NULL,
    run_id text NOT NULL,
    body json NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX target_record_by_value ON target_record (target, key, number);
  CREATE TABLE target_run (
    number bigint PRIMARY KEY,
    id text NOT NULL UNIQUE,
    account_id text NOT NULL,
    target bigint NOT NULL REFERENCES target (number) ON DELETE CASCADE,
    trigger text NOT NULL CHECK (trigger IN ('call', 'schedule')),
    status text NOT NULL CHECK (status IN ('queued', 'succeeded', 'failed')),
    -- What was held for one that somebody asked for.
    hold_id text,
    verdict text,
    is_unchanged boolean NOT NULL DEFAULT false,
    failure json,
    credits int NOT NULL DEFAULT 0,
    is_lane_limited boolean NOT NULL DEFAULT false,
    body json,
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz
  );
  CREATE INDEX target_run_by_target ON target_run (target, number);
  CREATE INDEX target_run_by_end ON target_run (finished_at);
  CREATE TABLE target_change (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    account_id text NOT NULL,
    target bigint NOT NULL REFERENCES target (number) ON DELETE CASCADE,
    run_id text NOT NULL,
    kind text NOT NULL,
    selector_id int,
    extractor_id int,
    name text,
    old json,
    new json,
    difference text,
    summary text NOT NULL,
    percent float8,
    url text,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX target_change_by_target ON target_change (target, number);
  CREATE INDEX target_change_by_account ON target_change (account_id, number);
  CREATE TABLE target_snapshot (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    account_id text NOT NULL,
    target bigint NOT NULL REFERENCES target (number) ON DELETE CASCADE,
    run_id text NOT NULL,
    url text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX target_snapshot_by_target ON target_snapshot (target, number);
  CREATE INDEX target_snapshot_by_run ON target_snapshot (run_id);
  CREATE TABLE target_snapshot_part (
    snapshot bigint NOT NULL REFERENCES target_snapshot (number) ON DELETE CASCADE,
    part text NOT NULL,
    account_id text NOT NULL,
    content_type text NOT NULL,
    sha256 text NOT NULL,
    bytes int NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (snapshot, part)
  );

  -- Times of deliveries are epoch milliseconds, as the loop that sends counts them. A hook is ready when the last of four times has come.
  CREATE TABLE webhook (
    id text PRIMARY KEY,
    number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    url text NOT NULL,
    description text,
    -- Null for all.
    events json,
    digest_minutes int NOT NULL DEFAULT 0,
    is_enabled boolean NOT NULL DEFAULT true,
    disabled_reason text,
    muted_until bigint NOT NULL DEFAULT 0,
    failing_since bigint,
    failures int NOT NULL DEFAULT 0,
    rests_until bigint NOT NULL DEFAULT 0,
    rests_because text,
    lease_until bigint NOT NULL DEFAULT 0,
    next_at bigint,
    reach text,
    -- Sealed; the one before signs beside it for a day.
    secret bytea NOT NULL,
    previous_secret bytea,
    secret_changed_at bigint,
    last_sent_at bigint,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX webhook_by_account ON webhook (account_id, number);
  CREATE INDEX webhook_ready ON webhook ((greatest(next_at, lease_until, rests_until, muted_until)))
    WHERE is_enabled AND next_at IS NOT NULL;
  CREATE TABLE delivery (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    account_id text NOT NULL,
    webhook_id text NOT NULL REFERENCES webhook ON DELETE CASCADE,
    event text NOT NULL,
    level text NOT NULL,
    subject json NOT NULL,
    data json NOT NULL,
    dedupe_key text,
    status text NOT NULL CHECK (status IN ('pending', 'sent', 'failed', 'collected', 'dropped')),
    reason text,
    collected_into bigint,
    is_open boolean NOT NULL DEFAULT false,
    collected int NOT NULL DEFAULT 0,
    attempts int NOT NULL DEFAULT 0,
    claims int NOT NULL DEFAULT 0,
    due_at bigint,
    created_at bigint NOT NULL,
    settled_at bigint
  );
  CREATE INDEX delivery_due ON delivery (webhook_id, due_at, number) WHERE status = 'pending';
  CREATE INDEX delivery_by_webhook ON delivery (webhook_id, number);
  CREATE INDEX delivery_by_message ON delivery (collected_into, number) WHERE collected_into IS NOT NULL;
  CREATE INDEX delivery_by_time ON delivery (created_at);
  CREATE UNIQUE INDEX delivery_open ON delivery (webhook_id) WHERE is_open;
  CREATE UNIQUE INDEX delivery_by_dedupe_key ON delivery (webhook_id, dedupe_key) WHERE dedupe_key IS NOT NULL;
  CREATE TABLE delivery_try (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    delivery bigint NOT NULL REFERENCES delivery (number) ON DELETE CASCADE,
    account_id text NOT NULL,
    at bigint NOT NULL,
    body json NOT NULL
  );
  CREATE INDEX delivery_try_by_delivery ON delivery_try (delivery, number);
  `,
  `
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
  `,
  `
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
  `,
  `
  -- A build is kept as it stood when its last rung ended; each rung has an id of its own, and proofs keep the answers that they were decided by.
  CREATE TABLE build (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    asked json NOT NULL,
    ladder json NOT NULL,
    result json,
    hold_id text NOT NULL,
    budget bigint NOT NULL,
    charged bigint NOT NULL DEFAULT 0,
    published json,
    is_live boolean NOT NULL DEFAULT true,
    claim text UNIQUE,
    alive_until timestamptz,
    losses int NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX build_live ON build (number) WHERE is_live;
  CREATE INDEX build_by_account ON build (account_id, updated_at);
  CREATE TABLE build_rung (
    build_id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    build bigint NOT NULL REFERENCES build (number) ON DELETE CASCADE
  );
  CREATE INDEX build_rung_by_build ON build_rung (build);
  CREATE TABLE build_answer (
    build bigint NOT NULL REFERENCES build (number) ON DELETE CASCADE,
    sha256 text NOT NULL,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    bytes bytea NOT NULL,
    PRIMARY KEY (build, sha256)
  );
  `,
  `
  -- Published functions of a build are proved again once check_at has come, and every so many hours; null: never. checks counts how often they
  -- were. A build that was built again is a proposal, which its owner accepts or declines.
  ALTER TABLE build ADD COLUMN check_hours int CHECK (check_hours > 0);
  ALTER TABLE build ADD COLUMN check_at timestamptz;
  ALTER TABLE build ADD COLUMN checks bigint NOT NULL DEFAULT 0;
  ALTER TABLE build ADD COLUMN health json;
  ALTER TABLE build ADD COLUMN rebuild_of bigint;
  ALTER TABLE build ADD COLUMN proposal text CHECK (proposal IN ('accepted', 'declined'));
  CREATE INDEX build_due ON build (check_at) WHERE check_at IS NOT NULL;
  `,
];
