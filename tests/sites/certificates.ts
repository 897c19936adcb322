// Makes certificates for fixture servers (X.509 v3, RFC 5280, in DER), so that no key lies in the repository.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** A certificate authority of a test. */
export interface Authority {
  /** The certificate that a client must trust, PEM. */
  readonly pem: string;
  readonly name: string;
  readonly privateKey: KeyObject;
}

/** What a TLS server of a test needs, both PEM. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;

/** Object identifiers, encoded. */
const OID = { ecdsaWithSha256: '2a8648ce3d040302', commonName: '550403', basicConstraints: '551d13', subjectAltName: '551d11' };
const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  text: 0x0c,
  sequence: 0x30,
  set: 0x31,
  utcTime: 0x17,
  version: 0xa0,
  extensions: 0xa3,
  dnsName: 0x82,
};

/** A certificate authority of its own, valid for a month around now. */
export function createAuthority(): Authority {
  const name = 'Fixture authority';
  const { publicKey, privateKey } = newKeys();
  const isAuthority = der(TAG.boolean, Buffer.of(0xff));
  const extension = sequence(oid(OID.basicConstraints), isAuthority, der(TAG.octets, sequence(isAuthority)));
  return { pem: certificate({ issuer: name, subject: name, publicKey, signer: privateKey, daysLeft: 30, extension }), name, privateKey };
}

/** Key and certificate for `host`, valid until `daysLeft` days from now; a negative number makes an expired one. */
export function issueCertificate(authority: Authority, host: string, daysLeft: number): ServerCertificate {
  const { publicKey, privateKey } = newKeys();
  const extension = sequence(oid(OID.subjectAltName), der(TAG.octets, sequence(der(TAG.dnsName, Buffer.from(host)))));
  return {
    cert: certificate({ issuer: authority.name, subject: host, publicKey, signer: authority.privateKey, daysLeft, extension }),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

interface Certified {
  readonly issuer: string;
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly daysLeft: number;
  readonly extension: Buffer;
}

function certificate({ issuer, subject, publicKey, signer, daysLeft, extension }: Certified): string {
  const algorithm = sequence(oid(OID.ecdsaWithSha256));
  const signed = sequence(
    der(TAG.version, der(TAG.integer, Buffer.of(2))),
    der(TAG.integer, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    algorithm,
    distinguishedName(issuer),
    sequence(utcTime(-30), utcTime(daysLeft)),
    distinguishedName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(TAG.extensions, sequence(extension)),
  );
  const signature = der(TAG.bits, Buffer.concat([Buffer.of(0), sign('sha256', signed, signer)]));
  const base64 = sequence(signed, algorithm, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

function newKeys(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
}

function distinguishedName(name: string): Buffer {
  return sequence(der(TAG.set, sequence(oid(OID.commonName), der(TAG.text, Buffer.from(name)))));
}

function utcTime(days: number): Buffer {
  const digits = new Date(Date.now() + days * DAY_MS).toISOString().replace(/\D/g, '');
  return der(TAG.utcTime, Buffer.from(`${digits.slice(2, 14)}Z`));
}

function oid(hex: string): Buffer {
  return der(TAG.oid, Buffer.from(hex, 'hex'));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(TAG.sequence, ...parts);
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...head), content]);
}
