// Reads TOTP seeds as people paste them: base32 in any spelling, or an otpauth:// address. What is wrong is told without the seed.
// https://github.com/google/google-authenticator/wiki/Key-Uri-Format

/** A generator of codes (RFC 6238). */
export interface Totp {
  readonly secret: Uint8Array;
  readonly algorithm: 'SHA1' | 'SHA256' | 'SHA512';
  readonly digits: number;
  /** Seconds. */
  readonly period: number;
  readonly issuer?: string;
  readonly account?: string;
  /** What is odd and works: two issuers that differ, or a secret below the 128 bits of RFC 4226, R6. */
  readonly warnings: readonly ('issuer_mismatch' | 'short_seed')[];
}

/** Why a text is no seed. */
export type TotpFault =
  | 'empty'
  | 'too_long'
  | 'too_short'
  | 'not_base32'
  | 'not_an_address'
  | 'not_totp'
  | 'no_secret'
  | 'two_secrets'
  | 'bad_algorithm'
  | 'bad_digits'
  | 'bad_period';

/** The seed that a text is, or what is wrong with it. */
export type ReadSeed = { readonly totp: Totp } | { readonly fault: TotpFault; readonly message: string };

const CHARS_MAX = 2000;
/** Google Authenticator's secrets of 16 characters are the shortest in use: 80 bits. */
const BYTES_MIN = 10;
const BYTES_ADVISED = 16;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const PERIOD_MAX = 300;
const ALGORITHMS: Readonly<Record<string, Totp['algorithm']>> = { SHA1: 'SHA1', SHA256: 'SHA256', SHA512: 'SHA512' };

class SeedFault extends Error {
  readonly fault: TotpFault;

  constructor(fault: TotpFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** Reads a seed. Never throws, and no message holds a part of the text. */
export function readSeed(text: string): ReadSeed {
  try {
    return { totp: parse(text) };
  } catch (error) {
    if (error instanceof SeedFault) return { fault: error.fault, message: error.message };
    throw error;
  }
}

function parse(text: string): Totp {
  const trimmed = text.slice(0, CHARS_MAX + 1).trim();
  if (text.length > CHARS_MAX) throw new SeedFault('too_long', `A seed has at most ${CHARS_MAX} characters.`);
  if (trimmed === '') throw new SeedFault('empty', 'There is no seed.');
  return /^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? parseAddress(trimmed) : withWarnings({ ...DEFAULTS, secret: parseBase32(trimmed) });
}

const DEFAULTS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

function parseAddress(text: string): Totp {
  const url = URL.parse(text);
  if (url?.protocol !== 'otpauth:') throw new SeedFault('not_an_address', 'The address must begin with otpauth://totp/.');
  if (url.hostname.toLowerCase() !== 'totp')
    throw new SeedFault('not_totp', 'The address is not for time-based codes (totp); codes by a counter (hotp) are not made here.');
  const secrets = url.searchParams.getAll('secret');
  const [secret = ''] = secrets;
  if (secrets.length > 1) throw new SeedFault('two_secrets', 'The address has two secrets; take the one of the account.');
  if (secret === '') throw new SeedFault('no_secret', 'The address has no secret.');
  const { issuer: labelIssuer, account } = parseLabel(url.pathname);
  const issuer = url.searchParams.get('issuer') ?? labelIssuer;
  const isMismatch = labelIssuer !== undefined && issuer !== labelIssuer;
  return withWarnings(
    {
      secret: parseBase32(secret),
      algorithm: parseAlgorithm(url.searchParams.get('algorithm')),
      digits: parseNumber(url.searchParams.get('digits'), 6, 8, DEFAULTS.digits, 'bad_digits', 'digits'),
      period: parseNumber(url.searchParams.get('period'), 1, PERIOD_MAX, DEFAULTS.period, 'bad_period', 'period'),
      ...(issuer ? { issuer } : {}),
      ...(account ? { account } : {}),
    },
    isMismatch,
  );
}

/** `/Issuer:account`, percent-encoded as a whole or in parts. */
function parseLabel(pathname: string): { readonly issuer: string | undefined; readonly account: string } {
  let label = pathname.replace(/^\//, '');
  try {
    label = decodeURIComponent(label);
  } catch {
    // Read as it stands.
  }
  const colon = label.indexOf(':');
  return colon < 0
    ? { issuer: undefined, account: label.trim() }
    : { issuer: label.slice(0, colon).trim(), account: label.slice(colon + 1).trim() };
}

function parseAlgorithm(text: string | null): Totp['algorithm'] {
  const algorithm = ALGORITHMS[(text ?? DEFAULTS.algorithm).toUpperCase().replace('-', '')];
  if (!algorithm) throw new SeedFault('bad_algorithm', 'The algorithm must be SHA1, SHA256 or SHA512.');
  return algorithm;
}

function parseNumber(text: string | null, min: number, max: number, fallback: number, fault: TotpFault, name: string): number {
  if (text === null) return fallback;
  const value = Number(text);
  if (/^\d{1,4}$/.test(text) && value >= min && value <= max) return value;
  throw new SeedFault(fault, `The ${name} must be a whole number from ${min} to ${max}.`);
}

/** RFC 4648, 6, with spaces, hyphens and small letters, and with or without padding. */
function parseBase32(text: string): Uint8Array {
  const letters = text.replaceAll(/[\s-]/g, '').replace(/=+$/, '').toUpperCase();
  if (letters === '') throw new SeedFault('empty', 'There is no seed.');
  const wrong = [...letters].findIndex((letter) => !ALPHABET.includes(letter));
  if (wrong >= 0) {
    const hint = /[0189]/.test([...letters][wrong] ?? '') ? ' 0, 1, 8 and 9 are not in it: is it the letter O, I, L or B?' : '';
    throw new SeedFault('not_base32', `Character ${wrong + 1} of the seed is not in base32 (A-Z, 2-7).${hint}`);
  }
  const bytes = new Uint8Array(Math.floor((letters.length * 5) / 8));
  let bits = 0;
  let value = 0;
  let at = 0;
  for (const letter of letters) {
    value = ((value << 5) | ALPHABET.indexOf(letter)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = (value >> bits) & 0xff;
  }
  if (bytes.length < BYTES_MIN)
    throw new SeedFault('too_short', `The seed has ${bytes.length} bytes; seeds have at least ${BYTES_MIN}. A part of it is missing.`);
  return bytes;
}

function withWarnings(totp: Omit<Totp, 'warnings'>, isMismatch = false): Totp {
  const isShort = totp.secret.length < BYTES_ADVISED;
  return { ...totp, warnings: [...(isMismatch ? (['issuer_mismatch'] as const) : []), ...(isShort ? (['short_seed'] as const) : [])] };
}
