// The keys of accounts (D14, D42): minting, finding who a token is, deleting.
import { randomBytes } from 'node:crypto';
import { AppError, LIMITS } from '@weft/contract';
import type { AccountTable, Input, KeyRole, ReplyOf, Scope } from '@weft/contract';
import { hashToken, newToken } from '@weft/serve';
import type { Actor } from '@weft/serve';
import type { Database } from '../db/queries.ts';

type Minted = ReplyOf<AccountTable['accountKeys']['create']>['body'];
type Key = ReplyOf<AccountTable['accountKeys']['list']>['body']['data'][number];
type Page = Input<AccountTable['accountKeys']['list']>['query'];

interface KeyRow {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly role: KeyRole;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

export interface AccountKeys {
  /** A new key of an account, with its token. */
  mint(accountId: string, key: { readonly name: string; readonly role: KeyRole }): Promise<Minted>;
  list(accountId: string, page: Page): Promise<{ readonly data: Key[]; readonly total: number }>;
  /** Throws AppError `not_found`, and `conflict` for the last owner's key: nobody could manage the account any more. */
  delete(accountId: string, id: string): Promise<void>;
  /** The actor of a token that was minted here and not deleted. */
  findActor(token: string): Promise<Actor | undefined>;
}

/** What a role may do, in the terms of the operation table. */
const SCOPES: Readonly<Record<KeyRole, readonly Scope[]>> = { owner: ['admin'], api: ['read', 'run'] };
const COLUMNS = 'id, account_id, name, role, created_at, last_used_at';

export function createAccountKeys({ rows, find, transaction }: Database): AccountKeys {
  return {
    async mint(accountId, { name, role }) {
      const token = newToken('wt');
      const id = `key_${randomBytes(16).toString('base64url')}`;
      const row = await find<KeyRow>(
        `INSERT INTO account_key (id, account_id, name, role, hash) VALUES ($1, $2, $3, $4, $5) RETURNING ${COLUMNS}`,
        [id, accountId, name, role, hashToken(token)],
      );
      if (!row) throw new Error('PostgreSQL made a row and did not return it.');
      return { ...toKey(row), token };
    },
    async list(accountId, { limit = LIMITS.listLimitDefault, offset = 0 }) {
      const page = 'WHERE account_id = $1 ORDER BY created_at, id LIMIT $2 OFFSET $3';
      const data = await rows<KeyRow>(`SELECT ${COLUMNS} FROM account_key ${page}`, [accountId, limit, offset]);
      const all = await find<{ total: number }>('SELECT count(*) AS total FROM account_key WHERE account_id = $1', [accountId]);
      return { data: data.map(toKey), total: all?.total ?? 0 };
    },
    delete: (accountId, id) =>
      transaction(async () => {
        const owners = await rows<KeyRow>(`SELECT ${COLUMNS} FROM account_key WHERE account_id = $1 AND role = 'owner' FOR UPDATE`, [
          accountId,
        ]);
        if (owners.length === 1 && owners[0]?.id === id)
          throw new AppError('conflict', `"${id}" is the last owner's key of this account. Mint another one with the role owner first.`);
        const gone = await rows('DELETE FROM account_key WHERE account_id = $1 AND id = $2 RETURNING id', [accountId, id]);
        if (gone.length === 0) throw new AppError('not_found', `There is no key "${id}".`);
      }),
    async findActor(token) {
      // Written at most once a minute, so that most calls only read.
      const row = await find<KeyRow & { readonly is_stale: boolean }>(
        `SELECT ${COLUMNS}, coalesce(last_used_at < now() - interval '1 minute', true) AS is_stale FROM account_key WHERE hash = $1`,
        [hashToken(token)],
      );
      if (!row) return undefined;
      if (row.is_stale) await rows('UPDATE account_key SET last_used_at = now() WHERE id = $1', [row.id]);
      return { id: row.id, family: 'wt', scopes: SCOPES[row.role], account: row.account_id };
    },
  };
}

function toKey({ id, name, role, created_at, last_used_at }: KeyRow): Key {
  return {
    id,
    name,
    role,
    created_at: created_at.toISOString(),
    ...(last_used_at === null ? {} : { last_used_at: last_used_at.toISOString() }),
  };
}
