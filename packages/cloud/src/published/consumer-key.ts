// Keys that owners mint for the callers of a slug (D46): bound to it, to some of its functions, and to so many calls a day.
import { randomBytes } from 'node:crypto';
import { AppError, LIMITS } from '@weft/contract';
import type { AccountTable, Input, ReplyOf } from '@weft/contract';
import type { Clock } from '@weft/engine';
import { hashToken, newToken } from '@weft/serve';
import type { Actor } from '@weft/serve';
import type { Database } from '../db/queries.ts';
import type { Place } from './function.ts';

type Minted = ReplyOf<AccountTable['consumerKeys']['create']>['body'];
type Key = ReplyOf<AccountTable['consumerKeys']['list']>['body']['data'][number];
type New = Input<AccountTable['consumerKeys']['create']>['body'];
type Page = Input<AccountTable['consumerKeys']['list']>['query'];

export interface ConsumerKeys {
  /** A new key with its token. Throws AppError `not_found` for a slug that the account does not have. */
  mint(accountId: string, key: New): Promise<Minted>;
  list(accountId: string, page: Page): Promise<{ readonly data: Key[]; readonly total: number }>;
  /** Throws AppError `not_found`. */
  delete(accountId: string, id: string): Promise<void>;
  /** The actor of a token that was minted here and not deleted. */
  findActor(token: string): Promise<Actor | undefined>;
  /** Throws AppError `forbidden` for a function that the key is not for. */
  requireFor(accountId: string, id: string, place: Place): Promise<void>;
  /** Counts a call of today, within the transaction of its caller. Throws AppError `too_many_requests` for one more than it may have. */
  takeCall(accountId: string, id: string): Promise<void>;
}

interface KeyRow {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly paths: string[] | null;
  readonly daily_cap: number | null;
  readonly calls: number;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

const DAY_MS = 86_400_000;

export function createConsumerKeys({ rows, find }: Database, clock: Clock): ConsumerKeys {
  const today = () => new Date(clock.now()).toISOString().slice(0, 10);
  return {
    async mint(accountId, { name, slug, paths, daily_cap: cap }) {
      if (!(await find('SELECT 1 FROM slug WHERE slug = $1 AND account_id = $2', [slug, accountId])))
        throw new AppError('not_found', `There is no slug "${slug}" of yours; publish a workflow under it first.`);
      const token = newToken('csk');
      const row = await find<KeyRow>(
        `INSERT INTO consumer_key (id, account_id, slug, name, paths, daily_cap, hash) VALUES ($1, $2, $3, $4, $5, $6, $7)
         RETURNING *, 0 AS calls`,
        [`ckey_${randomBytes(16).toString('base64url')}`, accountId, slug, name, paths ?? null, cap ?? null, hashToken(token)],
      );
      if (!row) throw new Error('PostgreSQL made a row and did not return it.');
      return { ...toKey(row), token };
    },
    async list(accountId, { limit = LIMITS.listLimitDefault, offset = 0, slug }) {
      const of = 'FROM consumer_key k WHERE k.account_id = $1 AND ($2::text IS NULL OR k.slug = $2)';
      const data = await rows<KeyRow>(
        `SELECT k.*, coalesce((SELECT calls FROM consumer_use u WHERE u.key_id = k.id AND u.account_id = k.account_id AND u.day = $3), 0) AS calls
         ${of} ORDER BY k.created_at, k.id LIMIT $4 OFFSET $5`,
        [accountId, slug ?? null, today(), limit, offset],
      );
      const all = await find<{ total: number }>(`SELECT count(*) AS total ${of}`, [accountId, slug ?? null]);
      return { data: data.map(toKey), total: all?.total ?? 0 };
    },
    async delete(accountId, id) {
      const gone = await rows('DELETE FROM consumer_key WHERE id = $1 AND account_id = $2 RETURNING 1', [id, accountId]);
      if (gone.length === 0) throw new AppError('not_found', `There is no consumer key "${id}".`);
    },
    async findActor(token) {
      // Written at most once a minute, so that most calls only read.
      const row = await find<{ id: string; account_id: string; is_stale: boolean }>(
        `SELECT id, account_id, coalesce(last_used_at < now() - interval '1 minute', true) AS is_stale FROM consumer_key WHERE hash = $1`,
        [hashToken(token)],
      );
      if (!row) return undefined;
      if (row.is_stale) await rows('UPDATE consumer_key SET last_used_at = now() WHERE id = $1', [row.id]);
      return { id: row.id, family: 'csk', scopes: ['run'], account: row.account_id };
    },
    async requireFor(accountId, id, { slug, path }) {
      const key = await find<KeyRow>('SELECT * FROM consumer_key WHERE id = $1 AND account_id = $2', [id, accountId]);
      if (!key) throw new AppError('unauthorized', 'This key was deleted.');
      // The same for a slug that there is and one that there is not: a key tells nothing of others.
      if (key.slug !== slug) throw new AppError('forbidden', `This key calls functions of "${key.slug}", and of nothing else.`);
      if (key.paths !== null && !key.paths.includes(path))
        throw new AppError('forbidden', `This key calls ${key.paths.join(', ').slice(0, 500)} of "${slug}", and nothing else.`);
    },
    async takeCall(accountId, id) {
      const { daily_cap: cap } =
        (await find<KeyRow>('SELECT daily_cap FROM consumer_key WHERE id = $1 AND account_id = $2', [id, accountId])) ?? {};
      const taken = await rows(
        `INSERT INTO consumer_use (key_id, day, account_id, calls) VALUES ($1, $2, $3, 1)
         ON CONFLICT (key_id, day) DO UPDATE SET calls = consumer_use.calls + 1 WHERE $4::int IS NULL OR consumer_use.calls < $4 RETURNING 1`,
        [id, today(), accountId, cap ?? null],
      );
      if (taken.length > 0) return;
      const resetMs = (Math.floor(clock.now() / DAY_MS) + 1) * DAY_MS;
      throw new AppError(
        'too_many_requests',
        `This key has had its ${cap} calls of today; it has more at ${new Date(resetMs).toISOString()}.`,
        {
          retryAfterSeconds: Math.ceil((resetMs - clock.now()) / 1000),
        },
      );
    },
  };
}

function toKey({ id, name, slug, paths, daily_cap: cap, calls, created_at, last_used_at }: KeyRow): Key {
  return {
    id,
    name,
    slug,
    ...(paths === null ? {} : { paths }),
    ...(cap === null ? {} : { daily_cap: cap }),
    calls_today: calls,
    created_at: created_at.toISOString(),
    ...(last_used_at === null ? {} : { last_used_at: last_used_at.toISOString() }),
  };
}
