// Says how far an install is: megabytes on the disk, and the seconds that are left at the speed so far.
import { lstatSync, opendirSync } from 'node:fs';
import { join } from 'node:path';

const MB = 1024 * 1024;
/** A terminal's line is written over; elsewhere, lines would pile up. */
const EVERY_MS = { terminal: 1000, file: 15_000 };
/** Before that, a speed says little: names of packages are asked for first. */
const KNOWN_FROM_MS = 4000;
const KNOWN_FROM_SHARE = 0.1;

/**
 * Says on `stream` how `folder` grows towards `totalMb`, until `stop()` is called, which takes the line away.
 * @param {string} folder
 * @param {number} totalMb
 * @param {NodeJS.WriteStream} stream
 */
export function showProgress(folder, totalMb, stream = process.stderr) {
  const isTerminal = Boolean(stream.isTTY);
  const beganMb = folderMb(folder);
  const beganMs = performance.now();
  const say = () => {
    const text = progressText(folderMb(folder), { beganMb, totalMb, elapsedMs: performance.now() - beganMs });
    stream.write(isTerminal ? `\r\u001B[K${text.slice(0, (stream.columns ?? 80) - 1)}` : `${text}\n`);
  };
  const timer = setInterval(say, isTerminal ? EVERY_MS.terminal : EVERY_MS.file);
  return {
    stop() {
      clearInterval(timer);
      if (isTerminal) stream.write('\r\u001B[K');
    },
  };
}

/** `weft: 120 of 350 MB, about 14 s left`. */
export function progressText(nowMb, { beganMb, totalMb, elapsedMs }) {
  const done = `weft: ${Math.min(nowMb, totalMb)} of ${totalMb} MB`;
  const gainedMb = nowMb - beganMb;
  if (elapsedMs < KNOWN_FROM_MS || gainedMb < totalMb * KNOWN_FROM_SHARE) return done;
  const leftSeconds = Math.ceil(((totalMb - nowMb) * elapsedMs) / gainedMb / 1000);
  return leftSeconds > 0 ? `${done}, about ${leftSeconds} s left` : `${done}, almost there`;
}

/** What lies below `folder` by size, in MB. What vanishes meanwhile counts nothing. */
export function folderMb(folder) {
  let bytes = 0;
  const walk = (path) => {
    const entries = orNothing(() => opendirSync(path));
    if (!entries) return;
    for (let entry = entries.readSync(); entry; entry = entries.readSync()) {
      if (entry.isDirectory()) walk(join(path, entry.name));
      else bytes += orNothing(() => lstatSync(join(path, entry.name)).size) ?? 0;
    }
    entries.closeSync();
  };
  walk(folder);
  return Math.round(bytes / MB);
}

function orNothing(look) {
  try {
    return look();
  } catch {
    return undefined;
  }
}
