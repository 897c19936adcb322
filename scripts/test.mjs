// `npm test` checks the source and then runs every test; `npm test -- <file, folder or pattern ...>` runs just those.
import { spawn } from 'node:child_process';
import { closeSync, globSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = resolve(import.meta.dirname, '..');
const EVERYWHERE = ['packages/**/*.test.ts', 'tests/**/*.test.ts', 'bench/**/*.test.ts'];
/** Quick tests and browsers have one process after the other; beside them the source is checked, and whoever is through takes the long stories that are left. */
const BROWSER = /\.browser\.test\.ts$/;
const SLOW = /\.slow\.test\.ts$/;
/** One process for all files: isolation costs 0.2 s a file. The timeout names the file that hangs. */
const RUNNER = ['--test', '--test-isolation=none', '--test-timeout=600000'];

/** What the processes of one run have compiled serves the others, and the next run. */
const COMPILED = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'compiled');

const args = process.argv.slice(2);
const options = args.filter((arg) => arg.startsWith('-'));
const asked = args.filter((arg) => !arg.startsWith('-'));
const scratch = mkdtempSync(join(tmpdir(), 'weft-test-'));
const children = new Set();
let stoppedBy;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);

try {
  process.exitCode = asked.length > 0 ? await runAsked() : await runAll();
} finally {
  rmSync(scratch, { recursive: true });
}

/** What runs beside says its part when the others are through. */
async function runAll() {
  const all = testFiles(EVERYWHERE);
  const of = (pattern) => all.filter((file) => pattern.test(file));
  const quickFiles = all.filter((file) => !BROWSER.test(file) && !SLOW.test(file));
  const stories = of(SLOW);
  const told = [];
  const takeStories = async () => {
    for (let file = stories.shift(); file; file = stories.shift()) told.push(await runTests([file], runLater));
  };
  const inFront = async () => {
    const parts = [await runTests(quickFiles), await runTests(of(BROWSER))];
    await takeStories();
    return parts;
  };
  const beside = async () => {
    const checked = await runLater([join(root, 'scripts', 'check.mjs')]);
    await takeStories();
    return checked;
  };
  const [parts, checked] = await Promise.all([inFront(), beside()]);
  process.stdout.write(told.map(({ said }) => said).join('') + checked.said);
  parts.push(...told);
  summarize(parts);
  if (checked.code !== 0) console.log('npm run check failed; what it found is above');
  return [checked, ...parts].find(({ code }) => code !== 0)?.code ?? 0;
}

async function runAsked() {
  const files = asked.flatMap((path) => {
    const found = testFiles([isFolder(path) ? join(path, '**/*.test.ts') : path]);
    if (found.length === 0) console.error(`npm test: no test file at ${path}`);
    return found.length === 0 ? [undefined] : found;
  });
  if (files.includes(undefined)) return 2;
  const part = await runTests([...new Set(files)]);
  summarize([part]);
  return part.code;
}

/** The last lines, for whoever sees only these: what failed, a line each, and how many did not. */
function summarize(parts) {
  const failed = parts.flatMap((part) => part.failed);
  for (const failure of failed) console.log(`✖ ${failure}`);
  console.log(`${parts.reduce((sum, { passed }) => sum + passed, 0)} passed, ${failed.length} failed`);
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
async function runTests(files, runNode = async (args) => ({ code: await run(args), said: '' })) {
  if (files.length === 0) return { code: 0, passed: 0, failed: [], said: '' };
  const counts = join(mkdtempSync(join(scratch, 'counts-')), 'counts');
  const reporters = [
    ['--test-reporter=spec', '--test-reporter-destination=stdout'],
    [`--test-reporter=${pathToFileURL(join(root, 'scripts', 'test-counts.mjs'))}`, `--test-reporter-destination=${counts}`],
  ];
  const { code, said } = await runNode([...RUNNER, ...reporters.flat(), ...options, ...files]);
  if (code !== 0) console.log(`npm test: node --test ended with ${code}`);
  const lines = statSync(counts, { throwIfNoEntry: false }) ? readFileSync(counts, 'utf8').split('\n') : [];
  const failed = lines.filter((line) => line.startsWith('fail ')).map((line) => named(JSON.parse(line.slice(5))));
  if (code !== 0 && failed.length === 0)
    failed.push(`node --test ended with ${code} on ${files.length === 1 ? files[0] : `${files.length} files`}`);
  return { code, passed: lines.filter((line) => line === 'pass').length, failed, said };
}

function named({ name, file, line, why }) {
  return [file && `${relative(root, file)}:${line}`, name, why].filter(Boolean).join(' · ');
}

/** Passes the signal on; what has not started yet never will. */
function stop(signal) {
  stoppedBy = signal;
  for (const child of children) child.kill(signal);
}

/** `run`, with what it says to be printed later. */
async function runLater(nodeArgs) {
  const said = join(mkdtempSync(join(scratch, 'said-')), 'said');
  const file = openSync(said, 'w');
  const code = await run(nodeArgs, ['ignore', file, file]);
  closeSync(file);
  return { code, said: readFileSync(said, 'utf8') };
}

/** The exit code of `node <args>`, as a shell would say it when a signal ended it. */
async function run(nodeArgs, stdio = 'inherit') {
  if (stoppedBy) return 128 + constants.signals[stoppedBy];
  return new Promise((done) => {
    const env = { ...process.env, NODE_COMPILE_CACHE: COMPILED };
    const child = spawn(process.execPath, nodeArgs, { cwd: root, stdio, env });
    children.add(child);
    child.on('error', (error) => {
      console.error(`npm test: ${error.message}`);
      done(1);
    });
    child.on('close', (code, signal) => {
      children.delete(child);
      done(code ?? 128 + constants.signals[signal]);
    });
  });
}
