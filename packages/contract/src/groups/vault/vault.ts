// The vault of the agent: what keeps secrets, and whether it is open (D33).
import { z } from 'zod';
import { instant } from '../../ids.ts';
import { sealedText } from '../../sealed.ts';

const PASSPHRASE_CHARS_MAX = 1024;
const PASSPHRASE_CHARS_MIN = 8;

/** Something that was refused because the vault was locked, and goes on once it is open. */
export const VaultWaiting = z
  .strictObject({
    kind: z.string().describe('Such as `workflow`.'),
    id: z.int().optional(),
    name: z.string(),
    since: instant,
    times: z.int().min(1).describe('How often it has come since then.'),
  })
  .meta({ id: 'VaultWaiting' });
export type VaultWaiting = z.infer<typeof VaultWaiting>;

/** A value that is not what was kept: altered, moved, older, taken out or put in. */
export const VaultDamage = z
  .strictObject({ kind: z.string().describe('Such as `secret`.'), record: z.string(), field: z.string() })
  .meta({ id: 'VaultDamage' });
export type VaultDamage = z.infer<typeof VaultDamage>;

/** Where the vault stands; nothing in it is shown. */
export const VaultStatus = z
  .strictObject({
    exists: z.boolean().describe('False until the first value is kept, or `unlock` was called.'),
    locked: z.boolean(),
    passphrase: z.boolean().describe('True once a passphrase opens it, and nothing else.'),
    device_key: z.enum(['keychain', 'file']).optional().describe('Where the key of this device is, while no passphrase is set.'),
    note: z.string().optional().describe('What to know of how the vault is protected.'),
    idle_minutes: z.int().min(0).describe('It locks after so many minutes without use; 0 means never.'),
    values: z.int().min(0).describe('How many values are sealed in it.'),
    reseal_pending: z.int().min(0).describe('How many of them are still sealed with an earlier key.'),
    damaged: z.array(VaultDamage).describe('Looked for while it is open; empty while it is locked.'),
    waiting: z.array(VaultWaiting).describe('What was refused because it is locked.'),
  })
  .meta({ id: 'VaultStatus' });
export type VaultStatus = z.infer<typeof VaultStatus>;

/** How the vault is opened. Nothing: by the key of the device. */
export const UnlockVault = z
  .strictObject({
    passphrase: sealedText(1, PASSPHRASE_CHARS_MAX).optional(),
    new_passphrase: sealedText(PASSPHRASE_CHARS_MIN, PASSPHRASE_CHARS_MAX)
      .optional()
      .describe('Sets or changes the passphrase; the runtime token alone may. With one set already, `passphrase` must come with it.'),
  })
  .meta({ id: 'UnlockVault' });
export type UnlockVault = z.infer<typeof UnlockVault>;

/** What takes a new master key: the passphrase where one is set. */
export const RotateVault = z.strictObject({ passphrase: sealedText(1, PASSPHRASE_CHARS_MAX).optional() }).meta({ id: 'RotateVault' });
export type RotateVault = z.infer<typeof RotateVault>;
