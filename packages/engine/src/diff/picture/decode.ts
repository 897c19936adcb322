// Decodes pictures to pixels: PNG and JPEG, each within a limit of pixels that is held against the head of the file before anything is unpacked.
import { Buffer } from 'node:buffer';
import { Unzlib } from 'fflate';
import { decode } from 'jpeg-js';
import { PNG } from 'pngjs';
import { PageError } from '../../errors.ts';
import type { Pixels } from './pixels.ts';

/** The largest picture that is compared, so that the memory for it is bounded: room for a page of 1,500 x 16,000, the highest that is taken. */
export const PIXELS_MAX = 24_000_000;
/** What reading a JPEG may take: its pixels and their coefficients. */
const JPEG_MEGABYTES_MAX = 1024;

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG_START = [0xff, 0xd8, 0xff];

/**
 * The pixels of a PNG or a JPEG; `name` is what a message calls it. Throws PageError: `unsupported_type` for another format,
 * `page_too_complex` for one of more than PIXELS_MAX pixels, `page_unreadable` for one that is broken.
 */
export function decodePicture(bytes: Uint8Array, name: string): Pixels {
  const isPng = startsWith(bytes, PNG_SIGNATURE);
  if (!isPng && !startsWith(bytes, JPEG_START))
    throw new PageError('unsupported_type', `${name} is neither a PNG nor a JPEG: only these are compared.`);
  try {
    return isPng ? decodePng(bytes, name) : decodeJpeg(bytes, name);
  } catch (cause) {
    if (cause instanceof PageError) throw cause;
    throw new PageError('page_unreadable', `${name} is a broken ${isPng ? 'PNG' : 'JPEG'}: ${(cause as Error).message}`, { cause });
  }
}

function decodePng(bytes: Uint8Array, name: string): Pixels {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The first chunk is the head, of fixed length (PNG, third edition, sections 5.6 and 11.2.1).
  const [width, height, isInterlaced] = [view.getUint32(16), view.getUint32(20), view.getUint8(28) === 1];
  requireSize(width, height, name);
  // The decoder bounds what it unpacks by the size, but for interlaced pictures.
  if (isInterlaced) requireUnpacked(view, bytes, 8 * (width + 8) * (height + 8) + 16 * height, name);
  const { data } = PNG.sync.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return { width, height, data: aligned(data) };
}

/** Refuses a PNG whose data unpack to more than `bytesMax`: eight bytes a pixel and a byte a line are all that there can be. */
function requireUnpacked(view: DataView, bytes: Uint8Array, bytesMax: number, name: string): void {
  let unpacked = 0;
  const inflate = new Unzlib((chunk) => {
    unpacked += chunk.length;
    if (unpacked > bytesMax)
      throw new PageError('page_too_complex', `${name} unpacks to more than the ${bytesMax} bytes that its size allows.`);
  });
  const PIECE = 65_536;
  for (let at = 8; at + 8 <= bytes.length; at += 12 + view.getUint32(at)) {
    const [length, type] = [view.getUint32(at), view.getUint32(at + 4)];
    if (type !== IDAT) continue;
    for (let start = 0; start < length; start += PIECE)
      inflate.push(bytes.subarray(at + 8 + start, at + 8 + Math.min(start + PIECE, length)), false);
  }
}
/** `IDAT`. */
const IDAT = 0x49444154;

function decodeJpeg(bytes: Uint8Array, name: string): Pixels {
  const [width, height] = jpegSize(bytes);
  requireSize(width, height, name);
  const limits = { maxResolutionInMP: PIXELS_MAX / 1e6, maxMemoryUsageInMB: JPEG_MEGABYTES_MAX };
  const picture = decode(bytes, { useTArray: true, ...limits });
  return { width: picture.width, height: picture.height, data: aligned(picture.data) };
}

/** Width and height of the first frame header (ISO/IEC 10918-1, section B.2.2). */
function jpegSize(bytes: Uint8Array): readonly [width: number, height: number] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 2; at + 9 < bytes.length;) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
    // Fill bytes may stand before a marker.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  throw new Error('it has no frame');
}

function requireSize(width: number, height: number, name: string): void {
  if (width === 0 || height === 0) throw new PageError('page_unreadable', `${name} has no pixels: ${width} x ${height}.`);
  if (width * height > PIXELS_MAX)
    throw new PageError('page_too_complex', `${name} has ${width} x ${height} pixels; at most ${PIXELS_MAX} are compared.`);
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, i) => bytes[i] === byte);
}

/** The same bytes where four of them can be read at once. */
function aligned(data: Uint8Array): Uint8Array {
  return data.byteOffset % 4 === 0 ? data : new Uint8Array(data);
}

/** A PNG of `pixels`. */
export function encodePng({ width, height, data }: Pixels): Uint8Array {
  const picture = Object.assign(new PNG(), { width, height, data: Buffer.from(data.buffer, data.byteOffset, data.byteLength) });
  // The quickest that shrinks it well: one filter for all lines (lines resemble those above) and the fastest level.
  return PNG.sync.write(picture, { filterType: 2, deflateLevel: 1 });
}
