// Reads what a model wrote as the JSON that was asked for, and holds it to its schema: nothing that does not fit gets further.
import { isJsonObject, JSON_DEPTH_MAX } from '../html/loose-json.ts';
import type { JsonValue } from '../html/loose-json.ts';
import { compileUserSchema } from '../schema/user-schema.ts';
import type { UserSchema } from '../schema/user-schema.ts';

/** A value that fits, or what is wrong, as the end of a sentence. */
export type ReadAnswer = { readonly value: JsonValue } | { readonly failure: 'malformed' | 'misfit'; readonly sentence: string };

/** Objects that a text may hold beside the one that is meant. */
const OBJECTS_MAX = 20;

/** A reader of answers to one schema. Throws where the schema itself can't be used, which is a mistake of ours. */
export function createAnswerReader(schema: Readonly<Record<string, unknown>>): (text: string) => ReadAnswer {
  const compiled = compileUserSchema(schema);
  if (!('check' in compiled)) throw new Error(`The schema of a question can't be used: ${compiled.path} ${compiled.sentence}`);
  return (text) => readAnswer(text, compiled);
}

function readAnswer(text: string, schema: UserSchema): ReadAnswer {
  const values = valuesIn(text);
  if (values.length === 0) return { failure: 'malformed', sentence: 'the answer holds no JSON object' };
  const fitting = values.find((value) => schema.check(value) === undefined);
  if (fitting !== undefined) return { value: fitting };
  const { path = '', sentence = '' } = schema.check(values[0]) ?? {};
  return {
    failure: 'misfit',
    sentence: `the answer does not fit${path === '' ? '' : ` at ${path.slice(0, 100)}`}: ${sentence.slice(0, 200)}`,
  };
}

/** The whole text where it is JSON, else the objects in it, first what stands in a block of code: models think aloud, and fence what they mean. */
function valuesIn(text: string): readonly JsonValue[] {
  const whole = parsed(text);
  if (whole !== undefined) return [whole];
  const thought = text.lastIndexOf('</think');
  const said = thought < 0 ? text : text.slice(thought);
  const fenced = said
    .split('```')
    .filter((_, place) => place % 2 === 1)
    .slice(0, OBJECTS_MAX)
    .flatMap((inside) => parsed(inside.replace(/^json/i, '')) ?? []);
  return [...fenced, ...objectsIn(said)].slice(0, OBJECTS_MAX);
}

function parsed(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text.trim()) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Each outermost pair of braces that holds JSON. One pass: a brace that opens nothing is never gone back to. */
function objectsIn(text: string): readonly JsonValue[] {
  const found: JsonValue[] = [];
  for (let at = text.indexOf('{'); at >= 0 && found.length < OBJECTS_MAX;) {
    const end = endOfObject(text, at);
    if (end < 0) break;
    const value = parsed(text.slice(at, end));
    if (value !== undefined) found.push(value);
    at = text.indexOf('{', end);
  }
  return found;
}

/** Behind the brace that closes the one at `start`; -1 where none does. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (isQuoted && char === '\\') at++;
    else if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && char === '{') depth++;
    else if (!isQuoted && char === '}') depth--;
    if (depth > JSON_DEPTH_MAX) return -1;
    if (depth === 0) return at + 1;
  }
  return -1;
}
