import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { progressText } from '../../scripts/install-progress.mjs';
import { ROOT } from './fixture.ts';

/** Of no package but two workspaces. */
const LOCK = JSON.stringify({
  name: 'empty',
  lockfileVersion: 3,
  packages: {
    '': { name: 'empty', workspaces: ['cli', 'daemon'] },
    ...Object.fromEntries(['cli', 'daemon'].map((name) => [`node_modules/@weft/${name}`, { resolved: name, link: true }])),
    cli: { name: '@weft/cli', version: '1.0.0' },
    daemon: { name: '@weft/daemon', version: '1.0.0' },
  },
});

test('two first starts side by side install once, in a folder with a space', async () => {
  using home = folder();
  const outputs = await Promise.all([setUp(home.path), setUp(home.path)]);
  assert.equal(outputs.join('').match(/installing what/g)?.length, 1, outputs.join('\n'));
  assert.ok(existsSync(join(home.path, 'node_modules', '.weft-setup')));
  assert.ok(!existsSync(join(home.path, '.weft-setup.lock')));
});

test('a start after the first says and does nothing', async () => {
  using home = folder();
  await setUp(home.path);
  assert.equal(await setUp(home.path), '');
});

test('an install that was interrupted does not make the next start wait', async () => {
  using home = folder();
  mkdirSync(join(home.path, '.weft-setup.lock'));
  const gone = spawnSync(process.execPath, ['--version']).pid;
  writeFileSync(join(home.path, '.weft-setup.lock', 'pid'), String(gone));
  assert.match(await setUp(home.path), /installing what/);
  assert.ok(!existsSync(join(home.path, '.weft-setup.lock')));
});

test('what running needs comes first and tests bring the rest, which a later start does not take away', async () => {
  using home = folder();
  assert.match(await setUp(home.path, 'run'), /installing what running needs/);
  assert.equal(await setUp(home.path, 'run'), '');
  assert.match(await setUp(home.path), /tests and checks/);
  assert.equal(await setUp(home.path, 'run'), '');
  assert.equal(readFileSync(join(home.path, 'package-lock.json'), 'utf8'), LOCK, 'the lock stays as it was');
  writeFileSync(join(home.path, 'package-lock.json'), LOCK.replace('{', '{ '));
  assert.match(await setUp(home.path, 'run'), /tests and checks/);
});

for (const [nowMb, { beganMb, elapsedMs }, said] of [
  [30, { beganMb: 0, elapsedMs: 9000 }, 'weft: 30 of 331 MB'],
  [120, { beganMb: 0, elapsedMs: 2000 }, 'weft: 120 of 331 MB'],
  [120, { beganMb: 20, elapsedMs: 10_000 }, 'weft: 120 of 331 MB, about 22 s left'],
  [340, { beganMb: 20, elapsedMs: 10_000 }, 'weft: 331 of 331 MB, almost there'],
] as const)
  test(`an install that has ${nowMb} MB after ${elapsedMs / 1000} s says: ${said}`, () =>
    assert.equal(progressText(nowMb, { beganMb, totalMb: 331, elapsedMs }), said));

test('the lock names every package for every system, and no registry', () => {
  const text = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, { optionalDependencies?: Record<string, string> }> };
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies));
  assert.deepEqual(
    wanted.filter((name) => !Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`))),
    [],
  );
  assert.doesNotMatch(text, /"resolved": "http/);
});

/** Runs the set-up of a checkout without dependencies; answers what it says. */
async function setUp(home: string, ...level: string[]): Promise<string> {
  const child = spawn(process.execPath, [join(home, 'scripts', 'setup.mjs'), ...level]);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  assert.equal(code, 0, output);
  return output;
}

function folder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'weft setup '));
  for (const name of ['scripts', 'node_modules']) mkdirSync(join(path, name));
  for (const name of ['setup.mjs', 'install-progress.mjs']) copyFileSync(join(ROOT, 'scripts', name), join(path, 'scripts', name));
  const workspaces = ['cli', 'daemon'];
  for (const name of workspaces) {
    mkdirSync(join(path, name));
    writeFileSync(join(path, name, 'package.json'), `{ "name": "@weft/${name}", "version": "1.0.0" }`);
  }
  writeFileSync(join(path, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module', workspaces }));
  writeFileSync(join(path, 'package-lock.json'), LOCK);
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}
