// Turns a host name into addresses, with the system's resolver and a short memory.
import { lookup } from 'node:dns/promises';

/** Every address of `host`, in the resolver's order; rejects with the resolver's own error. It may pass over `signal`: nobody waits then. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

type LookUp = (host: string) => Promise<readonly string[]>;

interface Remembered {
  readonly addresses: Promise<readonly string[]>;
  readonly untilMs: number;
}

const MEMORY_MS = 10_000;
const MEMORY_HOSTS_MAX = 2_000;

/**
 * The system's resolver (hosts file included). An answer is kept for ten seconds, because each look-up holds one of
 * the few threads that Node has for them; a failure is not kept.
 */
export function createSystemResolve(lookUp: LookUp = systemLookUp, nowMs = () => performance.now()): Resolve {
  const remembered = new Map<string, Remembered>();
  return (host) => {
    const known = remembered.get(host);
    if (known && known.untilMs > nowMs()) return known.addresses;
    const addresses = lookUp(host);
    remembered.delete(host);
    remembered.set(host, { addresses, untilMs: nowMs() + MEMORY_MS });
    forgetOldest(remembered);
    addresses.catch(() => remembered.delete(host));
    return addresses;
  };
}

async function systemLookUp(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true, order: 'verbatim' });
  return found.map((entry) => entry.address);
}

/** A look-up can't be cancelled, so an aborted caller stops waiting and the look-up ends by itself. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(abortReason(signal));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([aborted.promise, promise]).finally(() => signal.removeEventListener('abort', onAbort));
}

function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('Aborted.', { cause: signal.reason });
}

function forgetOldest(remembered: Map<string, Remembered>): void {
  if (remembered.size <= MEMORY_HOSTS_MAX) return;
  const oldest = remembered.keys().next();
  if (!oldest.done) remembered.delete(oldest.value);
}
