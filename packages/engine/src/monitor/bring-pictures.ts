// Brings the pictures of a page whose hashes a check wants, as the page itself was asked for; of each it says what came.
import { PageError } from '../errors.ts';
import { refuseStatus } from '../lane/page-status.ts';
import type { Page } from '../ports.ts';
import { typeOf } from '../extract/documents/body-kind.ts';
import type { PictureGiven } from './plan.ts';
import { PICTURES_MAX, isPixels } from './reading/pictures.ts';

/** Bytes of one picture. */
export const PICTURE_BYTES_MAX = 5_000_000;

/** Asks for a picture by its address. Throws PageError. */
export type AskForPicture = (url: string) => Promise<Page>;

/** What came, and a sentence for each that is not told by its pixels. */
export interface BroughtPictures {
  readonly pictures: readonly PictureGiven[];
  readonly reasons: readonly string[];
}

/** Brings the first pictures of `urls`, as many as a check looks at. Without `ask` only those are had that stand in the page itself. */
export async function bringPictures(urls: readonly string[], ask: AskForPicture | undefined, nowMs: number): Promise<BroughtPictures> {
  const pictures = await Promise.all(urls.slice(0, PICTURES_MAX).map((url) => bringOne(url, ask, nowMs)));
  const bytes = pictures.reduce((sum, { body }) => sum + (body?.byteLength ?? 0), 0);
  const came = pictures.filter(({ body }) => body !== undefined).length;
  return {
    pictures,
    reasons: [`${came} of ${urls.length} pictures came: ${bytes} bytes.`, ...pictures.flatMap((picture) => remarkOn(picture) ?? [])],
  };
}

function remarkOn({ url, body, problem }: PictureGiven): string | undefined {
  if (problem !== undefined) return problem;
  return body && !isPixels(body) ? `${shown(url)} is neither a PNG nor a JPEG: it is told by its bytes.` : undefined;
}

async function bringOne(url: string, ask: AskForPicture | undefined, nowMs: number): Promise<PictureGiven> {
  try {
    if (url.startsWith('data:')) return { url, body: bytesInAddress(url) };
    if (!ask) throw new PageError('address', 'what a run of a workflow shows is not asked for again; read its address with "attribute"');
    const page = await ask(url);
    const refusal = refuseStatus(page, nowMs);
    if (refusal) throw refusal;
    if (!isPixels(page.body) && !typeOf(page.contentType).startsWith('image/'))
      throw new PageError('unsupported_type', `it came as ${page.contentType ?? 'something without a type'}, which is no picture`);
    return { url, body: page.body };
  } catch (error) {
    if (!(error instanceof PageError) || error.code === 'aborted') throw error;
    return { url, problem: `The picture ${shown(url)} could not be had: ${error.message.replace(/\.?$/, '.')}` };
  }
}

/** Of an address that holds the picture itself (RFC 2397). Throws PageError. */
function bytesInAddress(url: string): Uint8Array {
  const comma = url.indexOf(',');
  const isBase64 = /;\s*base64\s*$/i.test(url.slice(0, comma));
  const body = readWritten(url.slice(comma + 1), isBase64);
  if (body.byteLength > PICTURE_BYTES_MAX)
    throw new PageError('body_too_large', `it stands in the page, and has more than ${PICTURE_BYTES_MAX} bytes`);
  return body;
}

function readWritten(text: string, isBase64: boolean): Uint8Array {
  try {
    const written = decodeURIComponent(text);
    return isBase64
      ? Uint8Array.from(atob(written.replaceAll(/\s/g, '')), (character) => character.charCodeAt(0))
      : new TextEncoder().encode(written);
  } catch (cause) {
    throw new PageError('page_unreadable', 'it stands in the page, and what stands there is no picture', { cause });
  }
}

function shown(url: string): string {
  return url.length > 200 ? `${url.slice(0, 199)}…` : url;
}
