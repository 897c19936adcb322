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
};
