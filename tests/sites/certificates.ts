// Makes certificates for fixture servers, so that no key lies in the repository.
import 'reflect-metadata';
import { BasicConstraintsExtension, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import type { X509Certificate } from '@peculiar/x509';
import { webcrypto } from 'node:crypto';

export interface Authority {
  /** The certificate that a client must trust. */
  readonly pem: string;
  readonly certificate: X509Certificate;
  readonly keys: webcrypto.CryptoKeyPair;
}

export interface ServerCertificate {
  /** PEM. */
  readonly cert: string;
  /** PEM, PKCS 8. */
  readonly key: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

/** A certificate authority of its own, valid for a month around now. */
export async function createAuthority(): Promise<Authority> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Fixture authority',
    keys,
    signingAlgorithm: ALGORITHM,
    notBefore: daysFromNow(-30),
    notAfter: daysFromNow(30),
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  return { pem: certificate.toString('pem'), certificate, keys };
}

/** Key and certificate for `host`, valid until `daysLeft` days from now; a negative number makes an expired one. */
export async function issueCertificate(authority: Authority, host: string, daysLeft: number): Promise<ServerCertificate> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.create({
    subject: `CN=${host}`,
    issuer: authority.certificate.subject,
    publicKey: keys.publicKey,
    signingKey: authority.keys.privateKey,
    signingAlgorithm: ALGORITHM,
    notBefore: daysFromNow(-20),
    notAfter: daysFromNow(daysLeft),
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: host }])],
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return { cert: certificate.toString('pem'), key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----` };
}

function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * DAY_MS);
}
