// The operation table against the specification's list of operations, and the scopes against rules stated anew here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { DAEMON_TABLE, EXTRA_TABLE, buildOpenApi, listOperations } from '@weft/contract';
import type { AcceptedScope, OperationTable, Scope, TokenFamily } from '@weft/contract';
import { decideReach } from '@weft/serve';
import type { Reach } from '@weft/serve';
import { startTestAgent } from '../agent.ts';

/** Groups of the specification of which operations are missing; a group leaves this list when its last one works. */
const STILL_TO_COME: readonly string[] = [];

interface Specified {
  readonly group: string;
  readonly key: string;
  readonly summary: string;
}

const LOCAL: readonly Specified[] = readFileSync(join(import.meta.dirname, 'operations.tsv'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t'))
  .filter(([surface]) => surface === 'local')
  .map(([, group = '', method = '', path = '', summary = '']) => ({ group, key: `${method} ${path}`, summary }));

const TABLE = listOperations(DAEMON_TABLE);
const keyOf = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`;
const keysOf = (document: object) =>
  Object.entries((document as { paths: Record<string, object> }).paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );

suite('operation table', () => {
  test('the specification names 98 local operations', () => assert.equal(LOCAL.length, 98));

  test('every row is an operation of the specification, with its summary', () => {
    const specified = new Map(LOCAL.map(({ key, summary }) => [key, summary]));
    for (const operation of TABLE) assert.equal(specified.get(keyOf(operation)), operation.summary, keyOf(operation));
  });

  test('every operation of the specification is a row, or its group is listed as still to come', () => {
    const rows = new Set(TABLE.map(keyOf));
    const missing = LOCAL.filter(({ key, group }) => !rows.has(key) && !STILL_TO_COME.includes(group));
    assert.deepEqual(missing, []);
  });

  test('no group is listed as still to come once it is complete', () => {
    const rows = new Set(TABLE.map(keyOf));
    const complete = STILL_TO_COME.filter((group) => LOCAL.every((operation) => operation.group !== group || rows.has(operation.key)));
    assert.deepEqual(complete, []);
  });

  test('ids are the group and the verb of the row, and no method and path stands twice', () => {
    for (const table of [DAEMON_TABLE, EXTRA_TABLE] as readonly OperationTable[])
      for (const [group, operations] of Object.entries(table))
        for (const [verb, { id }] of Object.entries(operations)) assert.equal(id, `${group}.${verb}`);
    const keys = [...TABLE, ...listOperations(EXTRA_TABLE)].map(keyOf);
    assert.equal(new Set(keys).size, keys.length);
  });

  test('operations beyond the specification lie under /x/, but for the one whose clients expect it elsewhere (D1)', () => {
    for (const { path } of listOperations(EXTRA_TABLE)) assert.match(path, /^\/x\/|^\/mcp$/);
  });

  test('a running agent documents exactly the rows of each table', async () => {
    await using agent = await startTestAgent();
    for (const [path, table] of [
      ['/openapi.json', DAEMON_TABLE],
      ['/openapi-extra.json', EXTRA_TABLE],
    ] as const) {
      const document = (await (await fetch(`${agent.baseUrl}${path}`)).json()) as object;
      assert.deepEqual(keysOf(document).toSorted(), listOperations(table).map(keyOf).toSorted());
    }
  });

  test('a document shows each status that a row declares', () => {
    const info = { title: 't', description: 'd', version: '1', serverUrl: 'http://127.0.0.1:1', groups: {} };
    const { paths } = buildOpenApi(DAEMON_TABLE, info) as { paths: Record<string, Record<string, { responses: object }>> };
    for (const { method, path, replies } of TABLE)
      for (const status of Object.keys(replies))
        assert.ok(status in (paths[path]?.[method.toLowerCase()]?.responses ?? {}), `${method} ${path} ${status}`);
  });
});

/** D15 in words: what opens an operation, first rule that fits. Written from the decision, not from the table. */
const RULES: readonly (readonly [fits: RegExp, opens: readonly AcceptedScope[]])[] = [
  [/^POST \/v1\/keys$/, ['runtime']],
  [/^\w+ \/v1\/keys/, ['admin']],
  [/^GET \/v1\/(agent|health|workflows|workflows\/\{id\})$/, ['read', 'run']],
  [/^GET \/v1\/(runs|runs\/\{id\}(\/\w+)?|crawl|crawl\/\{id\})$/, ['read', 'run:own']],
  [/^GET /, ['read']],
  [/^POST \/v1\/(crawl|ws-ticket)$/, ['run']],
  [/^POST \/v1\/(runs|crawl)\/\{id\}\/cancel$/, ['run:own']],
  [/^POST .*\/(run|cancel)$/, ['run']],
  [/^/, ['admin']],
];

function ruleOf(key: string): readonly AcceptedScope[] {
  return RULES.find(([fits]) => fits.test(key))?.[1] ?? [];
}

const HOLDERS: readonly (readonly [name: string, family: TokenFamily, scopes: readonly Scope[]])[] = [
  ['runtime token', 'wlt', ['read', 'run', 'admin']],
  ['key with admin', 'wlk', ['admin']],
  ['key with read', 'wlk', ['read']],
  ['key with run', 'wlk', ['run']],
  ['key with read and run', 'wlk', ['read', 'run']],
  ['key without scopes', 'wlk', []],
];

/** What the holder of `scopes` reaches where `opens` is asked for: the meaning of the words, said a second time. */
function expectedReach(family: TokenFamily, scopes: readonly Scope[], opens: readonly AcceptedScope[]): Reach {
  if (family === 'wlt') return 'all';
  if (opens.includes('runtime')) return 'none';
  if (scopes.includes('admin')) return 'all';
  if (scopes.some((scope) => opens.includes(scope))) return 'all';
  return scopes.includes('run') && opens.includes('run:own') ? 'own' : 'none';
}

suite('scopes (D15)', () => {
  test('each row opens as the rules say', () => {
    for (const operation of TABLE) assert.deepEqual(operation.scopes, ruleOf(keyOf(operation)), operation.id);
  });

  for (const [name, family, scopes] of HOLDERS)
    test(`a ${name} reaches what the rules give it, of all 98`, () => {
      const [operation] = TABLE;
      assert.ok(operation);
      for (const { key } of LOCAL) {
        const opens = ruleOf(key);
        assert.equal(decideReach({ id: 'x', family, scopes }, { ...operation, scopes: opens }), expectedReach(family, scopes, opens), key);
      }
    });
});
