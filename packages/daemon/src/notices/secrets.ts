// The values that channels have sealed in the vault, and which of them each kind needs.
import { AppError, SECRETS_OF } from '@weft/contract';
import type { ChannelKind, ChannelPatch, ChannelSecretName, ChannelTarget } from '@weft/contract';
import type { ChannelSecretsInUse } from '@weft/engine';
import type { Vault } from '../vault/vault.ts';
import type { ChannelRow } from './channel-store.ts';

/** So long the secret before the last one signs beside it. */
const ROTATION_MS = 86_400_000;
const OWNER = 'channel';
const PREVIOUS = 'previous_secret';

/** What is sent: values to keep, and null for those to take out. */
export type SentSecrets = NonNullable<ChannelPatch['secrets']>;

export interface ChannelVault {
  /** The names of a channel's values, also while the vault is locked. */
  namesOf(id: number): readonly string[];
  /** Throws AppError `vault_locked`. */
  keep(id: number, sent: SentSecrets): void;
  /** Throws AppError `vault_locked` where there are any. */
  forget(id: number): void;
  /** The values, for one attempt now. Throws AppError `vault_locked`; the channel is then named by what waits for the vault. */
  open(channel: Pick<ChannelRow, 'id' | 'name' | 'secret_changed_at'>, nowMs: number): ChannelSecretsInUse;
}

export function createChannelVault(vault: Vault): ChannelVault {
  const record = String;
  const find = (id: number, field: string) => vault.find({ owner: OWNER, record: record(id), field })?.toString();
  return {
    namesOf: (id) => vault.fieldsOf(OWNER, record(id)).filter((name) => name !== PREVIOUS),
    keep(id, sent) {
      const kept = vault.fieldsOf(OWNER, record(id));
      const before = sent.secret !== undefined && kept.includes('secret') ? find(id, 'secret') : undefined;
      if (before !== undefined) vault.put({ owner: OWNER, record: record(id), field: PREVIOUS }, before);
      for (const [field, value] of Object.entries(sent)) {
        if (typeof value === 'string') vault.put({ owner: OWNER, record: record(id), field }, value);
        else if (value === null && kept.includes(field)) vault.remove(OWNER, record(id), [field]);
      }
    },
    forget: (id) => vault.remove(OWNER, record(id)),
    open({ id, name, secret_changed_at: changedMs }, nowMs) {
      const names = vault.fieldsOf(OWNER, record(id));
      if (names.length === 0) return {};
      vault.require({ kind: OWNER, id, name });
      const isRotating = changedMs !== null && nowMs - changedMs < ROTATION_MS;
      const values = names.flatMap((field): [string, string][] => {
        if (field === PREVIOUS && !isRotating) return [];
        const value = find(id, field);
        return value === undefined ? [] : [[field === PREVIOUS ? 'previousSecret' : field, value]];
      });
      // The names are those that `keep` wrote.
      return Object.fromEntries(values) as ChannelSecretsInUse;
    },
  };
}

/** Throws AppError `bad_request` for a value that a channel of this kind has no use for, and for one that it needs and has not. */
export function checkSecrets(kind: ChannelKind, sent: SentSecrets, kept: readonly string[]): void {
  const { needed, allowed } = SECRETS_OF[kind];
  // Names are those of the schema.
  for (const name of Object.keys(sent) as ChannelSecretName[])
    if (!allowed.includes(name))
      throw new AppError('bad_request', `"secrets.${name}" has no meaning for ${kind}; it takes ${allowed.join(', ') || 'no secrets'}.`);
  for (const name of needed)
    if ((sent[name] ?? null) === null && !kept.includes(name))
      throw new AppError('bad_request', `"secrets.${name}" is needed for ${kind}.`);
}

/** Throws AppError `bad_request` where values that go to a server are kept, and the server is to be another one (D34). */
export function checkMove(before: ChannelTarget, after: ChannelTarget, sent: SentSecrets, kept: readonly string[]): void {
  if (serverOf(before) === serverOf(after)) return;
  for (const name of ['token', 'password'] as const)
    if (kept.includes(name) && sent[name] === undefined)
      throw new AppError(
        'bad_request',
        `"secrets.${name}" was given for ${serverOf(before)}: send it again for ${serverOf(after)}, or null.`,
      );
}

/** Where a channel's values go. */
export function serverOf(to: ChannelTarget): string {
  if (to.kind === 'smtp') return `${to.host}:${to.port}`;
  if (to.kind === 'ntfy' || to.kind === 'telegram') return new URL(to.server).origin;
  return to.kind === 'webhook' ? new URL(to.url).origin : to.kind;
}
