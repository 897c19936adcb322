import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from './fixture.ts';

test('a green file answers 0', async () => {
  const { code, output } = await runSource(`test('holds', () => {});`);
  assert.equal(code, 0, output);
  assert.match(output, /pass 1\n/);
});

test('a red test answers 1 and is named', async () => {
  const { code, output } = await runSource(`test('holds', () => {});\ntest('does not hold', () => { throw new Error('no'); });`);
  assert.equal(code, 1, output);
  assert.match(output, /✖ does not hold/);
});

test('a hook that fails is named in the last lines', async () => {
  const { code, output } = await runSource(
    `import { after, describe } from 'node:test';\ndescribe('a suite', () => {\n  after(() => { throw new Error('not closed'); });\n  test('holds', () => {});\n});`,
  );
  assert.equal(code, 1, output);
  assert.match(output, /✖ .*sample\.test\.ts:3 · a suite · not closed\n1 passed, 1 failed\n$/);
});

test('what a test leaves behind and breaks after its end is named in the last lines', async () => {
  const { code, output } = await runSource(
    `test('leaves', () => void setImmediate(() => Promise.reject(new Error('late'))));\ntest('waits', () => new Promise((done) => setImmediate(() => setImmediate(done))));`,
  );
  assert.equal(code, 1, output);
  assert.match(output, /✖ Error: Test "leaves" .*late.*\n2 passed, 1 failed\n$/);
});

test('a file that does not load answers 1', async () => {
  assert.equal((await runSource(`throw new Error('broken');`)).code, 1);
});

test('a path with no test file answers 2 and runs nothing', async () => {
  const { code, output } = await runPath(join(tmpdir(), 'weft-no-such.test.ts'));
  assert.equal(code, 2);
  assert.match(output, /no test file at .*weft-no-such/);
});

test('a signal reaches the tests and ends the run', async () => {
  const { code } = await runSource(
    `console.log('started');\ntest('waits', () => new Promise(() => setInterval(() => {}, 1e6)));`,
    'started',
  );
  assert.notEqual(code, 0);
});

async function runSource(source: string, signalAt?: string): Promise<{ code: number | null; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'weft runner '));
  const path = join(folder, 'sample.test.ts');
  writeFileSync(path, `import { test } from 'node:test';\n${source}\n`);
  try {
    return await runPath(path, signalAt);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs scripts/test.mjs on one file; sends it SIGTERM once its output contains `signalAt`. */
async function runPath(path: string, signalAt?: string): Promise<{ code: number | null; output: string }> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, [join(ROOT, 'scripts', 'test.mjs'), path], { env });
  let output = '';
  const hear = (chunk: Buffer) => {
    output += chunk.toString();
    if (signalAt !== undefined && output.includes(signalAt)) child.kill('SIGTERM');
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const [code] = await once(child, 'close');
  return { code, output };
}
