// `npm test` checks the source and then runs every test; `npm test -- <file, folder or pattern ...>` runs just those.
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = resolve(import.meta.dirname, '..');
const EVERYWHERE = ['packages/**/*.test.ts', 'tests/**/*.test.ts', 'bench/**/*.test.ts'];
/** Browsers and long stories get a process of their own, after the quick ones have spoken. */
const SLOW = /\.(browser|slow)\.test\.ts$/;
/** One process for all files: isolation costs 0.2 s a file. The timeout names the file that hangs. */
const RUNNER = ['--test', '--test-isolation=none', '--test-timeout=120000'];

const args = process.argv.slice(2);
const options = args.filter((arg) => arg.startsWith('-'));
const asked = args.filter((arg) => !arg.startsWith('-'));
const scratch = mkdtempSync(join(tmpdir(), 'weft-test-'));
let child;
let stoppedBy;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);

try {
  process.exitCode = asked.length > 0 ? await runAsked() : await runAll();
} finally {
  rmSync(scratch, { recursive: true });
}

async function runAll() {
  const all = testFiles(EVERYWHERE);
  const checked = await run([join(root, 'scripts', 'check.mjs')]);
  const quick = await runTests(all.filter((file) => !SLOW.test(file)));
  const slow = await runTests(all.filter((file) => SLOW.test(file)));
  if (checked !== 0) console.log('npm run check failed; what it found is at the top');
  console.log(`${quick.passed + slow.passed} passed, ${quick.failed + slow.failed} failed`);
  return checked || quick.code || slow.code;
}

async function runAsked() {
  const files = asked.flatMap((path) => {
    const found = testFiles([isFolder(path) ? join(path, '**/*.test.ts') : path]);
    if (found.length === 0) console.error(`npm test: no test file at ${path}`);
    return found.length === 0 ? [undefined] : found;
  });
  return files.includes(undefined) ? 2 : (await runTests([...new Set(files)])).code;
}

function testFiles(patterns) {
  return globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] })
    .filter((file) => file.endsWith('.test.ts'))
    .sort();
}

function isFolder(path) {
  return statSync(resolve(root, path), { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Runs `files` in one process; counts come through a reporter of ours, beside the one that people read. */
async function runTests(files) {
  if (files.length === 0) return { code: 0, passed: 0, failed: 0 };
  const counts = join(scratch, 'counts');
  rmSync(counts, { force: true });
  const reporters = [
    ['--test-reporter=spec', '--test-reporter-destination=stdout'],
    [`--test-reporter=${pathToFileURL(join(root, 'scripts', 'test-counts.mjs'))}`, `--test-reporter-destination=${counts}`],
  ];
  const code = await run([...RUNNER, ...reporters.flat(), ...options, ...files]);
  if (code !== 0) console.log(`npm test: node --test ended with ${code}`);
  const lines = statSync(counts, { throwIfNoEntry: false }) ? readFileSync(counts, 'utf8').split('\n') : [];
  return { code, passed: lines.filter((line) => line === 'pass').length, failed: lines.filter((line) => line === 'fail').length };
}

/** Passes the signal on; what has not started yet never will. */
function stop(signal) {
  stoppedBy = signal;
  child?.kill(signal);
}

/** The exit code of `node <args>`, as a shell would say it when a signal ended it. */
async function run(nodeArgs) {
  if (stoppedBy) return 128 + constants.signals[stoppedBy];
  return new Promise((done) => {
    child = spawn(process.execPath, nodeArgs, { cwd: root, stdio: 'inherit' });
    child.on('error', (error) => {
      console.error(`npm test: ${error.message}`);
      done(1);
    });
    child.on('close', (code, signal) => done(code ?? 128 + constants.signals[signal]));
  });
}
