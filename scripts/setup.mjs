// Installs what the project needs on first use: dependencies and, with them, the right Node. Runs on Node 20 or later.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampPath = join(root, 'node_modules', '.weft-setup');
const lockPath = join(root, '.weft-setup.lock');
const STALE_LOCK_MS = 10 * 60 * 1000;
const POLL_MS = 200;

const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');
const isCurrent = () => existsSync(stampPath) && readFileSync(stampPath, 'utf8') === wanted;

if (!isCurrent()) {
  takeLock();
  try {
    if (!isCurrent()) install();
  } finally {
    rmdirSync(lockPath);
  }
}
requireNode24();

function install() {
  process.stderr.write('weft: installing dependencies (first use, about ten seconds) ...\n');
  const result = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) {
    process.stderr.write('weft: npm install failed; its message is above. Mend that and run the same command again.\n');
    rmdirSync(lockPath);
    process.exit(1);
  }
  writeFileSync(stampPath, wanted);
}

/** Two first starts side by side must not install into one folder at once; a lock older than ten minutes is a dead one. */
function takeLock() {
  for (;;) {
    try {
      mkdirSync(lockPath);
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (lockAgeMs() > STALE_LOCK_MS) rmdirSync(lockPath);
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
    }
  }
}

function lockAgeMs() {
  try {
    return Date.now() - statSync(lockPath).mtimeMs;
  } catch {
    return 0;
  }
}

function requireNode24() {
  const own = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  const node = existsSync(own) ? own : 'node';
  const version = spawnSync(node, ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' }).stdout?.trim() ?? '';
  if (Number(version.slice(1).split('.')[0]) >= 24) return;
  process.stderr.write(
    `weft: needs Node 24 or later, found ${version || 'none'}. Install Node 24 (nodejs.org) and run the same command again.\n`,
  );
  process.exit(1);
}
