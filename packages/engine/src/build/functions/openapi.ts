// The proved functions of a build as an OpenAPI 3.1 document, each with its proof.
import type { BuiltFunction } from './built-function.ts';
import type { Row } from '../../run/reading/rows.ts';
import { membersFrom } from '../../run/value.ts';

/** What the document says of the API as a whole. */
export interface ApiWords {
  readonly title: string;
  readonly description: string;
  readonly version: string;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * `POST /{name}` for each function, whose body is its inputs and whose answer is `{data, status, run_id}`; `x-proof` holds the state, reason,
 * rules and times of its certificate, and the hashes of its answers. With `served` it has the server and paths at which they are called.
 */
export function openApiOf(functions: readonly BuiltFunction[], { title, description, version }: ApiWords, served?: ServedApi): Json {
  const called = functions.flatMap((each) => {
    const path = served ? served.paths[each.name] : each.name;
    return path === undefined ? [] : [[`/${path}`, { post: operationOf(each) }] as const];
  });
  return {
    openapi: '3.1.0',
    info: { title, description, version },
    ...(served ? { servers: [{ url: served.url }], security: [{ bearer: [] }] } : {}),
    paths: membersFrom(called),
    ...(served ? { components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } } } : {}),
  };
}

/** Where published functions are called; those without a path are none of the document. */
export interface ServedApi {
  /** Absolute. */
  readonly url: string;
  /** Behind it, by the name of a function. */
  readonly paths: Readonly<Record<string, string>>;
}

function operationOf({ name, description, workflow, rowSchema, certificate }: BuiltFunction): Json {
  const inputs = workflow.inputs ?? { type: 'object', additionalProperties: false, properties: {} };
  const isRequired = Array.isArray(inputs['required']) && inputs['required'].length > 0;
  return {
    operationId: name,
    summary: description,
    requestBody: { required: isRequired, content: { 'application/json': { schema: inputs } } },
    responses: {
      '200': {
        description: 'The rows.',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['data', 'status', 'run_id'],
              properties: {
                data: { type: 'array', items: rowSchema },
                status: { type: 'string' },
                run_id: { type: ['integer', 'string'] },
              },
            },
          },
        },
      },
    },
    'x-proof': proofOf(certificate),
  };
}

function proofOf({ state, reason, lane, rules, probes, startedAtMs, endedAtMs, workflowSha256 }: BuiltFunction['certificate']): Json {
  return {
    state,
    reason,
    lane,
    proved_at: new Date(endedAtMs).toISOString(),
    took_ms: endedAtMs - startedAtMs,
    rules,
    calls: probes.map(({ role, inputs, rows, answer, failure }) => ({
      role,
      inputs,
      rows,
      ...(answer ? { status: answer.status, sha256: answer.sha256 } : {}),
      ...(failure === undefined ? {} : { failure }),
    })),
    workflow_sha256: workflowSha256,
  };
}

/** The JSON Schema of rows like these: what each field was seen to hold, or nothing. */
export function rowSchemaOf(rows: readonly Row[], names: readonly string[]): Json {
  const properties = names.map((name) => [name, fieldSchemaOf(rows.map((row) => row[name]))] as const);
  return { type: 'object', additionalProperties: false, properties: membersFrom(properties) };
}

function fieldSchemaOf(values: readonly unknown[]): Json {
  const kinds = new Set(values.map(kindOf));
  // Whole numbers may have fractions in other rows, and any field may be missing there.
  const types = [...new Set([...kinds, 'null'])].filter((kind) => kind !== 'undefined');
  return types.length === 1 ? {} : { type: types };
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}
