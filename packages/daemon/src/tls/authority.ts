// The certificate authority of one installation: made once, kept in the service home, good for 127.0.0.1 and nothing else.
import { type KeyObject, X509Certificate, createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@weft/engine';
import { ConfigError } from '../config.ts';
import { signAuthority } from './certificate.ts';
import { FileFault, readWhole, writeWhole } from './files.ts';
import { NAME_CONSTRAINTS } from './name-constraints.ts';

/** The one certificate that clients of this installation trust, with the key that signs below it. */
export interface Authority {
  /** What clients trust, as PEM. */
  readonly certPem: string;
  /** Where clients find it: `<home>/tls/ca.pem`. */
  readonly certPath: string;
  /** ECDSA P-256; on disk in `<home>/tls/ca.key` alone, mode 0600. */
  readonly key: KeyObject;
  /** Epoch milliseconds. */
  readonly notAfterMs: number;
}

/** Why the files of an authority can't be used. */
export type AuthorityFault = 'unreadable' | 'key_exposed' | 'key_missing' | 'mismatch' | 'not_ours' | 'expired';

/** Files that are there but can't be used; nothing was changed. The message names the file and what a person can do. */
export class AuthorityError extends ConfigError {
  readonly fault: AuthorityFault;
  readonly path: string;

  constructor(fault: AuthorityFault, path: string, problem: string, cause?: unknown) {
    super(`${path} ${problem}. ${REMEDY}`, cause === undefined ? undefined : { cause });
    this.name = 'AuthorityError';
    this.fault = fault;
    this.path = path;
  }
}

const REMEDY = 'Restore it, or remove ca.pem and ca.key together and trust the new ca.pem that the next start makes.';

/**
 * The authority kept in `<home>/tls`, made there where both files are absent. The caller holds the home's lock.
 * A key whose certificate is gone gets a new one of the same name, so copies of the lost one go on working.
 * Throws AuthorityError, and changes nothing, where a file can't be used.
 */
export async function ensureAuthority(home: string, clock: Clock): Promise<Authority> {
  const folder = join(home, 'tls');
  const certPath = join(folder, 'ca.pem');
  const keyPath = join(folder, 'ca.key');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const certPem = await read(certPath, false);
  const keyPem = await read(keyPath, true);
  if (certPem !== undefined) return openAuthority(certPem, certPath, keyPem, keyPath, clock.now());

  const key = keyPem === undefined ? await makeKey(keyPath) : parseKey(keyPem, keyPath);
  const made = await signAuthority(key, clock.now());
  await writeWhole(certPath, made.pem);
  return { certPem: made.pem, certPath, key, notAfterMs: made.notAfterMs };
}

function openAuthority(certPem: string, certPath: string, keyPem: string | undefined, keyPath: string, nowMs: number): Authority {
  if (keyPem === undefined) throw new AuthorityError('key_missing', keyPath, `is missing, so ${certPath} can sign nothing`);
  const key = parseKey(keyPem, keyPath);
  const cert = parseCertificate(certPem, certPath);
  if (!cert.ca || !cert.raw.includes(NAME_CONSTRAINTS)) {
    throw new AuthorityError('not_ours', certPath, 'is not an authority that is limited to 127.0.0.1');
  }
  if (!cert.checkPrivateKey(key)) throw new AuthorityError('mismatch', keyPath, `is not the key of ${certPath}`);
  const notAfterMs = cert.validToDate.getTime();
  if (notAfterMs <= nowMs) throw new AuthorityError('expired', certPath, `expired at ${cert.validToDate.toISOString()}`);
  return { certPem, certPath, key, notAfterMs };
}

async function makeKey(path: string): Promise<KeyObject> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await writeWhole(path, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  return privateKey;
}

async function read(path: string, isPrivate: boolean): Promise<string | undefined> {
  try {
    return await readWhole(path, isPrivate);
  } catch (error) {
    if (error instanceof FileFault && error.kind === 'exposed') {
      throw new AuthorityError('key_exposed', path, 'can be read by other users, who may have copied it', error);
    }
    throw new AuthorityError('unreadable', path, 'can not be read', error);
  }
}

function parseKey(pem: string, path: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch (error) {
    throw new AuthorityError('unreadable', path, 'holds no private key', error);
  }
  throw new AuthorityError('unreadable', path, 'holds a key of another kind than ECDSA P-256');
}

function parseCertificate(pem: string, path: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw new AuthorityError('unreadable', path, 'holds no certificate', error);
  }
}
