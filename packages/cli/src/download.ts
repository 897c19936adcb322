// Takes an answer's bytes to a file or to standard output as they come.
import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CommandContext } from './context.ts';
import { CommandError, EXIT } from './exit.ts';

/** Writes the body of `response`; a file appears under its name only when it is whole. Resolves with the number of bytes. */
export async function download(context: CommandContext, response: Response, file: string | undefined): Promise<number> {
  let bytes = 0;
  async function* counted() {
    for await (const piece of response.body ?? []) {
      bytes += piece.byteLength;
      yield piece;
    }
  }
  await deliver(context, counted(), file);
  return bytes;
}

/** Takes pieces to a file, which appears when it is whole, or to standard output. */
export async function deliver(
  { signal }: CommandContext,
  pieces: AsyncIterable<Uint8Array | string>,
  file: string | undefined,
): Promise<void> {
  const body = Readable.from(pieces, { objectMode: true, highWaterMark: 1 });
  if (file === undefined) await pipeline(body, standardOutput(), { signal });
  else await writeWhole(body, file, signal);
}

/** The file that `--output` names; undefined for standard output, which `-` means too. Throws CommandError where no file can be, so that nothing is fetched in vain. */
export async function outputOf({ output: file }: Readonly<Record<string, string | boolean | undefined>>): Promise<string | undefined> {
  if (typeof file !== 'string' || file === '-') return undefined;
  const refuse = (message: string) => new CommandError(message, { exitCode: EXIT.usage, code: 'bad_request' });
  if (await isFolder(file)) throw refuse(`${file} is a folder; name a file in it.`);
  if (!(await isFolder(dirname(file)))) throw refuse(`There is no folder ${dirname(file)}, so ${file} can't be written.`);
  return file;
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Standard output stays open for what follows. */
function standardOutput(): Writable {
  return new Writable({
    decodeStrings: false,
    write: (piece: Uint8Array | string, _encoding, done) => void process.stdout.write(piece, done),
  });
}

/** Writes `body` to `output`, which is a new file or the old one, never a part of the new one; a pipe or a device takes what comes. */
export async function writeWhole(body: Readable, output: string, signal: AbortSignal): Promise<void> {
  // Where a link leads; a file that is not there yet leads nowhere.
  const file = await realpath(output).catch(() => output);
  const isSpecial = await stat(file).then(
    (found) => !found.isFile(),
    () => false,
  );
  // No file may take the place of a device.
  if (isSpecial) return await pipeline(body, createWriteStream(file), { signal });
  const draft = `${file}.part`;
  try {
    await pipeline(body, createWriteStream(draft), { signal });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
