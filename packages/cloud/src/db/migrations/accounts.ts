// Accounts with their keys, their books, and what calls leave behind.
export const ACCOUNTS = `
  CREATE TABLE account (
    id text PRIMARY KEY,
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE account_key (
    id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    name text NOT NULL,
    role text NOT NULL CHECK (role IN ('owner', 'api')),
    hash bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz
  );
  CREATE INDEX account_key_by_account ON account_key (account_id, created_at, id);

  -- A movement leaves one book and comes to another, so that the books of an account always agree (D43).
  CREATE TABLE ledger (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    at timestamptz NOT NULL DEFAULT now(),
    kind text NOT NULL CHECK (kind IN ('grant', 'reserve', 'settle', 'refund')),
    from_book text NOT NULL CHECK (from_book IN ('granted', 'available', 'held', 'spent')),
    to_book text NOT NULL CHECK (to_book IN ('granted', 'available', 'held', 'spent') AND to_book <> from_book),
    amount bigint NOT NULL CHECK (amount > 0),
    hold_id text,
    operation text,
    about text
  );
  CREATE INDEX ledger_by_account ON ledger (account_id, id);
  -- What the movements add up to, so that nobody adds them up to learn whether a page may be had.
  CREATE TABLE balance (
    account_id text PRIMARY KEY REFERENCES account ON DELETE CASCADE,
    available bigint NOT NULL DEFAULT 0 CHECK (available >= 0),
    held bigint NOT NULL DEFAULT 0 CHECK (held >= 0),
    spent bigint NOT NULL DEFAULT 0 CHECK (spent >= 0)
  );
  -- What is reserved by work that may die: given back after until_at.
  CREATE TABLE hold (
    id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    amount bigint NOT NULL CHECK (amount > 0),
    operation text NOT NULL,
    until_at timestamptz NOT NULL
  );
  CREATE INDEX hold_by_end ON hold (until_at);
  CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'the ledger is only added to'; END $$;
  CREATE TRIGGER ledger_is_added_to BEFORE UPDATE ON ledger FOR EACH ROW EXECUTE FUNCTION refuse_change();

  CREATE TABLE scrape (
    id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    at timestamptz NOT NULL DEFAULT now(),
    -- As text: binary JSON takes no NUL and no half of a surrogate, and pages have both.
    answer json NOT NULL
  );
  CREATE INDEX scrape_by_time ON scrape (at);

  CREATE TABLE idempotency (
    id text PRIMARY KEY,
    print text NOT NULL,
    effect jsonb,
    at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX idempotency_by_time ON idempotency (at);

  -- Pages of a UTC day: of a device, and of all devices behind one address.
  CREATE TABLE keyless_use (
    who bytea NOT NULL,
    day date NOT NULL,
    pages int NOT NULL CHECK (pages >= 0),
    PRIMARY KEY (who, day)
  );
  CREATE TABLE keyless_flight (
    id text PRIMARY KEY,
    network bytea NOT NULL,
    until_at timestamptz NOT NULL
  );
  CREATE INDEX keyless_flight_by_network ON keyless_flight (network);

  CREATE TABLE secret (name text PRIMARY KEY, bytes bytea NOT NULL);
  `;
