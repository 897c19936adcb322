// The steps of the schema that belong to OAuth.

export const migrations: Readonly<Record<number, string>> = {
  // Programs that registered, what each was granted, and the prints of the tokens that came of it.
  12: `
  CREATE TABLE oauth_client (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    redirect_uris TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE oauth_grant (
    id TEXT PRIMARY KEY,
    client_id TEXT NOT NULL REFERENCES oauth_client (id) ON DELETE CASCADE,
    resource TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX oauth_grant_by_client ON oauth_grant (client_id);

  CREATE TABLE oauth_token (
    token_hash BLOB PRIMARY KEY,
    grant_id TEXT NOT NULL REFERENCES oauth_grant (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    is_spent INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX oauth_token_by_grant ON oauth_token (grant_id);
  `,
};
