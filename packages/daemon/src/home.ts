// The home folder: private to its user, created on first use (D11).
import { accessSync, chmodSync, constants, existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from './config.ts';

export interface Home {
  readonly path: string;
  /** The path of a file or folder in the home. */
  file(...names: string[]): string;
}

/** Below these, what others may read is taken back from them. A key of TLS is not: it may have been copied, and is made anew (tls/). */
const MENDED = ['', 'logs', 'backups', 'cache', join('cache', 'compile'), 'vault'];
const FOLDERS = ['tls', 'logs', 'blobs', 'backups', 'cache', 'browser', 'vault'];

/**
 * The home at `path`, made private (0700) with its folders. Throws ConfigError when it is a link, belongs to someone else, or can't be
 * written. Sets the process's umask, so that nothing made later is readable by others.
 */
export function prepareHome(path: string): Home {
  process.umask(0o077);
  try {
    makeFolder(path);
    requireOwnFolder(path);
    chmodSync(path, 0o700);
    for (const name of FOLDERS) makeFolder(join(path, name));
    for (const folder of MENDED) mendModes(join(path, folder));
    // The folders may be there already, on a disk that is read-only now.
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(
      `The home folder ${path} can't be used: ${(error as Error).message}. Mend its permissions or free space, or set SERVICE_HOME to another folder.`,
    );
  }
  return { path, file: (...names) => join(path, ...names) };
}

/** Takes the rights of others away from what was in `folder` before, whoever made it so: a copy, another program, an earlier umask. */
function mendModes(folder: string): void {
  if (process.platform === 'win32' || !existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stats = lstatSync(path);
    const isOwn = stats.uid === process.getuid?.() && !stats.isSymbolicLink();
    if (isOwn && (stats.mode & 0o077) !== 0) chmodSync(path, stats.mode & 0o700);
  }
}

/** Makes a folder and those above it one by one: Node's recursive form never returns below /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

function requireOwnFolder(path: string): void {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) throw new ConfigError(`The home folder ${path} is a symbolic link; set SERVICE_HOME to the folder itself.`);
  if (!stats.isDirectory()) throw new ConfigError(`The home ${path} is not a folder; set SERVICE_HOME to one.`);
  const uid = process.getuid?.();
  if (uid !== undefined && stats.uid !== uid)
    throw new ConfigError(`The home folder ${path} belongs to another user; set SERVICE_HOME to your own.`);
}

/** What a home holds that only an agent with a database can have made, in words; empty before the first start has come that far. */
export function remainsOf(home: Home): readonly string[] {
  const holds = (folder: string, name: RegExp) => readdirSync(home.file(folder)).some((entry) => name.test(entry));
  return [
    ...(existsSync(home.file('token')) ? ['a token'] : []),
    ...(holds('blobs', /^[0-9a-f]{2}$/) ? ['the bytes of files'] : []),
    ...(holds('backups', /./) ? ['copies of a database'] : []),
    ...(holds('vault', /^header-/) ? ['a vault'] : []),
  ];
}
