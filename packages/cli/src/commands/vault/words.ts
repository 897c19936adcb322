// What is said of the vault.
import type { VaultStatus } from '@weft/contract';
import { pairs } from '../../table.ts';

/** The status for people: how it stands first, then what to know, then what waits. */
export function vaultWords(status: VaultStatus): string {
  const opens = status.passphrase ? 'a passphrase' : status.device_key === 'keychain' ? "the system's keychain" : 'a key file in the home';
  return [
    pairs([
      ['State', !status.exists ? 'not made yet; the first value makes it' : status.locked ? 'locked' : 'open'],
      ...(status.exists ? ([['Opened by', opens]] as const) : []),
      ['Values', String(status.values)],
      ['Idle lock', status.idle_minutes === 0 ? 'never' : `after ${status.idle_minutes} minutes`],
      ...(status.reseal_pending > 0 ? ([['To seal anew', String(status.reseal_pending)]] as const) : []),
    ]),
    ...(status.note === undefined ? [] : [status.note]),
    ...status.damaged.map(
      ({ kind, record, field }) => `Damaged: the ${field} of ${kind} ${record}; set it again, or restore the whole home from one copy.`,
    ),
    ...status.waiting.map(
      ({ kind, name, since, times }) => `Waits: ${kind} ${name}, since ${since}${times > 1 ? ` (${times} times)` : ''}.`,
    ),
  ].join('\n');
}
