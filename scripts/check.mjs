// Everything that can be said about the source in the current folder without running it.
// `npm run check` for all of it, `npm run check -- lint types` for some.
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';

const home = resolve(import.meta.dirname, '..');
/** Tools start through their JavaScript, which needs no shell: folders may hold spaces, and Windows is no exception. */
const tool = (path) => [process.execPath, join(home, 'node_modules', path)];
const script = (name) => [process.execPath, join(home, 'scripts', name)];

/** Of knip: only what programs reach counts as used; the tag `@awaits` names what an export that none uses yet is there for, and must be needed. */
const UNWIRED = [
  '--production',
  '--include=files,exports,types,nsExports,nsTypes',
  '--tags=-awaits',
  '--treat-tag-hints-as-errors',
  '--no-progress',
  '--no-config-hints',
];

/** Slowest first: two run at a time. */
const STEPS = [
  { name: 'types', says: 'types hold', command: [...tool('typescript/bin/tsc'), '--noEmit'] },
  {
    name: 'dead-code',
    says: 'no unused file, export or dependency',
    command: [...tool('knip/bin/knip.js'), '--no-progress', '--no-config-hints'],
  },
  {
    name: 'unwired',
    says: 'no export that only a test or an index uses',
    command: [...tool('knip/bin/knip.js'), ...UNWIRED],
  },
  { name: 'lint', says: 'no lint', command: [...tool('oxlint/bin/oxlint'), '--deny-warnings'] },
  { name: 'format', says: 'formatted', command: [...tool('oxfmt/bin/oxfmt'), '--check'] },
  { name: 'groups', says: 'every group is whole on each floor', command: script('check-groups.ts') },
  { name: 'imports', says: 'imports go in the allowed directions, none in a circle', command: script('check-imports.ts') },
  { name: 'generated', says: 'generated files are up to date', command: [...script('generate.ts'), '--check'] },
  { name: 'docs', says: 'what the documents cite exists', command: script('check-docs.ts') },
  { name: 'numbers', says: 'every numbered decision and case is explained', command: script('check-numbers.ts') },
];
const AT_ONCE = 2;

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !STEPS.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(`check: no step ${unknown.join(', ')}; there are ${STEPS.map((step) => step.name).join(', ')}`);
  process.exit(2);
}

const pending = STEPS.filter((step) => asked.length === 0 || asked.includes(step.name));
const failed = [];
await Promise.all(Array.from({ length: AT_ONCE }, runSteps));
if (failed.length > 0) console.log(`check: ${failed.join(', ')} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;

async function runSteps() {
  for (let step = pending.shift(); step; step = pending.shift()) {
    const startMs = performance.now();
    const { passed, output } = await run(step.command);
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1).padStart(5);
    console.log(`${passed ? 'ok    ' : 'FAILED'} ${seconds} s  ${step.name.padEnd(10)} ${step.says}`);
    if (passed) continue;
    failed.push(step.name);
    console.log(output.trimEnd().replaceAll(/^/gm, '    '));
  }
}

/** Runs to the end and keeps standard output and error together, in the order they came. */
function run([file, ...args]) {
  return new Promise((done) => {
    const chunks = [];
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('error', (error) => done({ passed: false, output: String(error) }));
    child.on('close', (code) => done({ passed: code === 0, output: Buffer.concat(chunks).toString() }));
  });
}
