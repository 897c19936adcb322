// The hash of what pages consist of: the platform's, which this file alone takes from it.
import { hash } from 'node:crypto';

/** SHA-256 of `bytes`, in hex. */
export function sha256(bytes: Uint8Array): string {
  return hash('sha256', bytes);
}
