import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { APPS } from './apps.ts';
import { LOGINS } from './logins.ts';
import { SOFTWARE, parseAsked, runApps } from './main.ts';
import { placeOf, takeHome } from './runner.ts';

const restart = () => Promise.resolve();
const home = mkdtempSync(join(tmpdir(), 'weft-apps-'));
after(() => rmSync(home, { recursive: true }));

test('every application has a name and a port of its own', () => {
  assert.equal(new Set(SOFTWARE.map((app) => app.name)).size, SOFTWARE.length);
  assert.equal(new Set(SOFTWARE.map((app) => app.port)).size, SOFTWARE.length);
  for (const app of SOFTWARE) assert.match(app.name, /^[a-z][a-z0-9-]+$/);
});

test('every application is described by the file that defines it, and pins what registries would choose', () => {
  for (const { name, source, needs, package: shown } of SOFTWARE) {
    const brought = [
      ...(needs.apt ?? []),
      ...(needs.unpack ?? []),
      ...Object.keys(needs.npm ?? {}),
      ...(needs.pip ?? []).map((wanted) => wanted.split('==')[0]),
    ];
    assert.ok(brought.includes(shown), `${name}: ${shown}`);
    assert.ok(existsSync(source), `${name}: ${source}`);
    for (const wanted of needs.pip ?? []) assert.match(wanted, /^[\w.-]+==\d[\w.]*$/, name);
    for (const version of Object.values({ ...needs.npm, ...needs.npmOverrides })) assert.match(version, /^\d+\.\d+\.\d+[\w.-]*$/, name);
  }
});

test('every application that is crawled names an inner page', () => {
  for (const { name, inner } of APPS) assert.match(inner, /^\/./, name);
});

test('every account is one of its application alone, and each seed is of one account', () => {
  for (const login of LOGINS) {
    const { accounts, login: first, form } = login.site({ place: placeOf(login.software, home), origin: 'http://127.0.0.1:1', restart });
    assert.deepEqual({ ...accounts[0], url: first.url }, first, login.software.name);
    assert.equal(new Set(accounts.map(({ username }) => username)).size, accounts.length);
    const seeds = accounts.flatMap(({ totpSeed }) => totpSeed ?? []);
    assert.equal(new Set(seeds).size, seeds.length);
    for (const seed of seeds) assert.match(seed, /^([A-Z2-7]{8})+$/);
    assert.equal(form.code !== undefined, seeds.length > 0);
  }
});

test('list prints every application', async () => {
  const { code, lines } = await run('list');
  assert.equal(code, 0);
  for (const app of SOFTWARE) assert.ok(lines.some((line) => line.includes(app.name) && line.includes(String(app.port))));
});

test('an unknown name answers 2, says which exist and touches nothing', async () => {
  const { code, lines } = await run('gitweb', 'gone');
  assert.equal(code, 2);
  assert.match(lines.join(), /no application gone; there are .*gitweb/);
});

test('names choose applications, install only installs, and check is for those that people log in to', () => {
  assert.deepEqual(summary(['gitweb']), 'start gitweb');
  assert.deepEqual(summary(['install', 'gitweb']), 'install gitweb');
  assert.deepEqual(summary(['check', 'verdaccio']), 'check verdaccio');
  assert.deepEqual(summary(['check', 'gitweb']), 'unknown');
  assert.deepEqual(summary(['check']), `check ${LOGINS.map(({ software }) => software.name).join(' ')}`);
  assert.deepEqual(summary([]), `start ${SOFTWARE.map((app) => app.name).join(' ')}`);
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
