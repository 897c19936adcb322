// Accounts: whose the keys, credits and pages are.
import { randomBytes } from 'node:crypto';
import type { Actor } from '@weft/serve';
import type { Credits } from '../credits/credits.ts';
import type { Database } from '../db/queries.ts';
import type { AccountKeys } from './key.ts';

/** What the first account of a cloud is given: its operator pays itself. */
const FIRST_CREDITS = 100_000;

/** The account that `actor` is of. Every query carries it (D50). */
export function accountOf({ account }: Actor): string {
  if (account === undefined) throw new Error('A row that is of an account was called without one.');
  return account;
}

/** Makes the first account with an owner's key, whose token it answers; undefined where there is one already. */
export async function ensureFirstAccount(database: Database, keys: AccountKeys, credits: Credits): Promise<string | undefined> {
  return await database.transaction(async () => {
    // Of several processes that start at once, one makes it.
    await database.rows('LOCK TABLE account IN SHARE ROW EXCLUSIVE MODE');
    if (await database.find('SELECT 1 FROM account LIMIT 1')) return undefined;
    const id = `acct_${randomBytes(16).toString('base64url')}`;
    await database.rows('INSERT INTO account (id, name) VALUES ($1, $2)', [id, 'first']);
    await credits.grant(id, FIRST_CREDITS, 'the first account of this cloud');
    const { token } = await keys.mint(id, { name: 'first', role: 'owner' });
    return token;
  });
}
