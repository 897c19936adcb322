// Files that only their user may read, and that are there whole or not at all.
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a private file whole or not at all, and durably. */
export function writePrivate(path: string, text: string): void {
  const draft = `${path}.${process.pid}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true });
    renameSync(draft, path);
    syncFolder(dirname(path));
  } catch (error) {
    // A full disk leaves the beginning of it.
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The text of a private file; undefined when there is none. */
export function findPrivate(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** What was put into a folder outlives a power cut only once the folder is on disk. */
export function syncFolder(path: string): void {
  // Windows opens no folders; it writes renames through.
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
