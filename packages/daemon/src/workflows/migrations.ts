// Steps of the database's schema that belong to workflows.

export const migrations: Readonly<Record<number, string>> = {
  // A workflow is its newest revision; runs keep the one that they began with, and what they came to.
  14: `
  CREATE TABLE workflow (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    revision INTEGER NOT NULL,
    definition TEXT NOT NULL,
    concurrency INTEGER,
    dataset_id INTEGER NOT NULL REFERENCES dataset (id),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE workflow_revision (
    workflow_id INTEGER NOT NULL REFERENCES workflow (id) ON DELETE CASCADE,
    revision INTEGER NOT NULL,
    name TEXT NOT NULL,
    definition TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (workflow_id, revision)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE workflow_run (
    run_id INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    definition TEXT NOT NULL,
    inputs TEXT NOT NULL,
    private_targets TEXT NOT NULL,
    dry TEXT,
    results TEXT
  ) STRICT;
  `,
  // What runs saw at the steps of a workflow; it counts once its run has succeeded, and outlives it.
  15: `
  CREATE TABLE workflow_guard (
    workflow_id INTEGER NOT NULL REFERENCES workflow (id) ON DELETE CASCADE,
    revision INTEGER NOT NULL,
    run_id INTEGER NOT NULL,
    step_id TEXT NOT NULL,
    inputs BLOB NOT NULL,
    seen TEXT NOT NULL,
    learned_at INTEGER NOT NULL,
    PRIMARY KEY (workflow_id, run_id, step_id)
  ) STRICT, WITHOUT ROWID;
  `,
  // What runs of the newest revision found out: whether HTTP comes to the same, and which steps would be right now.
  23: `
  CREATE TABLE workflow_candidate (
    workflow_id INTEGER PRIMARY KEY REFERENCES workflow (id) ON DELETE CASCADE,
    revision INTEGER NOT NULL,
    candidate TEXT NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE workflow_repair (
    workflow_id INTEGER NOT NULL REFERENCES workflow (id) ON DELETE CASCADE,
    revision INTEGER NOT NULL,
    step_id TEXT NOT NULL,
    run_id INTEGER NOT NULL,
    repair TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (workflow_id, step_id)
  ) STRICT, WITHOUT ROWID;
  `,
  // Whether a run has a window on the screen.
  26: `
  ALTER TABLE workflow_run ADD COLUMN is_headed INTEGER NOT NULL DEFAULT 0;
  `,
};
