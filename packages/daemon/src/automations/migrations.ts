// Steps of the schema that belong to automations.

export const migrations: Readonly<Record<number, string>> = {
  // Listeners are the triggers of those that are enabled, by what they listen for; causes are what has happened and was not heard yet. A
  // held trigger began to hold at `held_at`, and has none once it has set its automation off.
  21: `
  CREATE TABLE automation (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    definition TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    disabled_reason TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE automation_listener (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    automation_id INTEGER NOT NULL REFERENCES automation (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    topic TEXT,
    met INTEGER,
    held_at INTEGER,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX automation_listener_by_topic ON automation_listener (topic) WHERE topic IS NOT NULL;
  CREATE INDEX automation_listener_by_automation ON automation_listener (automation_id, place);

  CREATE TABLE automation_cause (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    body TEXT NOT NULL,
    depth INTEGER NOT NULL,
    due_at INTEGER NOT NULL DEFAULT 0,
    faults INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE automation_run (
    run_id INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    automation_id INTEGER NOT NULL,
    was_enabled INTEGER NOT NULL,
    definition TEXT NOT NULL,
    trigger TEXT NOT NULL,
    depth INTEGER NOT NULL,
    refused TEXT,
    private_targets TEXT NOT NULL,
    conditions TEXT
  ) STRICT;

  CREATE TABLE automation_action (
    run_id INTEGER NOT NULL REFERENCES automation_run (run_id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    status TEXT NOT NULL,
    message TEXT NOT NULL,
    code TEXT,
    child_id INTEGER,
    until_at INTEGER,
    started_at INTEGER NOT NULL,
    finished_at INTEGER,
    PRIMARY KEY (run_id, place)
  ) STRICT, WITHOUT ROWID;
  `,
};
