import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listFiles } from '../../scripts/modules.ts';
import { ROOT } from './fixture.ts';
import { publicExports } from './public-exports.ts';

const SOURCES = listFiles(ROOT, 'packages', ['.ts', '.tsx']).filter((path) => !/\.test\.tsx?$/.test(path));
const PUBLIC_INDEXES = ['contract/src/index.ts', 'engine/src/index.ts', 'engine/src/io/index.ts', 'client/src/index.ts']
  .map((path) => `packages/${path}`)
  .filter((path) => existsSync(join(ROOT, path)));

const READS_ENVIRONMENT = /\bprocess\.env\b|\benv\b[^;]*from 'node:process'/;
const DOUBLE_CAST = /\bas unknown as\b|\bas never\b/;
const UNFINISHED = /\b(TODO|FIXME|XXX|HACK)\b/;
const PRIVATE_SIGN = /\bthis\.#/;

test('the patterns below see what they are for', () => {
  assert.match('const home = process.env.SERVICE_HOME;', READS_ENVIRONMENT);
  assert.match("import { env } from 'node:process';", READS_ENVIRONMENT);
  assert.match('return row as unknown as Run;', DOUBLE_CAST);
  assert.match('// TODO: later', UNFINISHED);
  assert.match('  return this.#held;', PRIVATE_SIGN);
});

test('the environment is read in one file per program, and nowhere in contract and serve', () => {
  const readers = SOURCES.filter((path) => READS_ENVIRONMENT.test(read(path)));
  const byPackage = Map.groupBy(readers, (path) => path.split('/')[1] ?? '');
  for (const name of ['contract', 'serve']) assert.deepEqual(byPackage.get(name) ?? [], []);
  for (const paths of byPackage.values()) assert.ok(paths.length <= 1, `the environment is read in ${paths.join(' and ')}`);
});

test('a double cast has a comment right above it, which says what holds at run time', () => {
  assert.deepEqual(
    matching(DOUBLE_CAST, (above) => !/^\s*(\/\/|\*|.*\*\/$)/.test(above)),
    [],
  );
});

test('members are private by the word, nowhere by the sign', () => {
  assert.deepEqual(matching(PRIVATE_SIGN), []);
});

test('nothing is left for later', () => {
  assert.deepEqual(matching(UNFINISHED), []);
});

for (const index of PUBLIC_INDEXES) {
  test(`every export of ${index} has a docstring`, () => {
    const bare = publicExports(ROOT, index).filter((entry) => !entry.isDocumented);
    assert.deepEqual([...new Set(bare.map((entry) => `${entry.path}: ${entry.name}`))], []);
  });
}

test('an export without a docstring is seen through two modules that pass it on', () => {
  const found = publicExports(ROOT, 'tests/structure/samples/index.ts');
  assert.deepEqual(
    found.map((entry) => `${entry.name} ${entry.isDocumented}`),
    ['bare false', 'Documented true', 'inner true'],
  );
});

/** `path:line` of every line of the packages' sources that the pattern matches, where the line above it is one that `isFault` names. */
function matching(pattern: RegExp, isFault: (above: string) => boolean = () => true): string[] {
  return SOURCES.flatMap((path) => {
    const lines = read(path).split('\n');
    return lines.flatMap((line, index) => (pattern.test(line) && isFault(lines[index - 1] ?? '') ? [`${path}:${index + 1}`] : []));
  });
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
