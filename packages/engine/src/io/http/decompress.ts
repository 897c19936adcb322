// Undoes the content encodings of a body without ever holding more than the cap.
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib';
import { PageError } from '../../errors.ts';

/** What a request sends as Accept-Encoding. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br, zstd';

/** Encodings stacked on one body; no honest server uses more than two. */
const STACKED_MAX = 3;

type Decoder = (body: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>;

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: (body, options) => (hasZlibHeader(body) ? inflateWrapped(body, options) : inflateBare(body, options)),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
};
const inflateWrapped = promisify(inflate) as Decoder;
const inflateBare = promisify(inflateRaw) as Decoder;

/**
 * `body` with the encodings of a Content-Encoding header taken off; unknown names are left on, as browsers do.
 * Throws PageError `body_too_large` above `bytesMax`, `truncated` for a cut stream, `bad_response` for anything else.
 */
export async function decompressBody(body: Uint8Array, contentEncoding: string, bytesMax: number, url: string): Promise<Uint8Array> {
  const encodings = contentEncoding.split(',').map((name) => name.trim().toLowerCase());
  const decoders = encodings
    .map((name) => (Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined))
    .filter((each) => each !== undefined);
  if (encodings.length > STACKED_MAX) {
    throw new PageError('bad_response', `The server stacked ${encodings.length} content encodings; at most ${STACKED_MAX} are undone.`, {
      url,
      next: 'drop',
    });
  }
  let decoded = body;
  for (const decode of decoders.reverse()) {
    if (decoded.length === 0) break;
    decoded = await decode(decoded, { maxOutputLength: bytesMax }).catch((cause: unknown) => {
      throw decodingError(cause, contentEncoding, bytesMax, url);
    });
  }
  return decoded;
}

/** The error for a body above its cap. */
export function bodyTooLarge(bytesMax: number, url: string): PageError {
  const message = `The body is larger than ${bytesMax.toLocaleString('en')} bytes. That is the most that is read of one page.`;
  return new PageError('body_too_large', message, { url });
}

function decodingError(cause: unknown, contentEncoding: string, bytesMax: number, url: string): PageError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ERR_BUFFER_TOO_LARGE') return bodyTooLarge(bytesMax, url);
  if (code === 'Z_BUF_ERROR')
    return new PageError('truncated', `The ${contentEncoding} body ends before its end. Nothing of it was kept.`, { url, cause });
  return new PageError('bad_response', `The body is not the ${contentEncoding} data that its header promises.`, { url, cause });
}

/** RFC 1950: method 8 and a check value. Many servers send bare deflate (RFC 1951) under the same name. */
function hasZlibHeader(body: Uint8Array): boolean {
  const [first = 0, second = 0] = body;
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}
