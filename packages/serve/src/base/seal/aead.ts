// AES-256-GCM with a whole tag: Node takes one of 4 bytes unless it is told the length. Nothing outside this folder may call it (lint).
import { createCipheriv, createDecipheriv } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
export const KEY_BYTES = 32;
export const IV_BYTES = 12;
export const TAG_BYTES = 16;

/** What encrypts: a key of 32 bytes and an initialization vector of 12 that it was never used with, and what is authenticated beside. */
export interface AeadKey {
  readonly key: Uint8Array;
  readonly iv: Uint8Array;
  readonly aad: Uint8Array;
}

/** The ciphertext with its tag of 16 bytes behind it. */
export function encrypt({ key, iv, aad }: AeadKey, plain: Uint8Array): Buffer {
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(aad);
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** What `encrypt` was given. Throws for anything that it did not make with this key, vector and `aad`. */
export function decrypt({ key, iv, aad }: AeadKey, sealed: Uint8Array): Buffer {
  const end = Math.max(0, sealed.byteLength - TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(aad);
  decipher.setAuthTag(sealed.subarray(end));
  return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
}
