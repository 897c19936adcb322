// Finding 21: no advice names an option, a command, a setting or a member that is not there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  ACCOUNT_TABLE,
  CLOUD_TABLE,
  DAEMON_TABLE,
  ERROR_STATUS,
  EXTRA_TABLE,
  FAILURE_CODES,
  buildOpenApi,
  listOperations,
} from '@weft/contract';
import { listFiles, readTexts } from '../../scripts/modules.ts';
import { faultsOfAdvice } from './advice.ts';
import type { Nameable } from './advice.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Files that read the environment or the settings, and by that decide what can be set. */
const READERS = [
  'packages/daemon/src/config.ts',
  'packages/cli/src/environment.ts',
  'packages/cloud/src/config.ts',
  'packages/client/src/discovery.ts',
  'packages/daemon/src/settings.ts',
];
const DOCUMENTS = ['README.md', 'docs/errors.md'];

const KNOWN: Nameable = {
  variables: new Set(READERS.flatMap((path) => [...read(path).matchAll(/\b(SERVICE_[A-Z_]+)\b/g)].map(([name]) => name))),
  members: new Set([
    ...Object.keys(ERROR_STATUS),
    ...FAILURE_CODES,

    ...membersOf(
      [DAEMON_TABLE, EXTRA_TABLE, CLOUD_TABLE, ACCOUNT_TABLE].map((table) =>
        buildOpenApi(table, { title: '', description: '', version: '', serverUrl: '', groups: {} }),
      ),
    ),
    ...[...read('packages/daemon/src/settings.ts').matchAll(/\b([a-z]+(?:_[a-z]+)+):/g)].map(([, name = '']) => name),
  ]),
  scripts: new Set(Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts)),
  missing: new Set([...missingThings(), 'session']),
};

for (const [text, fault] of [
  ['Raise the limit.', 'what changes "limit." has no name'],
  ['It took too long; raise the timeout and ask again.', 'what changes "timeout and ask again." has no name'],
  ['Run `weft vessel unlock`.', 'there is no command weft vessel'],
  ['weft daemon begin', 'there is no command weft daemon begin'],
  ['a limit left addresses out; see --limits', 'no command has --limits'],
  ['asks to stay logged in; use a session that lasts', 'there is no session yet'],
  ['Set SERVICE_CHROMIUM to its path.', 'nothing reads SERVICE_CHROMIUM'],
  ['Send "crawl_whole_domain".', 'no member is called crawl_whole_domain'],
  ['Run `npm run setup`.', 'there is no script setup'],
] as const)
  test(`attack 21: sees that advice can't be followed: ${text}`, () => assert.deepEqual(faultsOfAdvice(text, KNOWN), [fault]));

test('attack 21: advice that can be followed has no fault', () => {
  for (const text of [
    'See --limit.',
    'Run `weft browser install`.',
    'Run `weft persona test-2fa 3`.',
    'Raise the "limit" of the crawl.',
    'Take SERVICE_PORT=9131 weft daemon start',
    'Send either "run_id" or "snapshot".',
  ])
    assert.deepEqual(faultsOfAdvice(text, KNOWN), []);
});

const SUMMARIES = new Set(listOperations(DAEMON_TABLE).map(({ summary }) => summary));

test('attack 21: no text of a program names what is not there', () => {
  const paths = listFiles(ROOT, 'packages', ['.ts']).filter((path) => !/\.test\.ts$|\.fixtures\.ts$/.test(path));
  const texts = paths.flatMap((path) => readTexts(ROOT, path).map((text) => ({ path, text })));
  assert.ok(texts.length > 5000, `${texts.length} texts`);
  const advice = texts.filter(({ path, text }) => {
    // What the specification calls an operation tells nobody to do anything.
    if (SUMMARIES.has(text)) return false;
    // Elsewhere what begins with an option, and a word of its own, is an argument for another program.
    if (text.startsWith('--')) return path.startsWith('packages/cli/src/commands/');
    return /\s/.test(text.trim()) || text.startsWith('weft');
  });
  assert.deepEqual(
    advice.flatMap(({ path, text }) => faultsOfAdvice(text, KNOWN).map((fault) => `${path}: ${fault}: ${text}`)),
    [],
  );
});

for (const path of DOCUMENTS)
  test(`attack 21: ${path} names nothing that is not there`, () =>
    assert.deepEqual(
      read(path)
        .split('\n')
        .flatMap((line) => faultsOfAdvice(line, KNOWN)),
      [],
    ));

/** Names of properties and parameters, and the words that they take, anywhere in `node`. */
function membersOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(membersOf);
  if (typeof node !== 'object' || node === null) return [];
  const { properties, name, const: only, enum: values } = node as { properties?: object; name?: unknown; const?: unknown; enum?: unknown };
  const named = [name, only, ...(Array.isArray(values) ? values : [])].filter((word) => typeof word === 'string');
  return [...Object.keys(properties ?? {}), ...named, ...Object.values(node).flatMap(membersOf)];
}

/** Groups of the specification none of whose operations work, in the singular. */
function missingThings(): string[] {
  const working = new Set(listOperations(DAEMON_TABLE).map(({ method, path }) => `${method} ${path}`));
  const rows = read('tests/contract/operations.tsv')
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  const local = rows.filter(([surface]) => surface === 'local');
  const groups = new Set(local.map(([, group = '']) => group));
  return [...groups]
    .filter((group) => !local.some(([, of, method, path]) => of === group && working.has(`${method} ${path}`)))
    .map((group) => group.toLowerCase().replace(/s$/, ''));
}
