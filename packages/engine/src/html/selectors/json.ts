// Runs JSONPath (RFC 9535) on a JSON document and on the JSON that pages carry in their scripts.
import { FunctionExpressionType, JSONPathEnvironment } from 'json-p3';
import type { FilterFunction, JSONValue } from 'json-p3';
import { RE2JS } from 're2js';
import type { Element } from 'domhandler';
import type { PageTree } from '../tree.ts';
import { requireAtMost, requireNesting, selectorError } from './caps.ts';
import type { JsonValue } from '../loose-json.ts';
import { parseLooseJson } from '../loose-json.ts';
import { readAssignments } from '../script-json.ts';
import { elementsBelow, scriptTextOf } from '../walk.ts';

/** JSON found in a page, and where: `document`, `script#id`, or the variable that a script sets. */
export interface EmbeddedJson {
  readonly place: string;
  readonly value: JsonValue;
}

const DESCENTS_MAX = 4;
const NESTING_MAX = 8;
const JSON_CHARACTERS_MAX = 10_000_000;
const RECURSION_MAX = 500;

/** Throws PageError `selector` unless `expression` is RFC 9535 and bounded. */
export function checkJsonPath(expression: string): void {
  requireNesting(expression, NESTING_MAX);
  requireAtMost(expression, /\.\./g, DESCENTS_MAX, 'searches at any depth (`..`)');
  try {
    createEnvironment().compile(expression);
  } catch (cause) {
    throw selectorError(expression, `is not JSONPath (RFC 9535): ${cause instanceof Error ? cause.message : 'unknown syntax'}.`, cause);
  }
}

/** The values that a checked expression finds in `value`, in the order of RFC 9535. */
export function matchJsonPath(expression: string, value: JsonValue): readonly JsonValue[] {
  try {
    // The library only reads, and finds no more kinds of values than it was given.
    return createEnvironment()
      .query(expression, value as JSONValue)
      .values() as readonly JsonValue[];
  } catch (cause) {
    throw selectorError(expression, `failed: ${cause instanceof Error ? cause.message : 'unknown reason'}.`, cause);
  }
}

/** Where in `value` a checked expression finds something: the names of members and numbers of list items from its top. */
export function findJsonPlaces(expression: string, value: JsonValue): readonly (readonly (string | number)[])[] {
  // As in `matchJsonPath`.
  return createEnvironment()
    .query(expression, value as JSONValue)
    .locations();
}

/** True for an expression that can find one value at most. Throws where it is no JSONPath. */
export function isSingularPath(expression: string): boolean {
  return createEnvironment().compile(expression).singularQuery();
}

/** `match` and `search` of RFC 9535 run on the linear-time engine: their patterns come from users. */
function createEnvironment(): JSONPathEnvironment {
  const environment = new JSONPathEnvironment({ maxRecursionDepth: RECURSION_MAX });
  environment.functionRegister.set(
    'search',
    patternFunction((pattern) => pattern),
  );
  environment.functionRegister.set(
    'match',
    patternFunction((pattern) => `^(?:${pattern})$`),
  );
  return environment;
}

function patternFunction(wrap: (pattern: string) => string): FilterFunction {
  const compiled = new Map<string, RE2JS | undefined>();
  return {
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call(text: unknown, pattern: unknown): boolean {
      if (typeof text !== 'string' || typeof pattern !== 'string') return false;
      if (!compiled.has(pattern)) compiled.set(pattern, tryCompile(wrap(pattern)));
      return compiled.get(pattern)?.matcher(text).find() ?? false;
    },
  };
}

/** RFC 9535 2.4.6: a pattern that is none matches nothing. */
function tryCompile(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}

/** The JSON of a page in document order: the page itself where it is a JSON document, JSON scripts, and variables that scripts set. */
export function* readEmbeddedJson(tree: PageTree): Generator<EmbeddedJson> {
  const whole = tryParse(rawText(tree.body));
  if (whole !== undefined && typeof whole === 'object') yield { place: 'document', value: whole };
  let number = 0;
  for (const element of elementsBelow(tree.root)) {
    if (element.name !== 'script' || element.attribs['src'] !== undefined) continue;
    number++;
    const name = element.attribs['id'] ? `script#${element.attribs['id']}` : `script ${number}`;
    yield* readScript(element, name);
  }
}

function* readScript(element: Element, place: string): Generator<EmbeddedJson> {
  const text = scriptTextOf(element);
  if (text.length > JSON_CHARACTERS_MAX) return;
  if (/json/i.test(element.attribs['type'] ?? '')) for (const value of parseLooseJson(text)) yield { place, value };
  else for (const { name, value } of readAssignments(text)) yield { place: name, value };
}

/** The text nodes of an element and what is in it, as they stand, up to the limit. */
function rawText(element: Element): string {
  let text = '';
  const pending = [...element.children].reverse();
  for (let node = pending.pop(); node && text.length < JSON_CHARACTERS_MAX; node = pending.pop()) {
    if (node.type === 'text') text += node.data;
    else if ('children' in node && !('name' in node && node.name === 'script' && node !== element))
      pending.push(...[...node.children].reverse());
  }
  return text;
}

function tryParse(text: string): JsonValue | undefined {
  if (text.length > JSON_CHARACTERS_MAX || !/^\s*[[{"\dtfn-]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
