// The second fence between accounts (D50): what a call does runs in a role that sees the rows of its own account alone, whatever it asks for.
import type { Database } from './queries.ts';

/** The role of calls and of work for one account. It logs in nowhere: a transaction takes it on, and ends with it. */
export const APP_ROLE = 'weft_app';

const ACCOUNT = `(SELECT nullif(current_setting('weft.account', true), ''))`;
const ALL = 'SELECT, INSERT, UPDATE, DELETE';

/** Tables of no account, and what calls may do with them. */
export const SHARED_TABLES: Readonly<Record<string, string>> = {
  host_lease: ALL,
  host_line: ALL,
  keyless_flight: ALL,
  keyless_use: ALL,
  robots_copy: ALL,
  taken_slug: 'SELECT, INSERT',
};

/** Tables that the program reads for itself: calls have no right on them. */
export const CLOSED_TABLES: readonly string[] = ['migration', 'rate_bucket', 'secret', 'upkeep'];

/** Whose a row is, where no column `account_id` alone says so. */
const OWNED_BY: Readonly<Record<string, string>> = {
  account: `id = ${ACCOUNT}`,
  blob_content: `EXISTS (SELECT 1 FROM blob WHERE blob.key = blob_content.key)`,
  crawl_offer: `EXISTS (SELECT 1 FROM crawl WHERE crawl.number = crawl_offer.crawl)`,
  crawl_url: `EXISTS (SELECT 1 FROM crawl WHERE crawl.number = crawl_url.crawl)`,
  // Notes of the program before, which knew no accounts here: their id begins with the key.
  idempotency: `account_id = ${ACCOUNT} OR account_id IS NULL`,
};

/** What calls may do, where that is not everything. */
const RIGHTS: Readonly<Record<string, string>> = {
  account: 'SELECT, UPDATE (name, retention_days), DELETE',
  ledger: 'SELECT, INSERT',
};

/**
 * Gives every table that has none its policy and its rights, within the transaction of the migration. A table that is neither of an account
 * nor named here gets neither: calls do not see it. Throws what the server says where its user may make no roles.
 */
export async function fence(database: Database): Promise<void> {
  const { rows } = database;
  await ensureRole(database);
  await rows(`DO $$ BEGIN EXECUTE format('GRANT USAGE ON ALL SEQUENCES IN SCHEMA %I TO ${APP_ROLE}', current_schema()); END $$`);
  const tables = await rows<{ name: string; has_account: boolean }>(
    `SELECT c.relname AS name, EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'account_id' AND NOT a.attisdropped) AS has_account
     FROM pg_class c WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace AND NOT c.relrowsecurity ORDER BY 1`,
  );
  for (const { name, has_account: hasAccount } of tables) {
    if (CLOSED_TABLES.includes(name)) continue;
    const shared = SHARED_TABLES[name];
    if (shared !== undefined) {
      await rows(`GRANT ${shared} ON ${name} TO ${APP_ROLE}`);
      continue;
    }
    await rows(`ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY`);
    const owned = OWNED_BY[name] ?? (hasAccount ? `account_id = ${ACCOUNT}` : undefined);
    if (owned === undefined) continue;
    await rows(`CREATE POLICY of_account ON ${name} TO ${APP_ROLE} USING (${owned}) WITH CHECK (${owned})`);
    await rows(`GRANT ${RIGHTS[name] ?? ALL} ON ${name} TO ${APP_ROLE}`);
  }
}

/** Roles are of the whole server: another database of it may have made this one, or be making it now. */
async function ensureRole({ rows }: Database): Promise<void> {
  // Before PostgreSQL 16 whoever was a member of a role might take it on.
  await rows(`DO $$ BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${APP_ROLE}') THEN
      BEGIN CREATE ROLE ${APP_ROLE} NOLOGIN NOBYPASSRLS; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END;
    END IF;
    IF NOT pg_has_role(current_user, '${APP_ROLE}', CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END) THEN GRANT ${APP_ROLE} TO CURRENT_USER; END IF;
  END $$`);
  await rows(`DO $$ BEGIN EXECUTE format('GRANT USAGE ON SCHEMA %I TO ${APP_ROLE}', current_schema()); END $$`);
}
