// The OpenAPI documents that an agent serves, held against the files that are generated from the operation tables.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { DAEMON_TABLE, ERROR_STATUS, EXTRA_TABLE, buildOpenApi } from '@weft/contract';
import type { ErrorCode, OpenApiInfo, OperationTable } from '@weft/contract';
import { ROUTES } from '../../packages/client/src/generated/routes.ts';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PATHS: readonly (readonly [path: string, table: OperationTable])[] = [
  ['/openapi.json', DAEMON_TABLE],
  ['/openapi-extra.json', EXTRA_TABLE],
];

interface ServedDocument {
  readonly info: { readonly title: string; readonly description: string; readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ServedOperation>>>>;
}

interface ServedOperation {
  readonly operationId: string;
  readonly 'x-scopes': readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

/** An operation as a served document tells it. */
interface Served {
  readonly method: string;
  readonly path: string;
  readonly operation: ServedOperation;
}

suite('the documents that an agent serves', () => {
  let agent: TestAgent;
  let documents: readonly ServedDocument[];
  let operations: ReadonlyMap<string, Served>;

  before(async () => {
    agent = await startTestAgent();
    documents = await Promise.all(PATHS.map(([path]) => get(path)));
    operations = new Map(documents.flatMap(operationsOf));
  });
  after(() => agent[Symbol.asyncDispose]());

  const get = async (path: string) => (await (await fetch(`${agent.baseUrl}${path}`)).json()) as ServedDocument;

  test('are what is built from the tables, with the address and version of this agent', () => {
    for (const [i, [, table]] of PATHS.entries()) {
      const { info, tags } = documents[i] as ServedDocument;
      const groups = Object.fromEntries(tags.map(({ name, description }) => [name, description]));
      const expected: OpenApiInfo = { ...info, serverUrl: agent.baseUrl, groups };
      assert.deepEqual(documents[i], JSON.parse(JSON.stringify(buildOpenApi(table, expected))));
    }
  });

  test('have a sentence for every group', () => {
    for (const { tags } of documents) for (const { name, description } of tags) assert.match(description, /^[A-Z].+\.$/, name);
  });

  test('have the routes of the generated client, no more and no fewer', () => {
    const served = [...operations].map(([id, { method, path, operation }]) => [id, { method, path, query: queryOf(operation) }]);
    const generated = Object.entries(ROUTES).map(([id, { method, path, query }]) => [id, { method, path, query }]);
    assert.deepEqual(Object.fromEntries(served), Object.fromEntries(generated));
  });

  test('have the rows of docs/operations.md, with each status that a row or its errors tell, and no other', () => {
    const rows = operationRows(readFileSync(join(ROOT, 'docs', 'operations.md'), 'utf8'));
    assert.deepEqual([...rows.keys()].toSorted(), [...operations.keys()].toSorted());
    for (const [id, row] of rows) {
      const { method, path, operation } = operations.get(id) as Served;
      assert.deepEqual([row.route, row.scopes], [`${method} ${path}`, operation['x-scopes'].join(', ')], id);
      assert.deepEqual(Object.keys(operation.responses).toSorted(), statusesOf(row), id);
    }
  });
});

function operationsOf({ paths }: ServedDocument): readonly (readonly [id: string, served: Served])[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const served: Served = { method: method.toUpperCase(), path, operation };
      return [operation.operationId.replace('_', '.'), served] as const;
    }),
  );
}

function queryOf({ parameters = [] }: ServedOperation): readonly string[] {
  return parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
}

interface OperationRow {
  readonly route: string;
  readonly scopes: string;
  readonly statuses: readonly string[];
  readonly errors: readonly ErrorCode[];
}

/** The table rows of docs/operations.md by the operation's id. */
function operationRows(markdown: string): ReadonlyMap<string, OperationRow> {
  const rows = [...markdown.matchAll(/^\| `(.*)` \| `(.*)` \| `(.*)` \| `(.*)` \| `?(.*?)`? \|$/gm)];
  return new Map(
    rows.map(([, id = '', route = '', scopes = '', statuses = '', errors = '']) => [
      id,
      { route, scopes, statuses: statuses.split(', '), errors: errors.split(', ').filter(Boolean) as ErrorCode[] },
    ]),
  );
}

/** Every status that a row tells, and those that the document names once for all. */
function statusesOf({ statuses, errors }: OperationRow): readonly string[] {
  const shared: readonly ErrorCode[] = ['bad_request', 'unauthorized', 'forbidden', 'too_many_requests', 'internal'];
  return [...new Set([...statuses, ...[...shared, ...errors].map((code) => String(ERROR_STATUS[code]))])].toSorted();
}
