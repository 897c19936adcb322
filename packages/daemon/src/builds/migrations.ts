// Steps of the database's schema that belong to builds.

export const migrations: Readonly<Record<number, string>> = {
  // A build is kept as it stood when its last rung ended; each rung has an id of its own, and proofs keep the answers that they were decided by.
  24: `
  CREATE TABLE build (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_id TEXT NOT NULL,
    run_id INTEGER NOT NULL,
    asked TEXT NOT NULL,
    ladder TEXT NOT NULL,
    result TEXT,
    picked TEXT,
    rebuild_of INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE build_rung (
    build_id TEXT PRIMARY KEY,
    build INTEGER NOT NULL REFERENCES build (id) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE build_answer (
    build INTEGER NOT NULL REFERENCES build (id) ON DELETE CASCADE,
    sha256 TEXT NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (build, sha256)
  ) STRICT;

  CREATE TABLE build_workflow (
    build INTEGER NOT NULL REFERENCES build (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    workflow_id INTEGER NOT NULL REFERENCES workflow (id) ON DELETE CASCADE,
    PRIMARY KEY (build, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX build_workflow_by_workflow ON build_workflow (workflow_id);
  CREATE INDEX build_rung_by_build ON build_rung (build);
  `,
  // How the functions of a build stand since it was built, and what became of one that was built again.
  25: `
  ALTER TABLE build ADD COLUMN health TEXT;
  ALTER TABLE build ADD COLUMN proposal TEXT;
  `,
};
