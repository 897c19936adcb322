// Published functions that are proved again, and builds that are proposals.
export const HEALTH = `
  -- Published functions of a build are proved again once check_at has come, and every so many hours; null: never. checks counts how often they
  -- were. A build that was built again is a proposal, which its owner accepts or declines.
  ALTER TABLE build ADD COLUMN check_hours int CHECK (check_hours > 0);
  ALTER TABLE build ADD COLUMN check_at timestamptz;
  ALTER TABLE build ADD COLUMN checks bigint NOT NULL DEFAULT 0;
  ALTER TABLE build ADD COLUMN health json;
  ALTER TABLE build ADD COLUMN rebuild_of bigint;
  ALTER TABLE build ADD COLUMN proposal text CHECK (proposal IN ('accepted', 'declined'));
  CREATE INDEX build_due ON build (check_at) WHERE check_at IS NOT NULL;
  `;
