// Secrets: what is told of them, and the one way to a value, which goes to an origin that it is bound to (D34).
import { AppError, LIMITS } from '@weft/contract';
import type { NewSecret, Secret } from '@weft/contract';
import type { Clock } from '@weft/engine';
import { toInstant } from '@weft/serve';
import type { Vault } from '../vault/vault.ts';
import type { SecretRow, SecretStore } from './store.ts';

export interface Secrets {
  list(page: { readonly limit?: number | undefined; readonly offset?: number | undefined }): {
    readonly data: Secret[];
    readonly total: number;
  };
  /** Throws AppError `not_found`. */
  require(key: string): Secret;
  /** Makes a secret, or replaces the value of the one of that key; true for a new one. Throws AppError `vault_locked`. */
  put(input: NewSecret): boolean;
  /** Throws AppError `not_found`, `vault_locked`. */
  delete(key: string): void;
  /** The value, for sending it to `origin` now. Throws AppError `not_found`, `forbidden` for an origin that it is not bound to, `vault_locked`. */
  valueFor(key: string, origin: string): string;
}

export interface SecretPorts {
  readonly store: SecretStore;
  readonly vault: Vault;
  readonly clock: Clock;
}

const OWNER = 'secret';

export function createSecrets({ store, vault, clock }: SecretPorts): Secrets {
  const requireRow = (key: string): SecretRow => {
    const row = store.find(key);
    if (!row) throw new AppError('not_found', `There is no secret "${key}".`);
    return row;
  };
  return {
    list: (page) => ({ data: store.list(page.limit ?? LIMITS.listLimitDefault, page.offset ?? 0).map(toSecret), total: store.count() }),
    require: (key) => toSecret(requireRow(key)),
    put({ key, value, origins }) {
      const known = store.find(key);
      const nowMs = clock.now();
      const kept = origins ? JSON.stringify(origins) : (known?.origins ?? '[]');
      const row = { key, origins: kept, created_at: known?.created_at ?? nowMs, updated_at: nowMs };
      store.put(row, () => vault.put({ owner: OWNER, record: key, field: 'value' }, value));
      return known === undefined;
    },
    delete(key) {
      requireRow(key);
      store.delete(key, () => vault.remove(OWNER, key));
    },
    valueFor(key, origin) {
      const { origins } = toSecret(requireRow(key));
      if (!origins.includes(origin))
        throw new AppError('forbidden', `The secret "${key}" is not for ${origin}; it is for ${origins.join(', ') || 'no origin yet'}.`);
      const value = vault.find({ owner: OWNER, record: key, field: 'value' });
      if (!value) throw new AppError('not_found', `The secret "${key}" has no value; set it again.`);
      store.touch(key, clock.now());
      return value.toString();
    },
  };
}

function toSecret(row: SecretRow): Secret {
  return {
    key: row.key,
    origins: JSON.parse(row.origins) as string[],
    created_at: toInstant(row.created_at),
    updated_at: toInstant(row.updated_at),
    ...(row.last_used_at === null ? {} : { last_used_at: toInstant(row.last_used_at) }),
  };
}
