// Steps of the schema that belong to what comes due by itself.

export const migrations: Readonly<Record<number, string>> = {
  // When each thing is due, reckoned at `set_at`; the occurrence that was begun last, how often, and its run. `faults` counts how often in
  // a row it could not be begun. What it is due for stands with its owner.
  16: `
  CREATE TABLE due (
    kind TEXT NOT NULL,
    owner_id INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    set_at INTEGER NOT NULL,
    last_due_at INTEGER,
    begun INTEGER NOT NULL DEFAULT 0,
    run_id INTEGER,
    faults INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (kind, owner_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX due_by_time ON due (kind, due_at);
  CREATE INDEX due_by_fault ON due (faults) WHERE faults > 0;
  `,
};
