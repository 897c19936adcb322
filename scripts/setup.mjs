// Installs what the project needs on first use: dependencies and, with them, the right Node. Runs on Node 20 or later.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampPath = join(root, 'node_modules', '.weft-setup');
const lockPath = join(root, '.weft-setup.lock');
const ownerPath = join(lockPath, 'pid');
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
    dropLock();
  }
}
requireNode24();

function install() {
  process.stderr.write('weft: installing dependencies (first use, about ten seconds) ...\n');
  // --include: where NODE_ENV is production, npm would leave out what tests and checks need.
  const result = spawnSync(
    'npm',
    ['install', '--no-save', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    },
  );
  if (result.status !== 0) {
    process.stderr.write('weft: npm install failed; its message is above. Mend that and run the same command again.\n');
    dropLock();
    process.exit(1);
  }
  writeFileSync(stampPath, wanted);
}

/** Two first starts side by side must not install into one folder at once. */
function takeLock() {
  for (;;) {
    try {
      mkdirSync(lockPath);
      writeFileSync(ownerPath, String(process.pid));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (isAbandoned()) dropLock();
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
    }
  }
}

function dropLock() {
  rmSync(lockPath, { recursive: true, force: true });
}

/** An interrupted install leaves its lock behind: the next start must not wait for a process that is gone. */
function isAbandoned() {
  try {
    if (Date.now() - statSync(lockPath).mtimeMs > STALE_LOCK_MS) return true;
    process.kill(Number(readFileSync(ownerPath, 'utf8')) || process.pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
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
