import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { APPS } from './apps.ts';
import { parseAsked, runApps } from './main.ts';
import { takeHome } from './runner.ts';

const home = mkdtempSync(join(tmpdir(), 'weft-apps-'));
after(() => rmSync(home, { recursive: true }));

test('every application has a name and a port of its own', () => {
  assert.equal(new Set(APPS.map((app) => app.name)).size, APPS.length);
  assert.equal(new Set(APPS.map((app) => app.port)).size, APPS.length);
  for (const app of APPS) assert.match(app.name, /^[a-z][a-z0-9-]+$/);
});

test('every application is described by the file that defines it, pins what registries would choose and names an inner page', () => {
  for (const { name, source, needs, inner, package: shown } of APPS) {
    const brought = [
      ...(needs.apt ?? []),
      ...(needs.unpack ?? []),
      ...Object.keys(needs.npm ?? {}),
      ...(needs.pip ?? []).map((wanted) => wanted.split('==')[0]),
    ];
    assert.ok(brought.includes(shown), `${name}: ${shown}`);
    assert.ok(existsSync(source), `${name}: ${source}`);
    for (const wanted of needs.pip ?? []) assert.match(wanted, /^[\w.-]+==\d[\w.]*$/, name);
    for (const version of Object.values(needs.npm ?? {})) assert.match(version, /^\d+\.\d+\.\d+[\w.-]*$/, name);
    assert.match(inner, /^\/./, name);
  }
});

test('list prints every application', async () => {
  const { code, lines } = await run('list');
  assert.equal(code, 0);
  for (const app of APPS) assert.ok(lines.some((line) => line.includes(app.name) && line.includes(String(app.port))));
});

test('an unknown name answers 2, says which exist and touches nothing', async () => {
  const { code, lines } = await run('gitweb', 'gone');
  assert.equal(code, 2);
  assert.match(lines.join(), /no application gone; there are .*gitweb/);
});

test('names choose applications, and install chooses only the installing', () => {
  assert.deepEqual(summary(['gitweb']), 'start gitweb');
  assert.deepEqual(summary(['install', 'gitweb']), 'install gitweb');
  assert.deepEqual(summary([]), `start ${APPS.map((app) => app.name).join(' ')}`);
});

test('refuses a home that another live process has, and takes one that a dead process left', () => {
  writeFileSync(join(home, '.owner'), String(process.ppid));
  assert.throws(() => takeHome(home), /in use by process \d+/);
  writeFileSync(join(home, '.owner'), '4194305');
  takeHome(home)[Symbol.dispose]();
  assert.ok(!existsSync(join(home, '.owner')));
});

async function run(...args: string[]): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const code = await runApps(args, home, Promise.resolve(), (line) => lines.push(...line.split('\n')));
  return { code, lines };
}

function summary(args: readonly string[]): string {
  const asked = parseAsked(args);
  return 'apps' in asked ? [asked.verb, ...asked.apps.map((app) => app.name)].join(' ') : asked.verb;
}
