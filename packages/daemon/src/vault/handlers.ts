// Group Vault.
import { AppError } from '@weft/contract';
import type { DaemonTable, ExtraTable } from '@weft/contract';
import type { GroupHandlers } from '@weft/serve';
import type { Vault } from './vault.ts';

export function vaultHandlers(vault: Vault): GroupHandlers<DaemonTable['vault']> {
  return {
    status: () => ({ status: 200, body: vault.status() }),
    lock: () => ({ status: 200, body: vault.lock() }),
    unlock: async ({ body, actor }) => {
      if (body.new_passphrase !== undefined && actor.family !== 'wlt')
        throw new AppError('forbidden', 'Only the runtime token (wlt_) may set a passphrase.');
      return { status: 200, body: await vault.unlock(body) };
    },
  };
}

export function extraVaultHandlers(vault: Vault): GroupHandlers<ExtraTable['vault']> {
  return { rotate: async ({ body }) => ({ status: 200, body: await vault.rotate(body) }) };
}
