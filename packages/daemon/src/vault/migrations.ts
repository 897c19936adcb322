// Steps of the schema that belong to the vault and to what is sealed in it: secrets and personas.

export const migrations: Readonly<Record<number, string>> = {
  // Every sealed value of every kind stands in one table, so that all are sealed anew together; the index, sealed itself, knows the version
  // of each. What may be read while the vault is locked stands beside, in tables of its kind.
  13: `
  CREATE TABLE vault_value (
    owner TEXT NOT NULL,
    record TEXT NOT NULL,
    field TEXT NOT NULL,
    version INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    sealed BLOB NOT NULL,
    PRIMARY KEY (owner, record, field)
  ) STRICT;
  CREATE INDEX vault_value_by_epoch ON vault_value (epoch);

  CREATE TABLE vault_index (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    sealed BLOB NOT NULL
  ) STRICT;

  CREATE TABLE secret (
    key TEXT PRIMARY KEY,
    origins TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    last_used_at INTEGER
  ) STRICT;

  CREATE TABLE persona (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    origins TEXT NOT NULL,
    locale TEXT,
    two_factor TEXT NOT NULL,
    proxy TEXT,
    totp_counter INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    last_used_at INTEGER
  ) STRICT;

  CREATE TABLE persona_profile (
    persona_id INTEGER NOT NULL REFERENCES persona (id) ON DELETE CASCADE,
    scope TEXT NOT NULL,
    version INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (persona_id, scope)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX run_by_persona ON run (persona_id, id) WHERE persona_id IS NOT NULL;
  `,
};
