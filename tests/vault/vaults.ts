// Vaults for tests: the real one, on a home and a database of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../packages/daemon/src/db/open.ts';
import type { Database } from '../../packages/daemon/src/db/open.ts';
import type { Home } from '../../packages/daemon/src/home.ts';
import { prepareHome } from '../../packages/daemon/src/home.ts';
import { createDeviceKeys } from '../../packages/daemon/src/vault/device-key.ts';
import type { Keychain } from '../../packages/daemon/src/vault/keychain.ts';
import { createValueStore } from '../../packages/daemon/src/vault/store.ts';
import type { Vault } from '../../packages/daemon/src/vault/vault.ts';
import { createVault } from '../../packages/daemon/src/vault/vault.ts';
import type { TestClock } from '../agent.ts';
import { testClock } from '../agent.ts';

export interface TestVault extends AsyncDisposable {
  readonly vault: Vault;
  readonly home: Home;
  readonly database: Database;
  readonly clock: TestClock;
  /** Lines of warnings and errors. */
  readonly logged: readonly unknown[][];
}

export interface TestVaultOptions {
  /** Left alone in the end when it is given. */
  readonly home?: string;
  readonly keychain?: Keychain;
  readonly idleMinutes?: number;
}

/** A vault that is started as an agent does it. */
export function openTestVault(options: TestVaultOptions = {}): TestVault {
  const home = prepareHome(options.home ?? mkdtempSync(join(tmpdir(), 'weft-vault-')));
  const clock = testClock();
  const database = openDatabase({ path: home.file('weft.db'), backups: home.file('backups'), nowMs: clock.now() });
  const logged: unknown[][] = [];
  const note = (...line: unknown[]) => void logged.push(line);
  const vault = createVault({
    folder: home.file('vault'),
    deviceKeys: createDeviceKeys(home.file('vault', 'device.key'), options.keychain),
    store: createValueStore(database),
    database,
    clock,
    idleMinutes: options.idleMinutes ?? 0,
    log: { info: () => undefined, warn: note, error: note, close: async () => undefined },
  });
  vault.start();
  return {
    vault,
    home,
    database,
    clock,
    logged,
    async [Symbol.asyncDispose]() {
      await vault.stop();
      database.close();
      if (options.home === undefined) rmSync(home.path, { recursive: true, force: true });
    },
  };
}

/** A folder for several lives of a vault; disposing deletes it. */
export function makeHome(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'weft-vault-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export const PLACE = { owner: 'secret', record: 'api', field: 'value' } as const;
export const PASSPHRASE = 'correct horse battery';

/** A copy of the bytes in which one bit is another. */
export function withBitTurned(bytes: Uint8Array, bit: number): Buffer {
  const turned = Buffer.from(bytes);
  turned.writeUInt8(turned.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return turned;
}
