import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkImports } from '../../scripts/check-imports.ts';
import { listFiles } from '../../scripts/modules.ts';
import { ROOT, fixtureNames, openFixture } from './fixture.ts';

const CHECK = join(ROOT, 'scripts', 'check.mjs');

for (const name of fixtureNames()) {
  test(`npm run check refuses ${name}`, () => {
    using fixture = openFixture(name);
    const result = spawnSync(process.execPath, [CHECK, fixture.check], { cwd: fixture.folder, encoding: 'utf8' });
    assert.equal(result.status, 1, result.stdout + result.stderr);
    for (const expected of fixture.expected) assert.ok(result.stdout.includes(expected), `no "${expected}" in\n${result.stdout}`);
  });
}

test('every step has a fixture that it must refuse', () => {
  const steps = [...readFileSync(CHECK, 'utf8').matchAll(/\{ name: '([^']+)'/g)].map((match) => match[1]);
  const covered = new Set(
    fixtureNames().map((name) => {
      using fixture = openFixture(name);
      return fixture.check;
    }),
  );
  assert.deepEqual(
    steps.filter((step) => step !== undefined && !covered.has(step)),
    [],
  );
});

test('the import checker sees every module of the packages', () => {
  const { filesSeen } = checkImports(ROOT);
  assert.equal(filesSeen, listFiles(ROOT, 'packages', ['.ts', '.tsx']).length);
  assert.ok(filesSeen > 5, `${filesSeen} modules`);
});

test('refuses the name of a step that does not exist', () => {
  const result = spawnSync(process.execPath, [CHECK, 'nonsense'], { cwd: ROOT, encoding: 'utf8' });
  assert.equal(result.status, 2);
  assert.match(result.stderr, /no step nonsense; there are types,/);
});
