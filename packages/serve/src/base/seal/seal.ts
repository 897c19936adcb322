// Seals a value for the one place that it is kept in: elsewhere, or in an earlier version, it does not open (D33).
import { hkdfSync, randomBytes } from 'node:crypto';
import { IV_BYTES, KEY_BYTES, TAG_BYTES, decrypt, encrypt } from './aead.ts';
import type { AeadKey } from './aead.ts';

/** Where a sealed value stands. All of it is authenticated with the value. */
export interface SealPlace {
  readonly vault: string;
  readonly table: string;
  readonly record: string;
  readonly field: string;
  /** Of the master key. */
  readonly epoch: number;
  /** Of the value: an older one does not open in the place of a newer one. */
  readonly version: number;
}

/** A value that was altered, moved, exchanged for an older one, or sealed with another key: which of these can't be told. */
export class SealError extends Error {
  constructor(options?: ErrorOptions) {
    super('The sealed value does not open in this place.', options);
    this.name = 'SealError';
  }
}

const FORMAT = 1;
const SALT_BYTES = 32;
const LEAD_BYTES = 1 + SALT_BYTES;

/** The format's number, the salt of this write, the ciphertext and its tag. */
export function sealValue(master: Uint8Array, place: SealPlace, plain: Uint8Array): Buffer {
  const lead = Buffer.concat([Buffer.of(FORMAT), randomBytes(SALT_BYTES)]);
  return withKey(master, place, lead, (key) => Buffer.concat([lead, encrypt(key, plain)]));
}

/** What was sealed. Throws SealError. */
export function openValue(master: Uint8Array, place: SealPlace, sealed: Uint8Array): Buffer {
  if (sealed.byteLength < LEAD_BYTES + TAG_BYTES || sealed[0] !== FORMAT) throw new SealError();
  return withKey(master, place, sealed.subarray(0, LEAD_BYTES), (key) => {
    try {
      return decrypt(key, sealed.subarray(LEAD_BYTES));
    } catch (error) {
      throw new SealError({ cause: error });
    }
  });
}

/** A key for each write (RFC 5869 over a random salt), so that no count of writes is ever too many for one key. It is wiped after use. */
function withKey<T>(master: Uint8Array, place: SealPlace, lead: Uint8Array, use: (key: AeadKey) => T): T {
  const derived = Buffer.from(hkdfSync('sha256', master, lead.subarray(1), 'weft-seal-1', KEY_BYTES + IV_BYTES));
  try {
    return use({ key: derived.subarray(0, KEY_BYTES), iv: derived.subarray(KEY_BYTES), aad: authenticated(place, FORMAT) });
  } finally {
    derived.fill(0);
  }
}

/** JSON of a list: no two places have the same bytes. */
function authenticated({ vault, table, record, field, epoch, version }: SealPlace, format: number): Buffer {
  return Buffer.from(JSON.stringify(['weft-seal', format, vault, table, record, field, epoch, version]));
}
