// The cloud as its operator starts it: one command, one PostgreSQL in its folder, a key that is printed once.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, suite, test } from 'node:test';
import { CHILD_ENV } from '../child-env.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'packages', 'cloud', 'src', 'main.ts');

suite('npm run cloud', { timeout: 600_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-cloud-'));
  const started: ChildProcess[] = [];
  after(async () => {
    for (const child of started) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });

  const start = async (...args: readonly string[]) => {
    const env = { ...CHILD_ENV, SERVICE_HOME: home };
    const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    started.push(child);
    let said = '';
    const ended = once(child, 'exit');
    const ready = Promise.withResolvers<void>();
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('Try, in another terminal')) ready.resolve();
    });
    await Promise.race([ready.promise, ended]);
    const baseUrl = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? '';
    return { child, baseUrl, ended, said: () => said };
  };
  const postgresPid = () => Number(readFileSync(join(home, 'cloud', 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  test('says what there is when asked for help, and starts nothing', async () => {
    const child = spawn(process.execPath, [MAIN, '--help'], {
      env: { ...CHILD_ENV, SERVICE_HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(child);
    const [said, failed, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    assert.deepEqual([code, failed], [0, '']);
    assert.match(said, /^Usage: npm run cloud -- \[options\]\n.*--port N\n.*--private-target localhost:8080/s);
    assert.deepEqual(readdirSync(home), []);
  });

  test('serves, keeps its folder private, and stops its PostgreSQL with itself; what a killed one left running is taken over', async () => {
    const first = await start('--port', '0');
    const key = /wt_\S+/.exec(first.said())?.[0] ?? '';
    const credits = async (baseUrl: string) =>
      (await (await fetch(`${baseUrl}/api/account/credits`, { headers: { authorization: `Bearer ${key}` } })).json()) as {
        available: number;
      };
    assert.equal((await fetch(`${first.baseUrl}/readyz`)).status, 200);
    assert.equal((await credits(first.baseUrl)).available, 100_000);
    assert.equal(statSync(join(home, 'cloud', 'postgres', 'password')).mode & 0o077, 0);
    const pid = postgresPid();

    first.child.kill('SIGKILL');
    await first.ended;
    assert.ok(isAlive(pid), 'a killed program stops nothing');

    const second = await start('--port', '0');
    assert.equal(postgresPid(), pid);
    assert.equal((await credits(second.baseUrl)).available, 100_000);
    assert.doesNotMatch(second.said(), /wt_[A-Za-z0-9]/);
    second.child.kill('SIGTERM');
    assert.deepEqual(await second.ended, [0, null]);
    assert.ok(!isAlive(pid));
  });

  test('says what a wrong option is, and what there is', async () => {
    const { said, ended } = await start('--private-target', 'nonsense');
    assert.deepEqual(await ended, [1, null]);
    assert.match(said(), /must be host:port/);
  });
});
