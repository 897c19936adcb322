// Unpacks the browser that comes inside an npm package, into a folder that only its user can write.
import { randomUUID } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import type { Headers } from 'tar-fs';

/** The npm package that carries a browser, as installed here. */
export interface PackedBrowser {
  readonly version: string;
  /** Its folder with `chromium.br` and the archives beside it. */
  readonly binFolder: string;
}

/** A browser unpacked into `folder`. */
export interface UnpackedBrowser {
  readonly version: string;
  readonly path: string;
  /** Where the libraries lie that a bare system lacks. */
  readonly libraryFolder: string;
  /** Where the font settings lie that a bare system lacks. */
  readonly fontsFolder: string;
}

const PACKAGE = '@sparticuz/chromium';
/** Written last: what is unpacked without it is not whole. */
const MANIFEST = 'unpacked.json';

/** The package's own program on this machine, or undefined where it is not installed or made for another system. */
export function findPackedBrowser(): PackedBrowser | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  try {
    const folder = dirname(dirname(fileURLToPath(import.meta.resolve(PACKAGE))));
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    const binFolder = join(folder, 'bin');
    return existsSync(join(binFolder, 'chromium.br')) ? { version, binFolder } : undefined;
  } catch {
    return undefined;
  }
}

/** The browser of that version below `home`, if it is whole and belongs to this user. */
export function findUnpackedBrowser(home: string, version: string): UnpackedBrowser | undefined {
  const folder = folderOf(home, version);
  try {
    const { bytes } = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as { bytes: number };
    const browser = browserIn(folder, version);
    const isOwn = [folder, browser.path].every((path) => isSafe(path));
    return isOwn && statSync(browser.path).size === bytes ? browser : undefined;
  } catch {
    return undefined;
  }
}

/** Unpacks `packed` below `home` (207 MB, 2-5 s), or answers what is there already. Safe against others doing the same, and against being ended half-way. */
export async function unpackBrowser(packed: PackedBrowser, home: string): Promise<UnpackedBrowser> {
  const known = findUnpackedBrowser(home, packed.version);
  if (known) return known;
  const folder = folderOf(home, packed.version);
  const draft = `${folder}.${randomUUID()}`;
  const left = `${folder}.${randomUUID()}`;
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  try {
    await Promise.all([
      inflateFile(join(packed.binFolder, 'chromium.br'), join(draft, 'chromium')),
      inflateArchive(join(packed.binFolder, 'al2023.tar.br'), join(draft, 'al2023')),
      inflateArchive(join(packed.binFolder, 'fonts.tar.br'), draft),
    ]);
    // The package's own settings name folders of another system.
    writeFileSync(join(draft, 'fonts.conf'), fontSettings(folder));
    const { size } = statSync(join(draft, 'chromium'));
    writeFileSync(join(draft, MANIFEST), JSON.stringify({ version: packed.version, bytes: size }), { flush: true });
    // What an ended process left there is not whole, or it would be found. It is moved away in one step: deleting it piece by piece
    // could meet what somebody else has just put there.
    if (existsSync(folder) && !findUnpackedBrowser(home, packed.version)) renameSync(folder, left);
    await rename(draft, folder).catch((error: unknown) => {
      if (!findUnpackedBrowser(home, packed.version)) throw error;
    });
  } finally {
    await Promise.all([draft, left].map((path) => rm(path, { recursive: true, force: true })));
  }
  return browserIn(folder, packed.version);
}

/** An archive unpacked by root would else give its files to whoever made it. */
function asOwn(header: Headers): Headers {
  return { ...header, uid: process.getuid?.() ?? header.uid, gid: process.getgid?.() ?? header.gid };
}

function fontSettings(folder: string): string {
  const path = (name: string) => join(folder, name).replace(/&/g, '&amp;').replace(/</g, '&lt;');
  return `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig><dir>${path('fonts')}</dir><cachedir>${path('fonts-cache')}</cachedir></fontconfig>\n`;
}

function folderOf(home: string, version: string): string {
  return join(home, 'browser', version);
}

function browserIn(folder: string, version: string): UnpackedBrowser {
  return {
    version,
    path: join(folder, 'chromium'),
    libraryFolder: join(folder, 'al2023', 'lib'),
    fontsFolder: folder,
  };
}

/** A program that somebody else could have put there is not started. */
function isSafe(path: string): boolean {
  const stats = lstatSync(path);
  return !stats.isSymbolicLink() && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0;
}

async function inflateFile(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to, { mode: 0o700, flush: true }));
}

async function inflateArchive(from: string, to: string): Promise<void> {
  const { extract } = await import('tar-fs');
  await pipeline(createReadStream(from), createBrotliDecompress(), extract(to, { dmode: 0o700, map: asOwn }));
}
