// Paints rectangles of a PNG black, so that nothing of what was there is left in the picture.
import { promisify } from 'node:util';
import { crc32, deflate, inflate } from 'node:zlib';

/** A rectangle in pixels of the picture. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Samples for each pixel, by colour type (PNG, third edition, section 11.2.1). */
const SAMPLES: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [4, 2],
  [6, 4],
]);
const deflated = promisify(deflate);
const inflated = promisify(inflate);

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** `png` with `boxes` black; 8 bits a sample, not interlaced, as browsers write pictures of pages. Throws for another form. */
export async function paintOver(png: Uint8Array, boxes: readonly Box[]): Promise<Uint8Array> {
  if (boxes.length === 0) return png;
  const chunks = readChunks(Buffer.from(png));
  const header = chunks[0]?.data;
  const samples = header && header.length === 13 && header[8] === 8 && header[12] === 0 ? SAMPLES.get(header[9] ?? -1) : undefined;
  if (!header || samples === undefined) throw new Error('The picture is no PNG that can be painted over.');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const data = await inflated(Buffer.concat(chunks.flatMap(({ type, data: part }) => (type === 'IDAT' ? [part] : []))));
  const lineBytes = width * samples;
  unfilter(data, lineBytes, samples, height);
  for (const box of boxes) fill(data, box, width, height, samples);
  const body: Chunk = { type: 'IDAT', data: await deflated(data, { level: 3 }) };
  const at = chunks.findIndex(({ type }) => type === 'IDAT');
  const others = chunks.filter(({ type }) => type !== 'IDAT');
  return new Uint8Array(Buffer.concat([SIGNATURE, ...[...others.slice(0, at), body, ...others.slice(at)].map(writeChunk)]));
}

function readChunks(png: Buffer): readonly Chunk[] {
  if (!png.subarray(0, 8).equals(SIGNATURE)) throw new Error('The picture is no PNG.');
  const chunks: Chunk[] = [];
  for (let at = 8; at + 12 <= png.length;) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return chunks;
}

function writeChunk({ type, data }: Chunk): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Turns every line into one without a filter, in place (section 9.2). */
function unfilter(data: Buffer, lineBytes: number, samples: number, height: number): void {
  for (let y = 0; y < height; y++) {
    const start = y * (lineBytes + 1) + 1;
    const filter = data[start - 1];
    for (let i = start; filter !== 0 && i < start + lineBytes; i++) {
      const left = i - start >= samples ? (data[i - samples] ?? 0) : 0;
      const up = y > 0 ? (data[i - lineBytes - 1] ?? 0) : 0;
      const corner = y > 0 && i - start >= samples ? (data[i - lineBytes - 1 - samples] ?? 0) : 0;
      data[i] = (data[i] ?? 0) + predict(filter, left, up, corner);
    }
    data[start - 1] = 0;
  }
}

function predict(filter: number | undefined, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const guess = left + up - corner;
  const [byLeft, byUp, byCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

/** Whole pixels, those that the box only touches included. */
function fill(data: Buffer, box: Box, width: number, height: number, samples: number): void {
  const within = (value: number, max: number) => Math.min(Math.max(value, 0), max);
  const [left, right] = [within(Math.floor(box.x), width), within(Math.ceil(box.x + box.width), width)];
  const [top, bottom] = [within(Math.floor(box.y), height), within(Math.ceil(box.y + box.height), height)];
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const at = y * (width * samples + 1) + 1 + x * samples;
      data.fill(0, at, at + samples);
      if (samples % 2 === 0) data[at + samples - 1] = 255;
    }
}
