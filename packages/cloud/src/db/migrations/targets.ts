// Targets with what is known of them, and webhooks with their deliveries.
export const TARGETS = `
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
  `;
