// Accounts that are being deleted, and what has many rows of one account and is looked up by it.
export const CLOSING = `
  -- Since when nobody gets in any more; what it had goes in pieces, and its own row last.
  ALTER TABLE account ADD COLUMN closed_at timestamptz;
  CREATE INDEX account_closed ON account (closed_at) WHERE closed_at IS NOT NULL;
  CREATE INDEX scrape_by_account ON scrape (account_id);
  CREATE INDEX picture_by_account ON picture (account_id);
  CREATE INDEX blob_by_account ON blob (account_id);
  `;
