// Runs JSONPath (RFC 9535) on a JSON document and on the JSON that pages carry in their scripts.
import { FunctionExpressionType, JSONPathEnvironment } from 'json-p3';
import type { FilterFunction, JSONValue } from 'json-p3';
import { RE2JS } from 're2js';
import type { Element } from 'domhandler';
import type { PageTree } from '../tree.ts';
import { requireAtMost, requireNesting, selectorError } from './caps.ts';
import { elementsBelow } from '../walk.ts';

/** JSON found in a page, and where: `document`, `script#id`, or the variable that a script sets. */
export interface EmbeddedJson {
  readonly place: string;
  readonly value: JSONValue;
}

const DESCENTS_MAX = 4;
const NESTING_MAX = 8;
const JSON_CHARACTERS_MAX = 10_000_000;
const RECURSION_MAX = 500;
const ASSIGNMENT =
  /(?:^|[;{}\s])(?:(?:window|self|globalThis)\s*(?:\.\s*|\[\s*["'])|var\s+|let\s+|const\s+)([A-Za-z_$][\w$]{0,80})(?:["']\s*\])?\s*=\s*(?=[{[])/g;
const ASSIGNMENTS_MAX = 20;

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
export function matchJsonPath(expression: string, value: JSONValue): readonly JSONValue[] {
  try {
    return createEnvironment().query(expression, value).values();
  } catch (cause) {
    throw selectorError(expression, `failed: ${cause instanceof Error ? cause.message : 'unknown reason'}.`, cause);
  }
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

function* readScript(element: Element, name: string): Generator<EmbeddedJson> {
  const text = rawText(element);
  if (/json/i.test(element.attribs['type'] ?? '')) {
    const value = tryParse(text);
    if (value !== undefined) yield { place: name, value };
    return;
  }
  if (text.length > JSON_CHARACTERS_MAX) return;
  let assignments = 0;
  for (const match of text.matchAll(ASSIGNMENT)) {
    if (++assignments > ASSIGNMENTS_MAX) return;
    const start = match.index + match[0].length;
    const value = tryParse(text.slice(start, endOfLiteral(text, start)));
    if (value !== undefined) yield { place: match[1] ?? name, value };
  }
}

/** The place behind the bracket that closes the one at `start`; strings are passed over. */
function endOfLiteral(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return start;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
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

function tryParse(text: string): JSONValue | undefined {
  if (text.length > JSON_CHARACTERS_MAX || !/^\s*[[{"\dtfn-]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
