// What the vault adds to the agent.
import type { Group } from '../group.ts';
import { createDeviceKeys } from './device-key.ts';
import { extraVaultHandlers, vaultHandlers } from './handlers.ts';
import { createValueStore } from './store.ts';
import type { Vault } from './vault.ts';
import { createVault } from './vault.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly vault: Vault;
  }
}

export const group: Group = {
  nouns: {
    vault: ({ home, database, clock, settings, keychain, log }) =>
      createVault({
        folder: home.file('vault'),
        deviceKeys: createDeviceKeys(home.file('vault', 'device.key'), settings.vault.device_key === 'file' ? undefined : keychain),
        store: createValueStore(database),
        database,
        clock,
        idleMinutes: settings.vault.idle_minutes,
        log,
      }),
  },
  specified: ({ vault }) => ({ vault: vaultHandlers(vault) }),
  extra: ({ vault }) => ({ vault: extraVaultHandlers(vault) }),
  open: ({ vault }) => vault.start(),
  close: ({ vault }) => vault.stop(),
};
