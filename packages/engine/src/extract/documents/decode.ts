// Turns the bytes of a text document into text: byte order mark, then what the header says, then what the bytes allow.

const DECLARED_IN_XML = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/;

/** The text of `body`; bytes that the encoding does not know become U+FFFD. */
export function decodeText(body: Uint8Array, contentType: string | undefined): string {
  const label = markedEncoding(body) ?? headerEncoding(contentType) ?? xmlEncoding(body);
  if (label !== undefined) {
    const decoder = decoderOf(label);
    if (decoder) return decoder.decode(body);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return new TextDecoder('windows-1252').decode(body);
  }
}

/** The encoding that a byte order mark names (Encoding Standard, section 6). */
function markedEncoding(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  return body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : undefined;
}

function headerEncoding(contentType: string | undefined): string | undefined {
  return /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? '')?.[1];
}

function xmlEncoding(body: Uint8Array): string | undefined {
  return DECLARED_IN_XML.exec(new TextDecoder('latin1').decode(body.subarray(0, 200)))?.[1];
}

function decoderOf(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
