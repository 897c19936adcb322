// A home on a disk that is full or read-only, or where no folder can be: the agent and the command line as processes of their own (F4, F7).
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { mountDisk, whyNoDisk } from './disks.ts';
import type { Program } from './program.ts';
import { startProgram } from './program.ts';
import { serveOnLoopback } from '../sites/on-loopback.ts';
import { CHILD_ENV } from '../child-env.ts';

const WEFT = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts');
const TIMEOUT_MS = 120_000;
/** Longer than the agent takes to try again. */
const FULL_MS = 3000;
const skip = whyNoDisk(mountDisk);
const DISK_IS_FULL = /The disk of the agent is full; nothing was changed\. Free space[\s\S]*\nCause: internal[\s\S]*\nTry: {3}weft /;

suite('F4 a full disk', { skip, timeout: TIMEOUT_MS }, () => {
  test('fails a scrape with what to do, keeps nothing of it, and serves again once there is space', async () => {
    using disk = mountDisk();
    await using site = await startSite(() => undefined);
    await using program = await startProgram({ home: disk.path });
    const token = await program.ready();
    assert.equal((await weft(program, 'scrape', site.url)).code, 0);
    disk.fill();
    const before = rowsOf(disk.path);
    const failed = await weft(program, 'scrape', site.url);
    assert.deepEqual([failed.code, failed.out], [1, '']);
    assert.match(failed.err, DISK_IS_FULL);
    assert.deepEqual(rowsOf(disk.path), before);
    assert.equal((await get(program, token, '/v1/agent')).status, 200);
    assert.equal((await get(program, token, '/v1/runs/1')).status, 200, 'what is kept is still read');
    const health = (await (await get(program, token, '/v1/health')).json()) as {
      status: string;
      parts: { name: string; status: string }[];
    };
    assert.equal(health.status, 'fail', JSON.stringify(health.parts));
    const rotated = await weft(program, 'token', 'rotate');
    assert.notEqual(rotated.code, 0);
    assert.match(rotated.err, /The disk of the agent is full; nothing was kept\. Free space/);
    disk.free();
    assert.equal((await weft(program, 'scrape', site.url)).code, 0);
    assert.deepEqual(await stopped(program), { code: 0, integrity: 'ok' });
  });

  test('that fills up while a page is fetched fails the run with that reason, without a half-written page', async () => {
    using disk = mountDisk();
    await using site = await startSite((path) => path === '/fills' && disk.fill());
    await using program = await startProgram({ home: disk.path });
    const token = await program.ready();
    const scrape = weft(program, 'scrape', `${site.url}fills`);
    await site.isAsked;
    // The log is on the same disk, so only the time tells that its end could not be written at first.
    await Promise.race([scrape, sleep(FULL_MS)]);
    disk.free();
    const { code, err } = await scrape;
    assert.notEqual(code, 0);
    assert.match(err, /The disk of the agent is full/);
    assert.equal(((await (await get(program, token, '/v1/runs/1')).json()) as { status: string }).status, 'failed');
    assert.equal(rowsOf(disk.path)['record'], 0);
    assert.equal((await weft(program, 'scrape', `${site.url}again`)).code, 0);
    assert.deepEqual(await stopped(program), { code: 0, integrity: 'ok' });
  });

  test('refuses a start with what to do, and leaves no beginnings of files', async () => {
    using disk = mountDisk();
    disk.fill();
    await using program = await startProgram({ home: disk.path });
    const { code, stderr } = await program.exit;
    assert.equal(code, 1);
    assert.match(stderr, /could not start[\s\S]*(full|ENOSPC)[\s\S]*([Ff]ree space|weft doctor)/);
    assert.deepEqual(
      readdirSync(disk.path).filter((name) => name.endsWith('.tmp')),
      [],
    );
    disk.free();
    await using again = await startProgram({ home: disk.path });
    assert.match(await again.ready(), /^wlt_/);
  });
});

suite('F7 a home', { timeout: TIMEOUT_MS }, () => {
  test('on a read-only disk is refused with its path and what to do', { skip }, async () => {
    using disk = mountDisk();
    for (const isUsed of [false, true]) {
      if (isUsed) {
        disk.setReadOnly(false);
        await using program = await startProgram({ home: disk.path });
        await program.ready();
      }
      disk.setReadOnly(true);
      await using program = await startProgram({ home: disk.path });
      const { code, stderr } = await program.exit;
      assert.equal(code, 1);
      assert.ok(stderr.includes(`The home folder ${disk.path} can't be used`), stderr);
      assert.match(stderr, /SERVICE_HOME/);
    }
  });

  for (const home of ['/proc/weft/home', '/sys/weft', '/dev/null/weft'])
    test(`at ${home} is refused at once`, { skip: existsSync('/proc/self') ? false : 'this system has no /proc' }, async () => {
      await using program = await startProgram({ home });
      const { code, stderr } = await program.exit;
      assert.equal(code, 1);
      assert.match(stderr, /The home folder .* can't be used: E\w+[\s\S]*SERVICE_HOME/);
    });
});

/** The command line against the agent of `program`. */
async function weft({ home, port }: Program, ...args: readonly string[]) {
  const env = { ...CHILD_ENV, HOME: home, SERVICE_HOME: home, SERVICE_PORT: String(port) };
  const child = spawn(process.execPath, [WEFT, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: code as number | null, out, err };
}

function get(program: Program, token: string, path: string): Promise<Response> {
  return fetch(`${program.baseUrl}${path}`, { headers: { authorization: `Bearer ${token}` } });
}

/** How many rows each table has that a scrape writes. */
function rowsOf(home: string): Readonly<Record<string, number>> {
  const database = new DatabaseSync(join(home, 'weft.db'), { readOnly: true });
  const count = (table: string) => (database.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
  const rows = Object.fromEntries(['run', 'run_event', 'crawl', 'crawl_url', 'dataset', 'record'].map((table) => [table, count(table)]));
  database.close();
  return rows;
}

async function stopped(program: Program) {
  program.process.kill('SIGTERM');
  const { code } = await program.exit;
  const database = new DatabaseSync(join(program.home, 'weft.db'), { readOnly: true });
  const { integrity_check: integrity } = database.prepare('PRAGMA integrity_check').get() as { integrity_check: string };
  database.close();
  return { code, integrity };
}

/** Pages of two megabytes, so that a kept one does not fit into what the database has free; `onPage` is called before each is answered. */
async function startSite(onPage: (path: string) => unknown) {
  const asked = Promise.withResolvers<void>();
  const site = await serveOnLoopback((request, response) => {
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    onPage(request.url ?? '');
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Page</title><p>${'Plain words. '.repeat(150_000)}`);
    return asked.resolve();
  });
  return { ...site, isAsked: asked.promise };
}
