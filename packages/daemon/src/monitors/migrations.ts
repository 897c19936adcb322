// Steps of the database's schema that belong to monitors, their selectors and extractors.

export const migrations: Readonly<Record<number, string>> = {
  // A version is of all that decides what a check reads; a check that began under another one is not kept.
  18: `
  CREATE TABLE monitor (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    url TEXT,
    definition TEXT NOT NULL,
    active INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    private_targets TEXT NOT NULL,
    dataset_id INTEGER NOT NULL REFERENCES dataset (id),
    state TEXT NOT NULL,
    page TEXT,
    cadence TEXT NOT NULL,
    scheduled_at INTEGER NOT NULL,
    flapping INTEGER NOT NULL DEFAULT 0,
    checks INTEGER NOT NULL DEFAULT 0,
    last_checked_at INTEGER,
    last_changed_at INTEGER,
    last_run_id INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE monitor_tag (
    name TEXT PRIMARY KEY,
    settings TEXT NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE monitor_selector (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    monitor_id INTEGER NOT NULL REFERENCES monitor (id) ON DELETE CASCADE,
    definition TEXT NOT NULL,
    active INTEGER NOT NULL,
    baseline TEXT,
    proposal TEXT,
    known TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX monitor_selector_by_monitor ON monitor_selector (monitor_id, id);

  CREATE TABLE monitor_extractor (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    selector_id INTEGER NOT NULL REFERENCES monitor_selector (id) ON DELETE CASCADE,
    definition TEXT NOT NULL,
    active INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX monitor_extractor_by_selector ON monitor_extractor (selector_id, id);

  CREATE TABLE monitor_value (
    monitor_id INTEGER NOT NULL REFERENCES monitor (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    known TEXT NOT NULL,
    PRIMARY KEY (monitor_id, key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE monitor_change (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    monitor_id INTEGER NOT NULL REFERENCES monitor (id) ON DELETE CASCADE,
    selector_id INTEGER,
    extractor_id INTEGER,
    name TEXT,
    kind TEXT NOT NULL,
    old TEXT,
    new TEXT,
    difference TEXT,
    summary TEXT NOT NULL,
    percent REAL,
    url TEXT,
    run_id INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX monitor_change_by_monitor ON monitor_change (monitor_id, id);
  CREATE INDEX monitor_change_by_time ON monitor_change (created_at);

  CREATE TABLE monitor_cost (
    lane TEXT PRIMARY KEY,
    seconds REAL NOT NULL,
    measured INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE monitor_check (
    run_id INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    monitor_id INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX monitor_check_by_monitor ON monitor_check (monitor_id, run_id);

  CREATE TRIGGER monitor_edited AFTER UPDATE OF definition ON monitor
  BEGIN UPDATE monitor SET version = version + 1 WHERE id = NEW.id; END;
  CREATE TRIGGER selector_added AFTER INSERT ON monitor_selector
  BEGIN UPDATE monitor SET version = version + 1 WHERE id = NEW.monitor_id; END;
  CREATE TRIGGER selector_edited AFTER UPDATE OF definition, active, baseline ON monitor_selector
  BEGIN UPDATE monitor SET version = version + 1 WHERE id = NEW.monitor_id; END;
  CREATE TRIGGER selector_removed AFTER DELETE ON monitor_selector
  BEGIN UPDATE monitor SET version = version + 1 WHERE id = OLD.monitor_id; END;
  CREATE TRIGGER extractor_added AFTER INSERT ON monitor_extractor
  BEGIN UPDATE monitor SET version = version + 1 WHERE id = (SELECT monitor_id FROM monitor_selector WHERE id = NEW.selector_id); END;
  CREATE TRIGGER extractor_edited AFTER UPDATE OF definition, active ON monitor_extractor
  BEGIN UPDATE monitor SET version = version + 1 WHERE id = (SELECT monitor_id FROM monitor_selector WHERE id = NEW.selector_id); END;
  CREATE TRIGGER extractor_removed AFTER DELETE ON monitor_extractor
  BEGIN UPDATE monitor SET version = version + 1 WHERE id = (SELECT monitor_id FROM monitor_selector WHERE id = OLD.selector_id); END;
  CREATE TRIGGER tag_added AFTER INSERT ON monitor_tag
  BEGIN UPDATE monitor SET version = version + 1
    WHERE EXISTS (SELECT 1 FROM json_each(definition, '$.tags') WHERE value = NEW.name); END;
  CREATE TRIGGER tag_edited AFTER UPDATE ON monitor_tag
  BEGIN UPDATE monitor SET version = version + 1
    WHERE EXISTS (SELECT 1 FROM json_each(definition, '$.tags') WHERE value = NEW.name); END;
  CREATE TRIGGER tag_removed AFTER DELETE ON monitor_tag
  BEGIN UPDATE monitor SET version = version + 1
    WHERE EXISTS (SELECT 1 FROM json_each(definition, '$.tags') WHERE value = OLD.name); END;
  `,
  // What checks saw, and the name under which this home tells its changes to readers of feeds.
  20: `
  CREATE TABLE monitor_snapshot (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    monitor_id INTEGER NOT NULL REFERENCES monitor (id) ON DELETE CASCADE,
    run_id INTEGER NOT NULL,
    url TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX monitor_snapshot_by_monitor ON monitor_snapshot (monitor_id, id);
  CREATE INDEX monitor_snapshot_by_run ON monitor_snapshot (run_id);

  CREATE TABLE monitor_snapshot_part (
    snapshot_id INTEGER NOT NULL REFERENCES monitor_snapshot (id) ON DELETE CASCADE,
    part TEXT NOT NULL,
    content_type TEXT NOT NULL,
    blob_hash TEXT NOT NULL REFERENCES blob (hash),
    PRIMARY KEY (snapshot_id, part)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE monitor_feed (
    name TEXT PRIMARY KEY,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO monitor_feed VALUES (lower(hex(randomblob(16))), unixepoch() * 1000);
  `,
  // What monitors ask of the machine, as often as many ask for the same: an index of what decides it, since each new one is held against all.
  22: `
  CREATE INDEX monitor_by_demand ON monitor (active, page ->> '$.lane', json_patch('{}', json_object(
    'lane', definition -> '$.lane', 'screenshot', definition -> '$.screenshot', 'workflow_id', definition -> '$.workflow_id',
    'schedule', definition -> '$.schedule', 'tags', definition -> '$.tags')));
  CREATE VIEW monitor_demand AS SELECT id, active, page ->> '$.lane' AS seen, json_patch('{}', json_object(
    'lane', definition -> '$.lane', 'screenshot', definition -> '$.screenshot', 'workflow_id', definition -> '$.workflow_id',
    'schedule', definition -> '$.schedule', 'tags', definition -> '$.tags')) AS spec FROM monitor;
  `,
};
