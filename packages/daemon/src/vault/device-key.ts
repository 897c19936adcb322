// The key of this device, which opens a vault that has no passphrase (D33): in the system's keychain, else in a file that its user alone may read.
import { randomBytes } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { findPrivate, syncFolder, writePrivate } from '@weft/serve';
import type { Keychain } from './keychain.ts';

export type DevicePlace = 'keychain' | 'file';

export interface DeviceKeys {
  /** A new key, and where it is now. */
  make(vaultId: string): { readonly key: Buffer; readonly place: DevicePlace };
  /** 32 bytes; undefined where there is none. */
  find(vaultId: string, place: DevicePlace): Buffer | undefined;
  forget(vaultId: string, place: DevicePlace): void;
}

const KEY_BYTES = 32;

/** `path` is that of the file. */
export function createDeviceKeys(path: string, keychain: Keychain | undefined): DeviceKeys {
  return {
    make(vaultId) {
      const key = randomBytes(KEY_BYTES);
      const text = key.toString('base64url');
      if (keychain?.keep(vaultId, text)) return { key, place: 'keychain' };
      writePrivate(path, `${text}\n`);
      return { key, place: 'file' };
    },
    find(vaultId, place) {
      const text = place === 'keychain' ? keychain?.find(vaultId) : findPrivate(path);
      const key = Buffer.from(text?.trim() ?? '', 'base64url');
      return key.byteLength === KEY_BYTES ? key : undefined;
    },
    forget(vaultId, place) {
      if (place === 'keychain') keychain?.forget(vaultId);
      else forgetFile(path);
    },
  };
}

/** Writes over it first: on most disks that is the end of it, and where it is not, a new master key is what protects. */
function forgetFile(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) return;
  writeFileSync(path, randomBytes(size), { flush: true });
  rmSync(path);
  syncFolder(dirname(path));
}
