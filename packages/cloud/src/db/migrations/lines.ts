// The lines of hosts over all processes, and whose turn is next.
export const LINES = `
  -- Which processes want to ask a host, for whom, and since when; a process that no longer looks leaves with its time. A line is made again
  -- by whoever stands in it, so that it need not outlive the server.
  CREATE UNLOGGED TABLE host_line (
    host text NOT NULL,
    holder text NOT NULL,
    account text NOT NULL,
    is_urgent boolean NOT NULL,
    since timestamptz NOT NULL,
    until_at timestamptz NOT NULL,
    PRIMARY KEY (host, holder, account, is_urgent)
  );
  -- Accounts that had the last turns at a host, the last one first, and how many who stay for their answers went one after another.
  ALTER TABLE host_lease ADD COLUMN served text[] NOT NULL DEFAULT '{}';
  ALTER TABLE host_lease ADD COLUMN urgent_turns smallint NOT NULL DEFAULT 0;
  -- When somebody last had to wait for another process.
  ALTER TABLE host_lease ADD COLUMN wanted_at timestamptz;
  `;
