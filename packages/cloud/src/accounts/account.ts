// Accounts: whose the keys, credits and pages are.
import { randomBytes } from 'node:crypto';
import { AppError } from '@weft/contract';
import type { AccountTable, Input, ReplyOf } from '@weft/contract';
import type { Actor } from '@weft/serve';
import type { Credits } from '../credits/credits.ts';
import type { Database } from '../db/queries.ts';
import type { Closings } from './closing.ts';
import type { AccountKeys } from './key.ts';

type Account = ReplyOf<AccountTable['account']['read']>['body'];
type Patch = Input<AccountTable['account']['update']>['body'];

/** Accounts as their owners see them. */
export interface Accounts {
  read(accountId: string): Promise<Account>;
  update(accountId: string, patch: Patch): Promise<Account>;
  /** Closes the account and deletes every row of it, as `Closings.close` does. Throws AppError `bad_request` where `confirm` is another id. */
  delete(accountId: string, confirm: string): Promise<void>;
}

interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly retention_days: number;
  readonly created_at: Date;
}

const COLUMNS = 'id, name, retention_days, created_at';

export function createAccounts(database: Database, closings: Pick<Closings, 'close'>): Accounts {
  const { find } = database;
  const shown = (row: AccountRow | undefined): Account => {
    if (!row) throw new AppError('unauthorized', 'The account of this key was deleted.');
    const { id, name, retention_days, created_at } = row;
    return { id, name, retention_days, created_at: created_at.toISOString() };
  };
  return {
    read: async (accountId) => shown(await find<AccountRow>(`SELECT ${COLUMNS} FROM account WHERE id = $1`, [accountId])),
    async update(accountId, { name, retention_days: days }) {
      const set = 'name = coalesce($2, name), retention_days = coalesce($3, retention_days)';
      return shown(
        await find<AccountRow>(`UPDATE account SET ${set} WHERE id = $1 RETURNING ${COLUMNS}`, [accountId, name ?? null, days ?? null]),
      );
    },
    async delete(accountId, confirm) {
      if (confirm !== accountId)
        throw new AppError('bad_request', `"confirm" is "${confirm}", and this account is "${accountId}"; nothing was deleted.`);
      await closings.close(accountId);
    },
  };
}

export interface AccountPorts {
  readonly database: Database;
  readonly keys: AccountKeys;
  readonly credits: Credits;
}

/** What the first account of a cloud is given: its operator pays itself. */
const FIRST_CREDITS = 100_000;

/** The account that `actor` is of. Every query carries it (D50). */
export function accountOf({ account }: Actor): string {
  if (account === undefined) throw new Error('A row that is of an account was called without one.');
  return account;
}

/** A new account with so many credits, and an owner's key of it. */
export async function openAccount(
  name: string,
  amount: number,
  { database, keys, credits }: AccountPorts,
): Promise<{ readonly id: string; readonly token: string }> {
  return await database.transaction(async () => {
    const id = `acct_${randomBytes(16).toString('base64url')}`;
    await database.rows('INSERT INTO account (id, name) VALUES ($1, $2)', [id, name]);
    await credits.grant(id, amount, 'opened');
    const { token } = await keys.mint(id, { name: 'first', role: 'owner' });
    return { id, token };
  });
}

/** An account as its operator sees it. */
export interface AccountLine {
  readonly id: string;
  readonly name: string;
  readonly available: number;
  readonly held: number;
  readonly spent: number;
  readonly created_at: string;
}

/** All accounts that are not being deleted, oldest first. */
export async function listAccounts({ rows }: Pick<Database, 'rows'>): Promise<readonly AccountLine[]> {
  const all = await rows<Omit<AccountLine, 'created_at'> & { created_at: Date }>(
    `SELECT a.id, a.name, coalesce(b.available, 0) AS available, coalesce(b.held, 0) AS held, coalesce(b.spent, 0) AS spent, a.created_at
     FROM account a LEFT JOIN balance b ON b.account_id = a.id WHERE a.closed_at IS NULL ORDER BY a.created_at, a.id`,
  );
  return all.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}

/** Opens the first account, and answers its owner's token; undefined where there is an account already. */
export async function ensureFirstAccount(ports: AccountPorts): Promise<string | undefined> {
  const { database } = ports;
  return await database.transaction(async () => {
    // Of several processes that start at once, one makes it.
    await database.rows('LOCK TABLE account IN SHARE ROW EXCLUSIVE MODE');
    if (await database.find('SELECT 1 FROM account WHERE closed_at IS NULL LIMIT 1')) return undefined;
    return (await openAccount('first', FIRST_CREDITS, ports)).token;
  });
}
