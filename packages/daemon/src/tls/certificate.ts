// Signs the two kinds of certificate: the authority's own and a leaf for 127.0.0.1.
import { type KeyObject, createHash, createPublicKey, randomBytes } from 'node:crypto';
import { NAME_CONSTRAINTS } from './name-constraints.ts';

/** A signed certificate. */
export interface Certificate {
  readonly pem: string;
  /** Epoch milliseconds, whole seconds. */
  readonly notBeforeMs: number;
  /** Epoch milliseconds, whole seconds. */
  readonly notAfterMs: number;
}

export const DAY_MS = 24 * 60 * 60 * 1000;
const AUTHORITY_LIFE_MS = 10 * 365 * DAY_MS;
/** A client whose clock is slow must not refuse a new certificate. */
const BACK_DATE_MS = DAY_MS;

const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' };
const KEY_KIND = { name: 'ECDSA', namedCurve: 'P-256' };
/** No dots: a name that looks like a host is held against the constraints as if it were one (OpenSSL). */
const LEAF_NAME = 'CN=Weft local agent';
const LEAF_ADDRESS = '127.0.0.1';
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';

/** A self-signed authority of ten years over `key`. The name follows from the key: two installations never share one. */
export async function signAuthority(key: KeyObject, nowMs: number): Promise<Certificate> {
  const x509 = await loadX509();
  const publicKey = toPublicKey(key);
  const { KeyUsageFlags: usage } = x509;
  const period = periodFrom(nowMs, nowMs + AUTHORITY_LIFE_MS);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name: authorityName(key),
    ...period,
    keys: { privateKey: toSigningKey(key), publicKey },
    signingAlgorithm: SIGNATURE,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(usage.keyCertSign | usage.cRLSign, true),
      new x509.Extension('2.5.29.30', true, NAME_CONSTRAINTS),
      // Of use to whoever steals the key: signing code, mail or logins. A purpose on the authority bounds what is below it.
      new x509.ExtendedKeyUsageExtension([SERVER_AUTH]),
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
    ],
  });
  return toCertificate(certificate.toString('pem'), period);
}

/** A server certificate for the address 127.0.0.1 over the public half of `key`, signed by the authority's key, good until `notAfterMs`. */
export async function signLeaf(key: KeyObject, authorityKey: KeyObject, nowMs: number, notAfterMs: number): Promise<Certificate> {
  const x509 = await loadX509();
  const publicKey = toPublicKey(key);
  const period = periodFrom(nowMs, notAfterMs);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: newSerial(),
    subject: LEAF_NAME,
    issuer: authorityName(authorityKey),
    ...period,
    publicKey,
    signingKey: toSigningKey(authorityKey),
    signingAlgorithm: SIGNATURE,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([SERVER_AUTH]),
      new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: LEAF_ADDRESS }]),
      await x509.AuthorityKeyIdentifierExtension.create(toPublicKey(authorityKey)),
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
    ],
  });
  return toCertificate(certificate.toString('pem'), period);
}

/** The library needs reflect-metadata before it, and both weigh 10 MB: they come when something is signed. */
async function loadX509() {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

function periodFrom(nowMs: number, notAfterMs: number): { notBefore: Date; notAfter: Date } {
  const wholeSecond = (ms: number) => new Date(Math.floor(ms / 1000) * 1000);
  return { notBefore: wholeSecond(nowMs - BACK_DATE_MS), notAfter: wholeSecond(notAfterMs) };
}

function toCertificate(pem: string, { notBefore, notAfter }: { notBefore: Date; notAfter: Date }): Certificate {
  return { pem: `${pem}\n`, notBeforeMs: notBefore.getTime(), notAfterMs: notAfter.getTime() };
}

function authorityName(key: KeyObject): string {
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return `CN=Weft local authority ${createHash('sha256').update(der).digest('hex').slice(0, 16)}`;
}

/** 127 random bits behind a bit that is set: positive and never zero (RFC 5280 section 4.1.2.2). */
function newSerial(): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8() & 0x7f) | 0x40);
  return bytes.toString('hex');
}

function toSigningKey(key: KeyObject) {
  return key.toCryptoKey(KEY_KIND, false, ['sign']);
}

function toPublicKey(key: KeyObject) {
  return createPublicKey(key).toCryptoKey(KEY_KIND, true, ['verify']);
}
