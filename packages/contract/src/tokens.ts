// What a token looks like: a family prefix, 32 random bytes in base64url, and a checksum that catches a mistyped one (D14).

/** `wlt_` runtime, `wlk_` restricted key, `wlo_` OAuth on the agent; `wt_` API key and `csk_` consumer key on the cloud. */
export type TokenFamily = 'wlt' | 'wlk' | 'wlo' | 'wt' | 'csk';
/** What a caller may show: a token, or an id without a secret (D44). */
export type CredentialKind = TokenFamily | 'keyless';

const TOKEN = /^(wlt|wlk|wlo|wt|csk)_([A-Za-z0-9_-]{43})([0-9A-Za-z]{6})$/;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The token text for 43 characters of base64url randomness (32 bytes). */
export function formatToken(family: TokenFamily, random: string): string {
  return `${family}_${random}${checksum(`${family}_${random}`)}`;
}

/** The family of a well-formed token whose checksum agrees; undefined for anything else. Says nothing about whether it is known. */
export function findTokenFamily(token: string): TokenFamily | undefined {
  const match = TOKEN.exec(token);
  if (!match || match[3] !== checksum(`${match[1]}_${match[2]}`)) return undefined;
  return match[1] as TokenFamily;
}

/** CRC-32 of the ASCII text as six base-62 digits. */
function checksum(text: string): string {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i);
    // No branch on a token's bits: a processor foretells those of a beginning that it has seen, and the refusal is quicker.
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  let rest = (crc ^ 0xffffffff) >>> 0;
  let digits = '';
  for (let i = 0; i < 6; i++) {
    digits = `${BASE62[rest % 62]}${digits}`;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
