// Which names an authority of ours can vouch for, as the DER of the extension (RFC 5280 section 4.2.1.10).

const SEQUENCE = 0x30;
const PERMITTED = 0xa0;
const EXCLUDED = 0xa1;
const EMAIL = 0x81;
const DNS = 0x82;
const URI = 0x86;
const IP = 0x87;

/**
 * Permits 127.0.0.1/32 and leaves no other address, DNS name, mail address or URI. A kind that is not mentioned is free, so
 * each gets one permitted name that can't exist (RFC 2606 section 2); the empty DNS name and ::/0 are excluded besides. For
 * mail and URI an empty name would not do: OpenSSL takes it for none instead of all, Java refuses to parse it.
 */
export const NAME_CONSTRAINTS = der(
  SEQUENCE,
  der(
    PERMITTED,
    subtree(IP, Buffer.from([127, 0, 0, 1, 255, 255, 255, 255])),
    subtree(DNS, Buffer.from('weft.invalid')),
    subtree(EMAIL, Buffer.from('nobody@weft.invalid')),
    subtree(URI, Buffer.from('weft.invalid')),
  ),
  der(EXCLUDED, subtree(DNS, Buffer.alloc(0)), subtree(IP, Buffer.alloc(32))),
);

function subtree(kind: number, base: Buffer): Buffer {
  return der(SEQUENCE, der(kind, base));
}

/** One element; contents of 128 bytes and more would need the long form of the length. */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
}
