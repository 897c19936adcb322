// Finds the browsers of this machine, in the order in which they are tried.
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { PageError } from '../../../errors.ts';
import { findPackedBrowser, findUnpackedBrowser, unpackBrowser } from './unpack.ts';
import type { PackedBrowser } from './unpack.ts';

/** Where to look for browsers. */
export interface BrowserPlaces {
  /** The program's home; the packed browser is unpacked below it. */
  readonly home: string;
  /** A program that the user named: then no other one is used. */
  readonly chromePath?: string | undefined;
}

/** Where a browser comes from. */
export type BrowserSource = 'configured' | 'system' | 'playwright' | 'packed';

/** A browser that can be started once `ready` has answered. */
export interface BrowserCandidate {
  readonly source: BrowserSource;
  /** For people: its path, or the version that is not unpacked yet. */
  readonly name: string;
  /** Unpacks what must be unpacked. */
  ready(): Promise<BrowserProgram>;
}

/** A program, with the variables that it needs beside ours. */
export interface BrowserProgram {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

/** How to get a browser, as the end of a sentence. */
export const HOW_TO_GET_A_BROWSER =
  'Run `weft browser install`, install Chromium with the package manager of the system, or set SERVICE_CHROME to the path of one';

const SYSTEM_PROGRAMS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  // Headless shells first: they take two thirds of the time and memory of a whole browser.
  linux: [
    ...paths(['/usr/bin', '/usr/local/bin'], ['chrome-headless-shell', 'chromium-headless-shell']),
    ...paths(['/usr/bin', '/usr/local/bin'], ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser']),
    '/opt/google/chrome/chrome',
    '/snap/bin/chromium',
  ],
  darwin: paths(
    ['/Applications', join(homedir(), 'Applications')],
    ['Google Chrome.app/Contents/MacOS/Google Chrome', 'Chromium.app/Contents/MacOS/Chromium'],
  ),
  win32: paths(
    ['C:\\Program Files', 'C:\\Program Files (x86)', join(homedir(), 'AppData', 'Local')],
    ['Google\\Chrome\\Application\\chrome.exe', 'Chromium\\Application\\chrome.exe'],
  ),
};

const PLAYWRIGHT_FOLDERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: '.cache/ms-playwright',
  darwin: 'Library/Caches/ms-playwright',
  win32: 'AppData/Local/ms-playwright',
};
/** Below a revision's folder, as the releases since 2023 have it. */
const PLAYWRIGHT_PROGRAMS = [
  'chrome-headless-shell-linux64/chrome-headless-shell',
  'chrome-linux/headless_shell',
  'chrome-linux64/chrome',
  'chrome-linux/chrome',
  'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
  'chrome-win/chrome.exe',
];

/** Every browser of this machine, best first; only the named one when the user named one. Looks at files, starts nothing. */
export function findBrowsers(places: BrowserPlaces): readonly BrowserCandidate[] {
  if (places.chromePath !== undefined) return existsSync(places.chromePath) ? [installed('configured', places.chromePath)] : [];
  const system = (SYSTEM_PROGRAMS[process.platform] ?? []).filter((path) => existsSync(path)).map((path) => installed('system', path));
  const playwrights = playwrightPrograms().map((path) => installed('playwright', path));
  const packed = findPackedBrowser();
  return [...system, ...playwrights, ...(packed ? [packedCandidate(packed, places.home)] : [])];
}

/** Unpacks the packed browser below `home`; its path. Throws PageError `browser` when the package that carries it is not installed. */
export async function installBrowser(home: string): Promise<{ readonly path: string; readonly version: string }> {
  const packed = findPackedBrowser();
  if (!packed)
    throw new PageError(
      'browser',
      'The optional package @sparticuz/chromium, which carries the browser, is not installed here. Run `npm install`, or set SERVICE_CHROME.',
    );
  const { path, version } = await unpackBrowser(packed, home);
  return { path, version };
}

/** The error of a machine without a browser that starts. */
export function noBrowserError(places: BrowserPlaces, cause?: unknown): NoBrowserError {
  const what =
    places.chromePath === undefined
      ? 'No browser was found on this machine'
      : `SERVICE_CHROME names ${places.chromePath}, which is no browser that starts`;
  return new NoBrowserError('browser', `${what}. ${HOW_TO_GET_A_BROWSER}.`, { next: 'drop', cause });
}

/** True for the error of a machine without a browser that starts. */
export function isNoBrowser(error: unknown): boolean {
  return error instanceof NoBrowserError;
}

class NoBrowserError extends PageError {}

function installed(source: BrowserSource, path: string): BrowserCandidate {
  return { source, name: path, ready: async () => ({ path, env: {} }) };
}

function packedCandidate(packed: PackedBrowser, home: string): BrowserCandidate {
  const unpacked = findUnpackedBrowser(home, packed.version);
  return {
    source: 'packed',
    name: unpacked?.path ?? `Chromium ${packed.version}, unpacked at first use`,
    ready: async () => {
      const { path, libraryFolder, fontsFolder } = await unpackBrowser(packed, home);
      return {
        path,
        env: {
          ...(hasSystemLibrary('libnss3.so') ? {} : { LD_LIBRARY_PATH: libraryFolder }),
          ...(existsSync('/usr/share/fonts') ? {} : { FONTCONFIG_PATH: fontsFolder }),
        },
      };
    },
  };
}

function hasSystemLibrary(name: string): boolean {
  return ['/usr/lib/x86_64-linux-gnu', '/usr/lib64', '/usr/lib', '/lib/x86_64-linux-gnu'].some((folder) => existsSync(join(folder, name)));
}

/** Programs that Playwright's own installer brought, newest first. */
function playwrightPrograms(): readonly string[] {
  const folder = PLAYWRIGHT_FOLDERS[process.platform];
  if (folder === undefined) return [];
  const root = join(homedir(), folder);
  try {
    return readdirSync(root)
      .filter((name) => name.startsWith('chromium'))
      .sort((a, b) => revisionOf(b) - revisionOf(a))
      .flatMap((name) => PLAYWRIGHT_PROGRAMS.map((program) => join(root, name, program)))
      .filter((path) => existsSync(path));
  } catch {
    return [];
  }
}

function revisionOf(name: string): number {
  return Number(/-(\d+)$/.exec(name)?.[1] ?? 0);
}

function paths(folders: readonly string[], names: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => names.map((name) => join(folder, name)));
}
