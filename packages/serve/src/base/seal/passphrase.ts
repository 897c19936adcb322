// A key from a passphrase by Argon2id (RFC 9106), at a cost that is written beside what the key wraps.
import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { KEY_BYTES } from './aead.ts';

/** What one guess costs. */
export interface PassphraseCost {
  /** KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  /** 16 bytes in base64url, of this passphrase alone. */
  readonly salt: string;
}

const SALT_BYTES = 16;
/** RFC 9106, section 4, second choice: 64 MiB. */
const COST = { memory: 65_536, passes: 3, parallelism: 4 };
/** The least that OWASP's Password Storage Cheat Sheet takes for Argon2id, and the most that a machine can be made to spend on a file that somebody altered. */
const LEAST = { memory: 19_456, passes: 2, parallelism: 1 };
const MOST = { memory: 1_048_576, passes: 16, parallelism: 16 };

const derive = promisify(argon2);

/** The cost of a new passphrase. */
export function newPassphraseCost(): PassphraseCost {
  return { ...COST, salt: randomBytes(SALT_BYTES).toString('base64url') };
}

/** False for a cost below the floor or above what may be spent. */
export function isAcceptable(cost: PassphraseCost): boolean {
  const isWithin = (name: keyof typeof COST) => Number.isInteger(cost[name]) && cost[name] >= LEAST[name] && cost[name] <= MOST[name];
  return isWithin('memory') && isWithin('passes') && isWithin('parallelism') && saltOf(cost).byteLength === SALT_BYTES;
}

/** 32 bytes. The same passphrase typed on another system is the same: it is read in NFKC (NIST SP 800-63B, 3.1.1.2). Throws RangeError for a cost that is not acceptable. */
export async function passphraseKey(passphrase: string, cost: PassphraseCost): Promise<Buffer> {
  if (!isAcceptable(cost)) throw new RangeError('The cost of the passphrase is not acceptable.');
  const { memory, passes, parallelism } = cost;
  const message = Buffer.from(passphrase.normalize('NFKC'));
  try {
    return await derive('argon2id', { message, nonce: saltOf(cost), memory, passes, parallelism, tagLength: KEY_BYTES });
  } finally {
    message.fill(0);
  }
}

function saltOf({ salt }: PassphraseCost): Buffer {
  return Buffer.from(String(salt), 'base64url');
}
