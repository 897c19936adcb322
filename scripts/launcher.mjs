#!/usr/bin/env node
// The command `weft` of the installed package: starts on Node 24 or later, this one or the one that came along.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE_MAJOR_MIN = 24;
const main = fileURLToPath(new URL('./node_modules/@weft/cli/src/main.js', import.meta.url));

if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN) await import('./node_modules/@weft/cli/src/main.js');
else startOn(findNode());

/** The program of the platform's package, where it could be installed. */
function findNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`node-${system}-${process.arch}/package.json`));
    return [join(folder, 'bin', 'node'), join(folder, 'bin', 'node.exe')].find((path) => existsSync(path));
  } catch {
    return undefined;
  }
}

function startOn(node) {
  if (node === undefined) {
    process.stderr.write(
      `weft: needs Node ${NODE_MAJOR_MIN} or later, this is ${process.version}. Install Node ${NODE_MAJOR_MIN} (nodejs.org) and run the same command again.\n`,
    );
    process.exitCode = 1;
    return;
  }
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends SIGINT to the whole group; what else ends this program ends the command.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => (process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1)));
}
