import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';

const MODULE = pathToFileURL(join(import.meta.dirname, 'signalled.ts')).href;

/** Ends with 0 by itself once its input ends; its clock is the number that its input said last. */
const PROGRAM = `
  import { createInterface } from 'node:readline';
  import { signalled } from '${MODULE}';
  let time = 0;
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => { time = Number(line); console.log('time ' + line); });
  lines.on('close', () => process.exit(0));
  process.on('SIGTERM', () => console.log('got SIGTERM'));
  process.on('SIGINT', () => console.log('got SIGINT'));
  signalled(() => time).then(() => console.log('ending'));
  console.log('ready');
`;

function start() {
  const child = spawn(process.execPath, ['--input-type=module', '--disable-warning=ExperimentalWarning', '-e', PROGRAM], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const exit = once(child, 'exit');
  return { child, exit, said: async () => String((await lines.next()).value) };
}

test('one asking that comes twice ends nothing at once', async () => {
  const { child, exit, said } = start();
  assert.equal(await said(), 'ready');
  child.kill('SIGINT');
  assert.deepEqual([await said(), await said()], ['got SIGINT', 'ending']);
  child.stdin.write('499\n');
  assert.equal(await said(), 'time 499');
  child.kill('SIGTERM');
  assert.equal(await said(), 'got SIGTERM');
  child.stdin.end();
  assert.deepEqual(await exit, [0, null]);
});

test('asked again later it ends at once', async () => {
  const { child, exit, said } = start();
  assert.equal(await said(), 'ready');
  child.kill('SIGINT');
  assert.deepEqual([await said(), await said()], ['got SIGINT', 'ending']);
  child.stdin.write('500\n');
  assert.equal(await said(), 'time 500');
  child.kill('SIGINT');
  assert.deepEqual(await exit, [1, null]);
});
