// Writes a ZIP archive as a stream. Sizes follow the data of each entry, so nothing is held or sought.
import { Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import { AppError } from '@weft/contract';

export interface ZipEntry {
  /** Plain ASCII. */
  readonly name: string;
  data(): AsyncIterable<Uint8Array>;
}

interface Written {
  readonly name: Buffer;
  readonly crc: number;
  readonly size: number;
  readonly stored: number;
  readonly offset: number;
}

const LOCAL_HEADER = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const CENTRAL_HEADER = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
/** Sizes stand behind the data (APPNOTE 4.4.4, bit 3). */
const FLAGS = 0x0008;
const DEFLATED = 8;
/** 1 January 1980: the bytes depend on the content alone. */
const DOS_DATE = 0x0021;
const DEFLATE_LEVEL = 3;
/** Without the 64-bit extension, which some readers of streams don't know. */
const BYTES_MAX = 0xffffffff;

/** The bytes of an archive of `entries`, in their order. Throws AppError `bad_request` when the archive or an entry passes 4 GB. */
export async function* writeZip(entries: Iterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const written: Written[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name, 'ascii');
    const header = Buffer.concat([
      fields(4, LOCAL_HEADER, 2, VERSION, 2, FLAGS, 2, DEFLATED, 2, 0, 2, DOS_DATE, 4, 0, 4, 0, 4, 0, 2, name.length, 2, 0),
      name,
    ]);
    yield header;
    const counted = { crc: 0, size: 0, stored: 0 };
    for await (const part of deflate(entry.data(), counted)) yield part;
    const done: Written = { name, ...counted, offset };
    yield fields(4, DESCRIPTOR, 4, done.crc, 4, done.stored, 4, done.size);
    offset += header.length + done.stored + 16;
    if (offset > BYTES_MAX || done.size > BYTES_MAX)
      throw new AppError('bad_request', 'The workbook would pass 4 GB, which its format can not hold; take CSV or JSON lines.');
    written.push(done);
  }
  const directory = Buffer.concat(written.map(centralHeader));
  yield Buffer.concat([directory, fields(4, END, 2, 0, 2, 0, 2, written.length, 2, written.length, 4, directory.length, 4, offset, 2, 0)]);
}

async function* deflate(
  data: AsyncIterable<Uint8Array>,
  counted: { crc: number; size: number; stored: number },
): AsyncGenerator<Uint8Array> {
  async function* read() {
    for await (const part of data) {
      counted.crc = crc32(part, counted.crc);
      counted.size += part.byteLength;
      yield part;
    }
  }
  const input = Readable.from(read(), { objectMode: true, highWaterMark: 1 });
  const output = createDeflateRaw({ level: DEFLATE_LEVEL, chunkSize: 65_536 });
  input.on('error', (error) => output.destroy(error));
  input.pipe(output);
  try {
    for await (const part of output as AsyncIterable<Buffer>) {
      counted.stored += part.byteLength;
      yield part;
    }
  } finally {
    input.destroy();
    output.destroy();
  }
}

function centralHeader({ name, crc, size, stored, offset }: Written): Buffer {
  const head = fields(4, CENTRAL_HEADER, 2, VERSION, 2, VERSION, 2, FLAGS, 2, DEFLATED, 2, 0, 2, DOS_DATE, 4, crc, 4, stored, 4, size);
  return Buffer.concat([head, fields(2, name.length, 2, 0, 2, 0, 2, 0, 2, 0, 4, 0, 4, offset), name]);
}

/** Numbers as little-endian fields: a width in bytes and a value, in turn. */
function fields(...widthsAndValues: readonly number[]): Buffer {
  const parts: Buffer[] = [];
  for (let i = 0; i < widthsAndValues.length; i += 2) {
    const part = Buffer.alloc(widthsAndValues[i] ?? 0);
    part.writeUIntLE(widthsAndValues[i + 1] ?? 0, 0, part.length);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
