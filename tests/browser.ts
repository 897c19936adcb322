// A real Chromium for tests: one of the machine, else the one that comes with the development dependencies.
import { createReadStream, createWriteStream, existsSync, lstatSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

const SYSTEM = ['/usr/bin/google-chrome', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/snap/bin/chromium'];
const PACKED = join(import.meta.dirname, '..', 'node_modules', '@sparticuz', 'chromium');

/** Launches a headless browser with `args` beside what it needs; the sandbox is off for root only, who can't have one. */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return await chromium.launch({ executablePath: await findBrowser(), args: [...args], chromiumSandbox: !isRoot });
}

/** The path of a browser's program: `SERVICE_CHROME`, the system's, or the packed one, unpacked on first use (5 s, 190 MB). */
export async function findBrowser(): Promise<string> {
  const asked = process.env['SERVICE_CHROME'];
  return asked || SYSTEM.find((path) => existsSync(path)) || (await unpack());
}

async function unpack(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(PACKED, 'package.json'), 'utf8')) as { version: string };
  const uid = process.getuid?.() ?? 0;
  const path = join(tmpdir(), `weft-test-chromium-${uid}`, version, 'chromium');
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (lstatSync(dirname(dirname(path))).uid !== uid) throw new Error(`${dirname(dirname(path))} belongs to someone else`);
  if (existsSync(path)) return path;
  const draft = `${path}.${process.pid}`;
  await pipeline(createReadStream(join(PACKED, 'bin', 'chromium.br')), createBrotliDecompress(), createWriteStream(draft, { mode: 0o700 }));
  renameSync(draft, path);
  return path;
}
