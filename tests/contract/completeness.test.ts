// The operation table against the specification's list of operations, and the scopes against rules stated anew here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { ACCOUNT_TABLE, CLOUD_TABLE, DAEMON_TABLE, EXTRA_TABLE, buildOpenApi, listOperations } from '@weft/contract';
import type { AcceptedScope, OperationTable, Scope, TokenFamily } from '@weft/contract';
import { decideReach } from '@weft/serve';
import type { Reach } from '@weft/serve';
import { startTestAgent } from '../agent.ts';
import { startTestCloud } from '../cloud.ts';

/** One of the two servers: what the specification names of it, and what its tables have. */
interface Surface {
  readonly name: 'local' | 'cloud';
  /** How many operations the specification names. */
  readonly count: number;
  readonly specified: OperationTable;
  readonly extra: OperationTable;
  /** Where operations beyond the specification lie (D1). */
  readonly extraPaths: RegExp;
  /** Operations of the specification that do not work yet; one leaves this list when it does. */
  readonly stillToCome: readonly string[];
  /** Starts one, and answers its address. */
  start(): Promise<{ readonly baseUrl: string; [Symbol.asyncDispose](): Promise<void> }>;
}

const SURFACES: readonly Surface[] = [
  {
    name: 'local',
    count: 98,
    specified: DAEMON_TABLE,
    extra: EXTRA_TABLE,
    extraPaths: /^\/x\/|^\/mcp$/,
    stillToCome: [],
    start: () => startTestAgent(),
  },
  {
    name: 'cloud',
    count: 21,
    specified: CLOUD_TABLE,
    extra: ACCOUNT_TABLE,
    extraPaths: /^\/api\/account(?:\/|$)/,
    stillToCome: [],
    start: () => startTestCloud(),
  },
];

interface Specified {
  readonly surface: string;
  readonly key: string;
  readonly summary: string;
}

const SPECIFIED: readonly Specified[] = readFileSync(join(import.meta.dirname, 'operations.tsv'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t'))
  .map(([surface = '', , method = '', path = '', summary = '']) => ({ surface, key: `${method} ${path}`, summary }));
const LOCAL = SPECIFIED.filter(({ surface }) => surface === 'local');

const TABLE = listOperations(DAEMON_TABLE);
const keyOf = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`;
const keysOf = (document: object) =>
  Object.entries((document as { paths: Record<string, object> }).paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );

for (const { name, count, specified, extra, extraPaths, stillToCome, start } of SURFACES)
  suite(`the operation tables of the ${name} surface`, () => {
    const named = SPECIFIED.filter(({ surface }) => surface === name);
    const table = listOperations(specified);

    test(`the specification names ${count} operations`, () => assert.equal(named.length, count));

    test('every row is an operation of the specification, with its summary', () => {
      const summaries = new Map(named.map(({ key, summary }) => [key, summary]));
      for (const operation of table) assert.equal(summaries.get(keyOf(operation)), operation.summary, keyOf(operation));
    });

    test('every operation of the specification is a row, or listed as still to come, and none is both', () => {
      const rows = new Set(table.map(keyOf));
      assert.deepEqual(
        named.filter(({ key }) => !rows.has(key)).map(({ key }) => key),
        stillToCome,
      );
    });

    test('ids are the group and the verb of the row, and no method and path stands twice', () => {
      for (const one of [specified, extra])
        for (const [group, operations] of Object.entries(one))
          for (const [verb, { id }] of Object.entries(operations)) assert.equal(id, `${group}.${verb}`);
      const keys = [...table, ...listOperations(extra)].map(keyOf);
      assert.equal(new Set(keys).size, keys.length);
    });

    test('operations beyond the specification lie where they should (D1)', () => {
      for (const { path } of listOperations(extra)) assert.match(path, extraPaths);
    });

    test('a running server documents exactly the rows of each table', async () => {
      await using server = await start();
      for (const [path, one] of [
        ['/openapi.json', specified],
        ['/openapi-extra.json', extra],
      ] as const) {
        const document = (await (await fetch(`${server.baseUrl}${path}`)).json()) as object;
        assert.deepEqual(keysOf(document).toSorted(), listOperations(one).map(keyOf).toSorted());
      }
    });

    test('a document shows each status that a row declares', () => {
      const info = { title: 't', description: 'd', version: '1', serverUrl: 'http://127.0.0.1:1', groups: {} };
      const { paths } = buildOpenApi(specified, info) as { paths: Record<string, Record<string, { responses: object }>> };
      for (const { method, path, replies } of table)
        for (const status of Object.keys(replies))
          assert.ok(status in (paths[path]?.[method.toLowerCase()]?.responses ?? {}), `${method} ${path} ${status}`);
    });
  });

suite('what a document of the cloud says that one of the agent does not', () => {
  const info = { title: 't', description: 'd', version: '1', serverUrl: 'http://127.0.0.1:1', groups: {} };
  // A document is plain JSON of this shape.
  const { paths, components } = buildOpenApi(CLOUD_TABLE, info) as unknown as CloudDocument;

  test('which key a row takes', () => {
    assert.deepEqual(paths['/v1/keyless/scrape']?.['post']?.security, [{ deviceId: [] }]);
    assert.deepEqual(paths['/v1/{slug}/{path}']?.['post']?.security, [{ consumerKey: [] }]);
    assert.equal(paths['/api/crawl/scrape']?.['post']?.security, undefined);
    assert.deepEqual(Object.keys(components.securitySchemes), ['bearer', 'consumerKey', 'deviceId']);
  });

  test('what a refusal carries beside its sentence (D4)', () => {
    assert.deepEqual(Object.keys(components.schemas['InsufficientCredits']?.properties ?? {}), ['error', 'code', 'balance', 'needed']);
    assert.deepEqual(Object.keys(components.schemas['KeylessRateLimited']?.properties ?? {}), [
      'error',
      'code',
      'reset_at',
      'limit',
      'remaining',
    ]);
    const refs = JSON.stringify(paths['/v1/keyless/scrape']?.['post']?.responses['429']);
    for (const one of ['Error', 'KeylessRateLimited']) assert.ok(refs.includes(`"#/components/schemas/${one}"`), one);
  });
});

interface CloudDocument {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly security?: readonly object[]; readonly responses: Readonly<Record<string, object>> }>>
    >
  >;
  readonly components: {
    readonly securitySchemes: object;
    readonly schemas: Readonly<Record<string, { readonly properties?: object }>>;
  };
}

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
