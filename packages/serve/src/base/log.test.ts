import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { formatToken } from '@weft/contract';
import type { Log } from './log.ts';
import { openLog, safeText } from './log.ts';

const TOKEN = formatToken('wlt', 'A'.repeat(43));
const TICKET = 'B'.repeat(43);

/** Hostile text, and what must not be in the log of it. */
const HOSTILE: readonly (readonly [name: string, text: string, never: RegExp])[] = [
  ['a line of its own', 'x\r\n{"level":50,"msg":"forged"}', /[\r\n]\{"level":50,"msg":"forged"/],
  ['a terminal escape', '\u001b[2J\u001b]0;title\u0007', /[\u001b\u0007]/],
  ['a C1 escape', '\u009b31m', /\u009b/],
  ['a NUL', 'a\u0000b', /\u0000/],
  ['line separators', 'a\u2028b\u2029c', /[\u2028\u2029]/],
  ['text that turns its direction', 'a\u202ecba', /\u202e/],
  ['a megabyte', 'x'.repeat(1_000_000), /x{5000}/],
  ['a token', `the header was Bearer ${TOKEN}`, /A{20}/],
  ['a token in a URL', `GET /v1/agent?token=${TOKEN}&a=1`, /A{20}/],
  ['a token after an escape', `redirect=%3D${TOKEN}`, /A{20}/],
  ['a token after a word', `token${TOKEN}`, /A{20}/],
  ['a token without its end', TOKEN.slice(0, 30), /A{20}/],
  ['a ticket', `ws://127.0.0.1:8131/ws?ticket=${TICKET}`, /B{20}/],
  ['a password in a URL', 'fetch https://user:hunter2@site.test/ failed', /hunter2/],
  ['Basic credentials', 'Authorization: Basic dXNlcjpodW50ZXIy', /dXNlcjpodW50ZXIy/],
];

suite('log (F79)', () => {
  for (const [name, text, never] of HOSTILE) {
    test(`${name} does not reach the log as text`, () => {
      assert.doesNotMatch(safeText(text), never);
    });
    test(`${name} does not reach the log in an error, its stack or its cause`, async () => {
      const lines = await logged((log) => log.error({ error: new Error(text, { cause: new Error(text) }) }, 'request failed'));
      assert.equal(lines.length, 1);
      assert.doesNotMatch(lines.join('\n'), never);
      assert.equal((JSON.parse(lines[0] ?? '') as { msg: string }).msg, 'request failed');
      assert.ok((lines[0]?.length ?? 0) < 20_000);
    });
  }

  test('an error that is no Error is written as safely', async () => {
    for (const thrown of [TOKEN, { toString: () => TOKEN }, null, undefined, Object.create(null) as object]) {
      const [line = ''] = await logged((log) => log.error({ error: thrown }, 'x'));
      assert.doesNotMatch(line, /A{20}/);
    }
  });

  test('members that are named after secrets are written as redacted', async () => {
    const [line = ''] = await logged((log) => log.info({ token: 'seen', a: { password: 'seen', cookie: 'seen' } }, 'x'));
    assert.doesNotMatch(line, /seen/);
  });

  test('plain text stays as it is', () => {
    for (const text of ['page https://site.test/a?b=c#d took 12 ms', 'caf\u00e9 \u{1f600}', '"quoted" and \\ slashed'])
      assert.equal(safeText(text), text);
  });

  test('attack 7: a file that is full is put aside while the log goes on, and the oldest are let go', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-log-'));
    const path = join(folder, 'agent.log');
    const log = openLog(path, 1000);
    for (let i = 0; i < 100; i++) log.info({ i }, 'x'.repeat(80));
    await log.close();
    const files = readdirSync(folder).toSorted();
    assert.deepEqual(files, ['agent.log', 'agent.log.1', 'agent.log.2', 'agent.log.3']);
    const lines = files.toReversed().flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'));
    const numbers = lines.map((line) => (JSON.parse(line) as { i: number }).i);
    assert.deepEqual(
      numbers,
      numbers.map((_, at) => 100 - numbers.length + at),
    );
    for (const name of files) assert.ok(statSync(join(folder, name)).size < 1300 && (statSync(join(folder, name)).mode & 0o777) === 0o600);
    rmSync(folder, { recursive: true });
  });

  test('the file is private', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-log-'));
    const log = openLog(join(folder, 'agent.log'));
    log.info({}, 'x');
    await log.close();
    assert.equal(statSync(join(folder, 'agent.log')).mode & 0o777, 0o600);
    rmSync(folder, { recursive: true });
  });
});

async function logged(write: (log: Log) => void): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-log-'));
  const log = openLog(join(folder, 'agent.log'));
  write(log);
  await log.close();
  const text = readFileSync(join(folder, 'agent.log'), 'utf8');
  rmSync(folder, { recursive: true });
  return text.trimEnd().split('\n');
}
