// Steps of the schema that belong to channels and deliveries.

export const migrations: Readonly<Record<number, string>> = {
  // A channel is ready when the last of four times has come: an index over their greatest finds it, however many channels and rows there are.
  // Deliveries of a deleted channel are deleted in turns, and so no foreign key holds them; `notice_channel_gone` knows what is left to do.
  19: `
  CREATE TABLE notice_channel (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    definition TEXT NOT NULL,
    is_enabled INTEGER NOT NULL DEFAULT 1,
    disabled_reason TEXT,
    muted_until INTEGER NOT NULL DEFAULT 0,
    failing_since INTEGER,
    failures INTEGER NOT NULL DEFAULT 0,
    rests_until INTEGER NOT NULL DEFAULT 0,
    rests_because TEXT,
    lease_until INTEGER NOT NULL DEFAULT 0,
    next_at INTEGER,
    reach TEXT,
    secret_changed_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    last_sent_at INTEGER
  ) STRICT;
  CREATE INDEX notice_channel_ready ON notice_channel (max(next_at, lease_until, rests_until, muted_until))
    WHERE is_enabled = 1 AND next_at IS NOT NULL;

  CREATE TABLE notice_channel_gone (id INTEGER PRIMARY KEY) STRICT;

  CREATE TABLE delivery (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id TEXT NOT NULL,
    channel_id INTEGER NOT NULL,
    status TEXT NOT NULL,
    reason TEXT,
    event TEXT NOT NULL,
    level TEXT NOT NULL,
    subject TEXT NOT NULL,
    data TEXT NOT NULL,
    dedupe_key TEXT,
    collected_into INTEGER,
    is_open INTEGER NOT NULL DEFAULT 0,
    collected INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    claims INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER,
    created_at INTEGER NOT NULL,
    settled_at INTEGER
  ) STRICT;
  CREATE INDEX delivery_due ON delivery (channel_id, due_at, id) WHERE status = 'pending';
  CREATE INDEX delivery_by_channel ON delivery (channel_id, id, status);
  CREATE INDEX delivery_by_status ON delivery (status, id);
  CREATE INDEX delivery_by_message ON delivery (collected_into, id) WHERE collected_into IS NOT NULL;
  CREATE UNIQUE INDEX delivery_open ON delivery (channel_id) WHERE is_open = 1;
  CREATE UNIQUE INDEX delivery_by_dedupe_key ON delivery (channel_id, dedupe_key) WHERE dedupe_key IS NOT NULL;

  CREATE TABLE delivery_try (
    id INTEGER PRIMARY KEY,
    delivery_id INTEGER NOT NULL REFERENCES delivery (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX delivery_try_by_delivery ON delivery_try (delivery_id, id);
  `,
};
