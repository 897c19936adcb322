// Accounts in turn among due targets, traces that reach webhooks, and what is found by its age.
export const TURNS = `
  -- What a call leads to is one trace, up to the message that tells of it.
  ALTER TABLE delivery ADD COLUMN trace text;
  ALTER TABLE target_run ADD COLUMN trace text;
  -- Targets of one account that are due, for accounts in turn.
  CREATE INDEX target_due_of_account ON target (account_id, due_at) WHERE due_at IS NOT NULL;
  -- What an account keeps no longer.
  CREATE INDEX target_record_by_time ON target_record (account_id, created_at);
  CREATE INDEX target_change_by_time ON target_change (account_id, created_at);
  CREATE INDEX target_snapshot_by_time ON target_snapshot (account_id, created_at);
  `;
