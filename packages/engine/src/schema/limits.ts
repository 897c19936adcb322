// Bounds a user's schema before anything compiles it, and says where it can't be used.
import { RE2JS } from 're2js';

/** What is wrong, and where: a JSON Pointer into the schema or into the value; empty for all of it. */
export interface SchemaProblem {
  readonly path: string;
  /** A whole sentence without the place. */
  readonly sentence: string;
}

const CHARACTERS_MAX = 100_000;
const SCHEMAS_MAX = 2_000;
const DEPTH_MAX = 32;
const REFERENCES_MAX = 200;
/** Repetitions such as `{1000}` multiply the program. */
const REPEATS_MAX = 1_000;
const PATTERN_CHARACTERS_MAX = 1_000;

/** Keywords whose value is a schema, a list of them, or a map of them (JSON Schema 2020-12, core and applicator vocabularies). */
const SINGLE = [
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'if',
  'then',
  'else',
  'not',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', '$defs', 'dependentSchemas'];

/** The first thing that keeps `schema` from being used; undefined when nothing does. */
export function findSchemaProblem(schema: unknown): SchemaProblem | undefined {
  let size: number;
  try {
    size = JSON.stringify(schema)?.length ?? 0;
  } catch {
    size = Number.POSITIVE_INFINITY;
  }
  if (size > CHARACTERS_MAX) return { path: '', sentence: `A schema has at most ${CHARACTERS_MAX.toLocaleString('en')} characters.` };
  const pending: { readonly at: unknown; readonly path: string; readonly depth: number }[] = [{ at: schema, path: '', depth: 0 }];
  let references = 0;
  for (let seen = 1, next = pending.pop(); next; next = pending.pop(), seen++) {
    const { at, path, depth } = next;
    if (typeof at === 'boolean') continue;
    if (!isObject(at)) return { path, sentence: 'A schema is an object, true or false.' };
    if (depth > DEPTH_MAX) return { path, sentence: `A schema is nested at most ${DEPTH_MAX} deep.` };
    if (seen > SCHEMAS_MAX) return { path: '', sentence: `A schema holds at most ${SCHEMAS_MAX} schemas.` };
    if ('$ref' in at || '$dynamicRef' in at) references += 1;
    if (references > REFERENCES_MAX) return { path: '', sentence: `A schema has at most ${REFERENCES_MAX} references.` };
    const own = problemIn(at, path);
    if (own) return own;
    for (const [key, child] of childrenOf(at)) pending.push({ at: child, path: `${path}/${key}`, depth: depth + 1 });
  }
  return undefined;
}

function problemIn(schema: Readonly<Record<string, unknown>>, path: string): SchemaProblem | undefined {
  const { $ref: reference, pattern, patternProperties } = schema;
  if (typeof reference === 'string' && !reference.startsWith('#'))
    return { path: `${path}/$ref`, sentence: 'A reference leads to a place in the same schema: it begins with #.' };
  if ('$id' in schema) return { path: `${path}/$id`, sentence: 'A schema has no address of its own here; take $id out.' };
  const patterns: (readonly [pattern: string, path: string])[] = isObject(patternProperties)
    ? Object.keys(patternProperties).map((key) => [key, `${path}/patternProperties/${escapePointer(key)}`])
    : [];
  if (typeof pattern === 'string') patterns.push([pattern, `${path}/pattern`]);
  for (const [each, at] of patterns) {
    const sentence = patternProblem(each);
    if (sentence !== undefined) return { path: at, sentence };
  }
  return undefined;
}

function patternProblem(pattern: string): string | undefined {
  try {
    compileRe2(pattern);
    return undefined;
  } catch (error) {
    return `The pattern is not an RE2 expression (no look-around, no back-references): ${error instanceof Error ? error.message : 'unknown syntax'}.`;
  }
}

/** A pattern of JavaScript's syntax on RE2. Throws where it is too long, repeats too often or has syntax that RE2 does not run. */
export function compileRe2(pattern: string): RE2JS {
  if (pattern.length > PATTERN_CHARACTERS_MAX) throw new Error(`it has more than ${PATTERN_CHARACTERS_MAX} characters`);
  const product = [...pattern.matchAll(/\{(\d{1,9})(?:,(\d{0,9}))?\}/g)].reduce(
    (total, [, from, to]) => total * Math.max(1, Number(from), Number(to ?? 0)),
    1,
  );
  if (product > REPEATS_MAX) throw new Error(`it repeats ${product} times in all, and at most ${REPEATS_MAX} are allowed`);
  return RE2JS.compile(RE2JS.translateRegExp(pattern));
}

function* childrenOf(schema: Readonly<Record<string, unknown>>): Generator<readonly [key: string, schema: unknown]> {
  for (const key of SINGLE) if (key in schema) yield [key, schema[key]];
  for (const key of LISTS) {
    const list = schema[key];
    if (Array.isArray(list)) for (const [index, each] of list.entries()) yield [`${key}/${index}`, each];
  }
  for (const key of MAPS) {
    const map = schema[key];
    if (isObject(map)) for (const [name, each] of Object.entries(map)) yield [`${key}/${escapePointer(name)}`, each];
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** RFC 6901, section 3. */
function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
