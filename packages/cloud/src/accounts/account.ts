// Accounts: whose the keys, credits and pages are.
import { randomBytes } from 'node:crypto';
import type { Actor } from '@weft/serve';
import type { Credits } from '../credits/credits.ts';
import type { Database } from '../db/queries.ts';
import type { AccountKeys } from './key.ts';

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

/** Opens the first account, and answers its owner's token; undefined where there is an account already. */
export async function ensureFirstAccount(ports: AccountPorts): Promise<string | undefined> {
  const { database } = ports;
  return await database.transaction(async () => {
    // Of several processes that start at once, one makes it.
    await database.rows('LOCK TABLE account IN SHARE ROW EXCLUSIVE MODE');
    if (await database.find('SELECT 1 FROM account LIMIT 1')) return undefined;
    return (await openAccount('first', FIRST_CREDITS, ports)).token;
  });
}
