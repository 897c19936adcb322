// The certificate that the HTTPS twin shows: short-lived, in memory only, renewed while the server runs.
import { generateKeyPairSync } from 'node:crypto';
import type { Clock } from '@weft/engine';
import { type Authority, AuthorityError } from './authority.ts';
import { DAY_MS, signLeaf } from './certificate.ts';

/** A server certificate for 127.0.0.1 with its key, both PEM. */
export interface Leaf {
  readonly certPem: string;
  readonly keyPem: string;
  /** Epoch milliseconds, a day before it was issued. */
  readonly notBeforeMs: number;
  /** Epoch milliseconds. */
  readonly notAfterMs: number;
  /** Epoch milliseconds: when two thirds of its life are over. */
  readonly renewAtMs: number;
}

/** What `tls.createServer` and `server.setSecureContext` take. */
export interface SecureOptions {
  readonly cert: string;
  readonly key: string;
  readonly minVersion: 'TLSv1.2';
}

/** A port of repetition: calls `run` every `intervalMs` until the answer is called. */
export type Every = (intervalMs: number, run: () => void) => () => void;

export interface LeafSourceOptions {
  readonly authority: Authority;
  readonly clock: Clock;
  readonly every: Every;
  /** Called with each leaf but the first, for `server.setSecureContext`. Connections that are open keep theirs. */
  readonly onRenewed: (options: SecureOptions) => void;
  /** Called where a renewal failed; it is tried again an hour later. */
  readonly onError: (error: unknown) => void;
}

export interface LeafSource {
  /** The leaf in use, for a server that starts. */
  secureOptions(): SecureOptions;
  /** Ends renewal. */
  close(): void;
}

const LEAF_LIFE_MS = 90 * DAY_MS;
const RENEW_SHARE = 2 / 3;
/** Looking every hour, instead of one timer of 60 days, holds over sleep, clock changes and the 24-day limit of timers. */
const LOOK_EVERY_MS = 60 * 60 * 1000;

/**
 * A new key and a leaf over it, with a serial of its own: 90 days from `nowMs`, or what the authority has left, dated back a day.
 * Throws AuthorityError `expired` where it has nothing left.
 */
export async function issueLeaf(authority: Authority, nowMs: number): Promise<Leaf> {
  if (nowMs >= authority.notAfterMs) throw new AuthorityError('expired', authority.certPath, 'has expired');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const endMs = Math.min(nowMs + LEAF_LIFE_MS, authority.notAfterMs);
  const { pem, notBeforeMs, notAfterMs } = await signLeaf(privateKey, authority.key, nowMs, endMs);
  const keyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { certPem: pem, keyPem, notBeforeMs, notAfterMs, renewAtMs: nowMs + (notAfterMs - nowMs) * RENEW_SHARE };
}

/** Issues a leaf and goes on issuing: at two thirds of its life, or where the clock was set back before its beginning. */
export async function leafSource(options: LeafSourceOptions): Promise<LeafSource> {
  const { authority, clock, every, onRenewed, onError } = options;
  let leaf = await issueLeaf(authority, clock.now());
  let isRenewing = false;
  const renew = async () => {
    isRenewing = true;
    try {
      leaf = await issueLeaf(authority, clock.now());
      onRenewed(toSecureOptions(leaf));
    } catch (error) {
      onError(error);
    } finally {
      isRenewing = false;
    }
  };
  const stop = every(LOOK_EVERY_MS, () => {
    const nowMs = clock.now();
    if (!isRenewing && (nowMs >= leaf.renewAtMs || nowMs < leaf.notBeforeMs)) void renew();
  });
  return { secureOptions: () => toSecureOptions(leaf), close: stop };
}

function toSecureOptions(leaf: Leaf): SecureOptions {
  return { cert: leaf.certPem, key: leaf.keyPem, minVersion: 'TLSv1.2' };
}
