// The hash of what pages consist of: the platform's, which this file alone takes from it.
import { hash } from 'node:crypto';

/** SHA-256 of bytes, or of a text in UTF-8, in hex. */
export function sha256(of: Uint8Array | string): string {
  return hash('sha256', of);
}
