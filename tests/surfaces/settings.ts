// What the second server and those who ask it both know.
import { formatToken } from '@weft/contract';
import type { Actor } from '@weft/serve';

/** Calls that each caller has, over all processes; nothing comes back within a test. */
export const BURST = 60;

export const OWNER = formatToken('wt', 'O'.repeat(43));
export const READER = formatToken('wt', 'R'.repeat(43));
export const CONSUMER = formatToken('csk', 'C'.repeat(43));
/** Of a kind that this server takes nowhere. */
export const FOREIGN = formatToken('wlt', 'F'.repeat(43));
/** One that nothing else asks with. */
export const BUSY = formatToken('wt', 'B'.repeat(43));
export const STRANGER = formatToken('wt', 'S'.repeat(43));

export const KNOWN: Readonly<Record<string, Omit<Actor, 'family'>>> = {
  [OWNER]: { id: 'owner', scopes: ['admin'], account: 'a' },
  [READER]: { id: 'reader', scopes: ['read'], account: 'a' },
  [CONSUMER]: { id: 'consumer', scopes: ['run'], account: 'a' },
  [BUSY]: { id: 'busy', scopes: ['read', 'run'], account: 'b' },
};
