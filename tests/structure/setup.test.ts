import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from './fixture.ts';

test('two first starts side by side install once, in a folder with a space', async () => {
  using home = folder();
  const outputs = await Promise.all([setUp(home.path), setUp(home.path)]);
  assert.equal(outputs.join('').match(/installing dependencies/g)?.length, 1, outputs.join('\n'));
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
  assert.match(await setUp(home.path), /installing dependencies/);
  assert.ok(!existsSync(join(home.path, '.weft-setup.lock')));
});

/** Runs the set-up of a checkout without dependencies; answers what it says. */
async function setUp(home: string): Promise<string> {
  const child = spawn(process.execPath, [join(home, 'scripts', 'setup.mjs')]);
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
  copyFileSync(join(ROOT, 'scripts', 'setup.mjs'), join(path, 'scripts', 'setup.mjs'));
  writeFileSync(join(path, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
  writeFileSync(join(path, 'package-lock.json'), '{ "name": "empty", "lockfileVersion": 3, "packages": { "": { "name": "empty" } } }');
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}
