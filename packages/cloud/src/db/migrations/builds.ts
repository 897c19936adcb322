// Builds with their rungs and proofs.
export const BUILDS = `
  -- A build is kept as it stood when its last rung ended; each rung has an id of its own, and proofs keep the answers that they were decided by.
  CREATE TABLE build (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    asked json NOT NULL,
    ladder json NOT NULL,
    result json,
    hold_id text NOT NULL,
    budget bigint NOT NULL,
    charged bigint NOT NULL DEFAULT 0,
    published json,
    is_live boolean NOT NULL DEFAULT true,
    claim text UNIQUE,
    alive_until timestamptz,
    losses int NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX build_live ON build (number) WHERE is_live;
  CREATE INDEX build_by_account ON build (account_id, updated_at);
  CREATE TABLE build_rung (
    build_id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    build bigint NOT NULL REFERENCES build (number) ON DELETE CASCADE
  );
  CREATE INDEX build_rung_by_build ON build_rung (build);
  CREATE TABLE build_answer (
    build bigint NOT NULL REFERENCES build (number) ON DELETE CASCADE,
    sha256 text NOT NULL,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    bytes bytea NOT NULL,
    PRIMARY KEY (build, sha256)
  );
  `;
