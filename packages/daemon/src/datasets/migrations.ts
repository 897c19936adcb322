// Steps of the database's schema that belong to datasets, by their numbers among all.
export const migrations: Readonly<Record<number, string>> = {
  // Rows without a key (D24): their dataset shows the newest settled run whole. Everything that hangs on it changes with the run's own
  // status, in the same transaction, whoever settles the run: `newest_run_id` is NULL where records replace each other by key, else the run
  // that is shown, 0 before the first. A run is `hidden` while its rows stand in the full-text index and are not to be found.
  10: `
  ALTER TABLE dataset ADD COLUMN newest_run_id INTEGER;

  CREATE TABLE dataset_run (
    dataset_id INTEGER NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
    run_id INTEGER NOT NULL,
    records INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'settled', 'dropped')),
    is_hidden INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (dataset_id, run_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX dataset_run_hidden ON dataset_run (run_id) WHERE is_hidden = 1;
  CREATE INDEX dataset_run_dropped ON dataset_run (run_id) WHERE state = 'dropped';

  CREATE TRIGGER run_settled AFTER UPDATE OF status ON run
  WHEN old.status IN ('queued', 'running', 'waiting_human') AND new.status NOT IN ('queued', 'running', 'waiting_human')
    AND (SELECT newest_run_id FROM dataset WHERE id = new.dataset_id) IS NOT NULL
  BEGIN
    INSERT INTO dataset_run (dataset_id, run_id) SELECT new.dataset_id, new.id WHERE new.status = 'succeeded' ON CONFLICT DO NOTHING;
    UPDATE dataset_run SET state = 'settled' WHERE dataset_id = new.dataset_id AND run_id = new.id AND state = 'live';
  END;
  CREATE TRIGGER dataset_run_late AFTER INSERT ON dataset_run
  WHEN new.state = 'live' AND NOT EXISTS (SELECT 1 FROM run WHERE id = new.run_id AND status IN ('queued', 'running', 'waiting_human'))
  BEGIN
    UPDATE dataset_run SET state = 'settled' WHERE dataset_id = new.dataset_id AND run_id = new.run_id;
  END;
  CREATE TRIGGER dataset_run_replaces AFTER UPDATE OF state ON dataset_run
  WHEN (SELECT newest_run_id FROM dataset WHERE id = new.dataset_id) IS NOT NULL
  BEGIN
    UPDATE dataset_run SET is_hidden = 1
      WHERE dataset_id = new.dataset_id AND run_id = (SELECT newest_run_id FROM dataset WHERE id = new.dataset_id);
    UPDATE dataset SET newest_run_id = ifnull(
        (SELECT run_id FROM dataset_run WHERE dataset_id = new.dataset_id AND state = 'settled' ORDER BY run_id DESC LIMIT 1), 0)
      WHERE id = new.dataset_id;
    UPDATE dataset SET records = ifnull((SELECT records FROM dataset_run WHERE dataset_id = dataset.id AND run_id = newest_run_id), 0)
      WHERE id = new.dataset_id;
    UPDATE dataset_run SET is_hidden = 0
      WHERE dataset_id = new.dataset_id AND run_id = (SELECT newest_run_id FROM dataset WHERE id = new.dataset_id);
  END;

  DROP TRIGGER record_deleted;
  CREATE TRIGGER record_deleted AFTER DELETE ON record WHEN old.is_newest = 1 BEGIN
    DELETE FROM record_text WHERE rowid = old.id;
    UPDATE dataset_run SET records = records - 1 WHERE dataset_id = old.dataset_id AND run_id = old.run_id;
    UPDATE dataset SET records = records - 1 WHERE id = old.dataset_id AND ifnull(newest_run_id, old.run_id) = old.run_id;
  END;

  INSERT INTO record_text (record_text, rank) VALUES ('deletemerge', 50);
  `,
};
