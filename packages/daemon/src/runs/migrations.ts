// Steps of the schema that belong to runs.

export const migrations: Readonly<Record<number, string>> = {
  // Where a run waits for a place, what made it, what it goes by, and until when.
  11: `
  ALTER TABLE run ADD COLUMN queue TEXT NOT NULL DEFAULT '';
  ALTER TABLE run ADD COLUMN trigger TEXT NOT NULL DEFAULT 'call';
  ALTER TABLE run ADD COLUMN parent_id INTEGER REFERENCES run (id) ON DELETE SET NULL;
  ALTER TABLE run ADD COLUMN persona_id INTEGER;
  ALTER TABLE run ADD COLUMN lane TEXT;
  ALTER TABLE run ADD COLUMN revision INTEGER;
  ALTER TABLE run ADD COLUMN deadline_at INTEGER;
  UPDATE run SET queue = iif((SELECT options ->> '$.limit' FROM crawl WHERE run_id = run.id) = 1, 'page', kind);
  CREATE INDEX run_queued ON run (queue, id) WHERE status = 'queued';
  CREATE INDEX run_by_parent ON run (parent_id) WHERE parent_id IS NOT NULL;
  `,
  // Runs that found nothing new are summed up by the hour, and the newest of each source kept; the feed passes over them.
  17: `
  ALTER TABLE run ADD COLUMN is_unchanged INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX run_shown ON run (id) WHERE is_unchanged = 0;
  CREATE INDEX run_shown_by_status ON run (status, id) WHERE is_unchanged = 0;
  CREATE INDEX run_unchanged ON run (source_kind, source_id, id) WHERE is_unchanged = 1;

  CREATE TABLE run_unchanged_hour (
    source_kind TEXT NOT NULL,
    source_id INTEGER NOT NULL,
    hour_at INTEGER NOT NULL,
    runs INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    PRIMARY KEY (source_kind, source_id, hour_at)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX run_unchanged_hour_by_age ON run_unchanged_hour (hour_at);
  `,
};
