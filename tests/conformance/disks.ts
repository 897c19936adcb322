// Disks of their own for homes, which a test fills up or breaks. Only root may mount them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Holds an agent with its compiled code, and is soon filled. */
const SMALL_MEGABYTES = 64;
/** The agent keeps 500 MB free. The image is sparse: it takes a few. */
const LARGE_MEGABYTES = 900;
const PIECE_BYTES_MIN = 4096;

/** A small disk in memory, mounted until the end of the block. */
export function mountDisk() {
  using undo = new DisposableStack();
  const path = makeFolder('weft-disk-', undo);
  run('mount', '-t', 'tmpfs', '-o', `size=${SMALL_MEGABYTES}m,mode=0700`, 'tmpfs', path);
  undo.defer(() => attempt('umount', '-l', path));
  const filler = join(path, 'filler');
  const mounted = undo.move();
  return {
    path,
    /** Takes every byte that is left. */
    fill() {
      assert.throws(() => writeFileSync(filler, Buffer.alloc(SMALL_MEGABYTES * 1_000_000 + 10_000_000)), /ENOSPC/);
      assert.throws(() => writeFileSync(`${filler}-2`, 'x'), /ENOSPC/);
    },
    free() {
      for (const file of [filler, `${filler}-2`]) rmSync(file, { force: true });
    },
    setReadOnly: (isReadOnly: boolean) => run('mount', '-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, path),
    [Symbol.dispose]: () => mounted.dispose(),
  };
}

/** A disk with a file system that keeps a journal, as most homes are on, mounted until the end of the block. */
export function mountJournalledDisk() {
  using undo = new DisposableStack();
  const image = join(makeFolder('weft-image-', undo), 'disk');
  const path = makeFolder('weft-disk-', undo);
  writeFileSync(image, '');
  truncateSync(image, LARGE_MEGABYTES * 1_000_000);
  // No blocks are kept back for root, who runs this.
  run('mkfs.ext4', '-q', '-F', '-m', '0', image);
  const mount = () => run('mount', '-o', 'loop', image, path);
  mount();
  undo.defer(() => attempt('umount', '-l', path));
  const fillers: string[] = [];
  const mounted = undo.move();
  return {
    path,
    /** Takes every block that is left. */
    fill() {
      for (let bytes = freeBytesOf(path); bytes >= PIECE_BYTES_MIN; bytes = Math.floor(bytes / 2)) {
        const filler = join(path, `filler-${fillers.length}`);
        fillers.push(filler);
        attempt('fallocate', '-l', String(bytes), filler);
      }
      assert.throws(() => writeFileSync(join(path, 'filler'), Buffer.alloc(2 * PIECE_BYTES_MIN)), /ENOSPC/);
    },
    free() {
      for (const filler of [...fillers.splice(0), join(path, 'filler')]) rmSync(filler, { force: true });
    },
    /** Does what a file system does by itself after an error: from now on nothing is written, by nobody. */
    breakOff() {
      // What was written so far has reached the disk, as after some seconds it always has: this is no power cut.
      run('sync', '-f', path);
      run('mount', '-o', 'remount,abort', path);
    },
    /** Writes nothing any more, and forgets what has not reached the disk once it is mounted anew. */
    cutPower: () => run('mount', '-o', 'remount,abort', path),
    /** Mounts it anew, which is what mends it; nobody may be using it. */
    remount() {
      run('umount', path);
      mount();
    },
    [Symbol.dispose]: () => mounted.dispose(),
  };
}

/** Why there can be no such disk here; false when there can be. */
export function whyNoDisk(mount: typeof mountDisk | typeof mountJournalledDisk): string | false {
  try {
    mount()[Symbol.dispose]();
    return false;
  } catch {
    return 'a disk of its own needs root, mount and mkfs.ext4';
  }
}

function makeFolder(prefix: string, undo: DisposableStack): string {
  const path = mkdtempSync(join(tmpdir(), prefix));
  undo.defer(() => rmSync(path, { recursive: true }));
  return path;
}

function freeBytesOf(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

function run(command: string, ...args: readonly string[]): void {
  const { status, stderr, error } = attempt(command, ...args);
  assert.equal(status, 0, stderr ?? error?.message);
}

function attempt(command: string, ...args: readonly string[]) {
  return spawnSync(command, args, { encoding: 'utf8' });
}
