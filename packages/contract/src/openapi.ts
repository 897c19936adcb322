// Writes the OpenAPI 3.1 document of a surface from its operation table.
import { z } from 'zod';
import { ERROR_STATUS } from './errors.ts';
import type { ErrorCode } from './errors.ts';
import { IDEMPOTENCY_KEY } from './ids.ts';
import { listOperations } from './operation.ts';
import type { Operation, OperationTable, Reply } from './operation.ts';
import { ERROR_BODIES, ErrorBody } from './error-body.ts';
import { nameAlternatives, plainComponent, plainSchema } from './openapi-plain.ts';

type Json = Record<string, unknown>;

/** What a document says of its surface beside the operations. */
export interface OpenApiInfo {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly serverUrl: string;
  /** Group name -> the sentence shown for its tag. */
  readonly groups: Readonly<Record<string, string>>;
}

const INT32_MAX = 2 ** 31 - 1;

/** Codes that any operation can answer. */
const SHARED_ERRORS: readonly ErrorCode[] = ['bad_request', 'unauthorized', 'forbidden', 'too_many_requests', 'internal'];

/** The document: one path item per row of the table, component schemas for every noun. Plain JSON, same order each time. */
export function buildOpenApi(table: OperationTable, info: OpenApiInfo): Json {
  const components: Json = {};
  const paths: Record<string, Json> = {};
  for (const [group, operations] of Object.entries(table))
    for (const operation of Object.values(operations)) {
      const item = (paths[operation.path] ??= {});
      item[operation.method.toLowerCase()] = describeOperation(operation, group, components);
    }
  return {
    openapi: '3.1.0',
    info: {
      title: info.title,
      version: info.version,
      description: info.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: info.serverUrl }],
    security: [{ bearer: [] }],
    tags: Object.keys(table).map((name) => ({ name, description: info.groups[name] ?? name })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(usedOf(nameAlternatives(components), paths)).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: securitySchemesOf(table),
    },
  };
}

/** How callers show who they are, by name: what no row takes is left out. */
const SCHEMES: Readonly<Record<'bearer' | 'consumerKey' | 'deviceId', Json>> = {
  bearer: { type: 'http', scheme: 'bearer' },
  consumerKey: { type: 'http', scheme: 'bearer', description: 'A consumer key, `csk_...`, that the owner of the function has minted.' },
  deviceId: { type: 'apiKey', in: 'header', name: 'X-Service-Client-Id', description: 'A stable id of the device; no secret.' },
};

/** The scheme of a row; `bearer` where its document says nothing else. */
function schemeOf({ credentials }: Operation): keyof typeof SCHEMES {
  if (credentials?.includes('keyless')) return 'deviceId';
  return credentials?.includes('csk') ? 'consumerKey' : 'bearer';
}

function securitySchemesOf(table: OperationTable): Json {
  const used = new Set<string>(['bearer', ...listOperations(table).map(schemeOf)]);
  return Object.fromEntries(Object.entries(SCHEMES).filter(([name]) => used.has(name)));
}

/** Components that something points at: a schema that is said in another way may leave behind what only it pointed at, without a name of its own. */
function usedOf(components: Json, paths: Json): Json {
  const text = JSON.stringify([paths, components]);
  const isUsed = (name: string) => !/^__schema\d+$/.test(name) || text.includes(`"#/components/schemas/${name}"`);
  return Object.fromEntries(Object.entries(components).filter(([name]) => isUsed(name)));
}

/** Every error code that `operation` can answer, shared ones included. */
export function errorCodesOf(operation: Operation): readonly ErrorCode[] {
  return [...new Set([...SHARED_ERRORS, ...(operation.errors ?? [])])];
}

function describeOperation(operation: Operation, group: string, components: Json): Json {
  const parameters = [
    ...describeParameters(operation.params, 'path', components),
    ...describeParameters(operation.query, 'query', components),
  ];
  if (operation.idempotency)
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      schema: { type: 'string', pattern: IDEMPOTENCY_KEY.source },
      description: 'Makes a retry safe for 24 hours.',
    });
  return {
    operationId: operation.id.replace('.', '_'),
    summary: operation.summary,
    tags: [group],
    'x-scopes': operation.scopes,
    ...(schemeOf(operation) === 'bearer' ? {} : { security: [{ [schemeOf(operation)]: [] }] }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.body || operation.bodyType ? { requestBody: describeBody(operation, components) } : {}),
    responses: describeResponses(operation, components),
  };
}

function describeParameters(schema: z.ZodType | undefined, where: 'path' | 'query', components: Json): Json[] {
  if (!schema) return [];
  const object = toSchema(schema, 'input', components) as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(object.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = property;
    return {
      name,
      in: where,
      required: where === 'path' || (object.required ?? []).includes(name),
      schema: rest,
      ...(description ? { description } : {}),
    };
  });
}

/** A form of one file is the only multipart body. */
const FORM_SCHEMA: Json = {
  type: 'object',
  properties: { file: { type: 'string', format: 'binary', description: 'The bytes, with a filename.' } },
  required: ['file'],
};

function describeBody(operation: Operation, components: Json): Json {
  if (operation.bodyType === 'multipart') return { required: true, content: { 'multipart/form-data': { schema: FORM_SCHEMA } } };
  return {
    required: operation.isBodyOptional !== true,
    content: { 'application/json': { schema: operation.body ? toSchema(operation.body, 'input', components) : {} } },
  };
}

function describeResponses(operation: Operation, components: Json): Json {
  const responses: Record<string, Json> = {};
  const isRpc = operation.bodyType === 'json-rpc';
  for (const [status, reply] of Object.entries(operation.replies)) responses[status] = describeReply(reply, components, isRpc);
  for (const code of errorCodesOf(operation)) addError(responses, code, components);
  return Object.fromEntries(Object.entries(responses).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A status can carry a reply (409 with the run) and errors; then the body is one of them. */
function addError(responses: Record<string, Json>, code: ErrorCode, components: Json): void {
  const status = String(ERROR_STATUS[code]);
  const error = toSchema(ERROR_BODIES[code] ?? ErrorBody, 'output', components);
  const present = responses[status] as { description: string; content?: Record<string, { schema: Json }> } | undefined;
  if (!present) {
    responses[status] = { description: code, content: { 'application/json': { schema: error } } };
    return;
  }
  const schema = present.content?.['application/json']?.schema;
  const known = (schema?.['anyOf'] as readonly Json[] | undefined) ?? (schema ? [schema] : []);
  const isErrorAlready = known.some((one) => JSON.stringify(one) === JSON.stringify(error));
  responses[status] = {
    ...present,
    description: `${present.description}${isCode(present.description) ? ', ' : ' Or: '}${code}`,
    content: { ...present.content, 'application/json': { schema: anyOfThese(isErrorAlready ? known : [...known, error]) } },
  };
}

/** What an error has brought: codes. */
function isCode(description: string): boolean {
  return /^[a-z_]+(?:, [a-z_]+)*$/.test(description);
}

function anyOfThese(schemas: readonly Json[]): Json {
  return schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: schemas };
}

function describeReply(reply: Reply, components: Json, isRpc: boolean): Json {
  const content = Object.entries(reply.content).map(([type, body]) => [
    // Generators make no name of a range of types; what a file is stands in its own Content-Type.
    type === '*/*' ? 'application/octet-stream' : type,
    { schema: typeof body === 'string' ? rawSchema(type, isRpc) : toSchema(body, 'output', components) },
  ]);
  return {
    description: reply.description,
    ...(content.length > 0 ? { content: Object.fromEntries(content) } : {}),
    ...(reply.envelope ? { 'x-envelope': reply.envelope } : {}),
  };
}

/** A body that no schema checks: JSON that is sent as it is made is a message of JSON-RPC or a list of rows, a file is anything, everything else is text to a document. */
function rawSchema(type: string, isRpc: boolean): Json {
  if (isRpc && type === 'application/json') return { type: 'object' };
  if (type === '*/*') return { type: 'string', format: 'binary' };
  return type === 'application/json' ? { type: 'array', items: { type: 'object' } } : { type: 'string' };
}

/** JSON Schema of a zod schema; named nouns move to `components`. */
function toSchema(schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
  const document = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => tidy(jsonSchema as Json),
  }) as Json;
  const { $schema: _dialect, $defs, ...root } = document;
  for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Json>))
    components[name] = plainComponent(name, rename(dropId(definition)));
  const id = root['id'];
  if (typeof id !== 'string') return rename(root);
  components[id] = plainComponent(id, rename(dropId(root)));
  return { $ref: `#/components/schemas/${id}` };
}

/** A `wire` entry says how a parsed text travels; formats replace their long patterns; bounds that mean nothing go. */
function tidy(schema: Json): void {
  const wire = schema['wire'] as Json | undefined;
  if (wire) {
    for (const key of Object.keys(schema)) if (key !== 'description') delete schema[key];
    Object.assign(schema, wire);
  }
  if (schema['format'] !== undefined) delete schema['pattern'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  // Generators take 32 bits unless more are said.
  if (schema['type'] === 'integer' && !(Number(schema['maximum']) <= INT32_MAX)) schema['format'] = 'int64';
}

function dropId(schema: Json): Json {
  const { id: _id, ...rest } = schema;
  return rest;
}

function rename(schema: Json): Json {
  return plainSchema(JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json);
}
