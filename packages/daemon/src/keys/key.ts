// Restricted keys: minting, finding who a token is, deleting with everything that hangs on it (D14).
import { randomBytes } from 'node:crypto';
import { AppError, LIMITS, parseScopes } from '@weft/contract';
import type { Key, MintedKey } from '@weft/contract';
import type { Actor, StreamRegistry } from '@weft/serve';
import { hashToken, newToken } from '@weft/serve';
import { isDatabaseFault } from '../db/fault.ts';
import type { Clock } from '@weft/engine';
import { toInstant } from '@weft/serve';
import type { KeyRow, KeyStore } from './store.ts';

/** `last_used_at` is written at most once in this time, so that reading stays a read. */
const TOUCH_MS = 60_000;

export interface Keys {
  mint(input: { readonly name: string; readonly scopes: string }): MintedKey;
  list(page: { readonly limit?: number | undefined; readonly offset?: number | undefined }): {
    readonly data: Key[];
    readonly total: number;
  };
  /** Throws AppError `not_found`. */
  require(id: string): Key;
  /** Ends the key's streams and tickets too. Throws AppError `not_found`. */
  delete(id: string): void;
  exists(id: string): boolean;
  /** The actor of a token that was minted here and not deleted. */
  findActor(token: string): Actor | undefined;
}

export interface KeyPorts {
  readonly store: KeyStore;
  readonly streams: StreamRegistry;
  readonly clock: Clock;
}

export function createKeys({ store, streams, clock }: KeyPorts): Keys {
  /** A key that reads works on a full disk too, although its use can't be noted there. */
  const touch = (id: string) => {
    try {
      store.touch(id, clock.now());
    } catch (error) {
      if (!isDatabaseFault(error)) throw error;
    }
  };
  return {
    mint(input) {
      const token = newToken('wlk');
      const row = {
        id: `key_${randomBytes(12).toString('hex')}`,
        name: input.name,
        scopes: parseScopes(input.scopes).join(','),
        created_at: clock.now(),
        last_used_at: null,
      };
      store.insert({ ...row, token_hash: hashToken(token) });
      return { ...toKey(row), token };
    },
    list(page) {
      return { data: store.list(page.limit ?? LIMITS.listLimitDefault, page.offset ?? 0).map(toKey), total: store.count() };
    },
    require(id) {
      const row = store.find(id);
      if (!row) throw unknownKey(id);
      return toKey(row);
    },
    delete(id) {
      if (!store.delete(id)) throw unknownKey(id);
      streams.endOf(id);
    },
    exists: (id) => store.find(id) !== undefined,
    findActor(token) {
      const row = store.findByHash(hashToken(token));
      if (!row) return undefined;
      if (clock.now() - (row.last_used_at ?? 0) > TOUCH_MS) touch(row.id);
      return { id: row.id, family: 'wlk', scopes: parseScopes(row.scopes) };
    },
  };
}

function toKey(row: KeyRow): Key {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    created_at: toInstant(row.created_at),
    ...(row.last_used_at === null ? {} : { last_used_at: toInstant(row.last_used_at) }),
  };
}

function unknownKey(id: string): AppError {
  return new AppError('not_found', `There is no key "${id.slice(0, 60)}".`);
}
