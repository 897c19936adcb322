import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { generate } from '../../scripts/generate.ts';

const GENERATORS = [
  { output: 'fresh.md', build: async () => 'fresh\n' },
  { output: 'docs/stale.md', build: async () => 'new\n' },
];

test('names what is out of date when checking, and changes nothing', async () => {
  using home = folder();
  assert.deepEqual(await generate(home.path, GENERATORS, true), ['docs/stale.md']);
  assert.throws(() => readFileSync(join(home.path, 'docs/stale.md')), /ENOENT/);
});

test('writes what is out of date, then finds nothing to do', async () => {
  using home = folder();
  assert.deepEqual(await generate(home.path, GENERATORS, false), ['docs/stale.md']);
  assert.equal(readFileSync(join(home.path, 'docs/stale.md'), 'utf8'), 'new\n');
  assert.deepEqual(await generate(home.path, GENERATORS, true), []);
});

function folder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'weft-generate-'));
  writeFileSync(join(path, 'fresh.md'), 'fresh\n');
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}
