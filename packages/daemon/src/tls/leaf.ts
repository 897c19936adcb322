// The certificate that the HTTPS twin shows: short-lived, kept for the next start, renewed while the server runs.
import { X509Certificate, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Clock } from '@weft/engine';
import { type Authority, AuthorityError } from './authority.ts';
import { DAY_MS, signLeaf } from './certificate.ts';
import { readWhole, writeWhole } from './files.ts';

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
const CERTIFICATE_END = '-----END CERTIFICATE-----\n';
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
  return leafOf(pem, keyPem, notBeforeMs, notAfterMs);
}

function leafOf(certPem: string, keyPem: string, notBeforeMs: number, notAfterMs: number): Leaf {
  const issuedMs = notBeforeMs + DAY_MS;
  return { certPem, keyPem, notBeforeMs, notAfterMs, renewAtMs: issuedMs + (notAfterMs - issuedMs) * RENEW_SHARE };
}

/**
 * The leaf of an earlier start, or a new one, kept in `<home>/tls/leaf.pem` beside the key that could sign another; and goes on issuing:
 * at two thirds of its life, or where the clock was set back before its beginning.
 */
export async function leafSource(options: LeafSourceOptions): Promise<LeafSource> {
  const { authority, clock, every, onRenewed, onError } = options;
  const path = join(dirname(authority.certPath), 'leaf.pem');
  const issue = async () => {
    const issued = await issueLeaf(authority, clock.now());
    await writeWhole(path, issued.certPem + issued.keyPem);
    return issued;
  };
  let leaf = (await readLeaf(path, authority, clock.now())) ?? (await issue());
  let isRenewing = false;
  const renew = async () => {
    isRenewing = true;
    try {
      leaf = await issue();
      onRenewed(toSecureOptions(leaf));
    } catch (error) {
      onError(error);
    } finally {
      isRenewing = false;
    }
  };
  const stop = every(LOOK_EVERY_MS, () => {
    if (!isRenewing && !isInUse(leaf, clock.now())) void renew();
  });
  return { secureOptions: () => toSecureOptions(leaf), close: stop };
}

function isInUse(leaf: Pick<Leaf, 'notBeforeMs' | 'renewAtMs'>, nowMs: number): boolean {
  return nowMs >= leaf.notBeforeMs && nowMs < leaf.renewAtMs;
}

/** The leaf at `path`; undefined where there is none that this authority signed, for its own key, that is not due and that nobody else could read. */
async function readLeaf(path: string, authority: Authority, nowMs: number): Promise<Leaf | undefined> {
  try {
    const pem = (await readWhole(path, true)) ?? '';
    const cert = new X509Certificate(pem);
    const key = createPrivateKey(pem);
    if (!cert.verify(createPublicKey(authority.key)) || !cert.checkPrivateKey(key)) return undefined;
    const certEnd = pem.indexOf(CERTIFICATE_END) + CERTIFICATE_END.length;
    const leaf = leafOf(pem.slice(0, certEnd), pem.slice(certEnd), cert.validFromDate.getTime(), cert.validToDate.getTime());
    return isInUse(leaf, nowMs) ? leaf : undefined;
  } catch {
    // Another one costs a few hundred milliseconds and is as good.
    return undefined;
  }
}

function toSecureOptions(leaf: Leaf): SecureOptions {
  return { cert: leaf.certPem, key: leaf.keyPem, minVersion: 'TLSv1.2' };
}
