// Runs the engine's program that unpacks the browser. The command line never loads the engine.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const INSTALL_MAIN = fileURLToPath(new URL('../../engine/src/io/browser/program/install-main.ts', import.meta.url));

/** What the program answers. */
export type InstalledBrowser =
  | { readonly path: string; readonly version: string }
  | { readonly error: { readonly code: string; readonly message: string } };

/** Unpacks the browser below `home`. */
export async function installBrowser(home: string): Promise<InstalledBrowser> {
  const child = spawn(process.execPath, [INSTALL_MAIN, home], { stdio: ['ignore', 'pipe', 'inherit'] });
  // Our own program, whose one line has this shape.
  return JSON.parse(await text(child.stdout)) as InstalledBrowser;
}
