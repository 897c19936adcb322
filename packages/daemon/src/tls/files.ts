// Reads and writes the few small files whose mode matters.
import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';

/** Why a file was not read, beside what the system itself says. */
export class FileFault extends Error {
  /** `exposed`: others may read a private file. `irregular`: a folder, a device, ... */
  readonly kind: 'exposed' | 'irregular';

  constructor(kind: 'exposed' | 'irregular', message: string) {
    super(message);
    this.name = 'FileFault';
    this.kind = kind;
  }
}

const OTHERS = 0o077;
/** Windows has access lists instead of modes, and no such flag. */
const HAS_MODES = process.platform !== 'win32';

/**
 * The text of `path`, undefined where nothing is there; symbolic links are not followed.
 * Throws FileFault where others may read a file that `isPrivate`, else what the system says.
 */
export async function readWhole(path: string, isPrivate: boolean): Promise<string | undefined> {
  const file = await openIfPresent(path);
  if (file === undefined) return undefined;
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new FileFault('irregular', `${path} is no regular file`);
    if (isPrivate && HAS_MODES && (stat.mode & OTHERS) !== 0) throw new FileFault('exposed', `${path} is open to other users`);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/** Puts `text` at `path` for its owner alone, in one step: after a crash the file is whole or absent. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const besides = `${path}.new`;
  await rm(besides, { force: true });
  const file = await open(besides, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(besides, path);
}

async function openIfPresent(path: string): Promise<FileHandle | undefined> {
  try {
    // Without O_NONBLOCK a pipe put there would hang the start.
    return await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
