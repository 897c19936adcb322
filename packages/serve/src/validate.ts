// Checks what comes in against the table, and words the first thing that is wrong.
import { AppError } from '@weft/contract';
import type { z } from 'zod';

/** The parsed value of one part of a request. Throws AppError `bad_request` that names the member and the rule. */
export function parsePart(schema: z.ZodType, value: unknown, where: 'path' | 'query' | 'body'): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new AppError('bad_request', sentenceOf(result.error.issues[0], value, where));
}

/** Query parameters as an object. A repeated name is refused, because taking one of the two would be a guess. */
export function queryObject(search: URLSearchParams): Record<string, string> {
  const query: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of search) {
    if (name in query) throw new AppError('bad_request', `The query parameter "${printable(name)}" stands twice.`);
    query[name] = value;
  }
  return { ...query };
}

function sentenceOf(issue: z.core.$ZodIssue | undefined, value: unknown, where: string): string {
  if (!issue) return `The ${where} is not valid.`;
  const name = printable(issue.path.map(String).join('.'));
  const subject = where === 'body' ? (name ? `"${name}"` : 'The body') : `The ${where} parameter "${name}"`;
  if (issue.code === 'unrecognized_keys') return unknownMember(issue.keys, name, where);
  const given = valueAt(value, issue.path);
  if (issue.code === 'invalid_type' && given === undefined)
    return `${subject} is missing; it must be ${issue.expected === 'int' ? 'an integer' : `of type ${issue.expected}`}.`;
  return `${subject} ${issue.message.replace(/^Invalid /, 'is invalid: ').replace(/\.$/, '')}${shown(given)}.`;
}

function unknownMember(keys: readonly string[], name: string, where: string): string {
  const some = keys.slice(0, NAMES_MAX).map((key) => `"${printable(key)}"`);
  const unknown = `${some.join(', ')}${keys.length > NAMES_MAX ? `, and ${keys.length - NAMES_MAX} more` : ''}`;
  return where === 'query' ? `Unknown query parameter ${unknown}.` : `Unknown member ${unknown}${name ? ` in "${name}"` : ''}.`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (current, key) => (typeof current === 'object' && current !== null ? (current as Record<PropertyKey, unknown>)[key] : undefined),
    value,
  );
}

/** The offending value, when it is short and plain; never an object. */
function shown(value: unknown): string {
  if (typeof value === 'string') return `; it is "${printable(value)}"`;
  return typeof value === 'number' || typeof value === 'boolean' ? `; it is ${value}` : '';
}

const SHOWN_MAX = 80;
/** So many unknown names are listed; a body can hold thousands. */
const NAMES_MAX = 5;

/** A caller's text inside a sentence: short, and without what could move a terminal's cursor or turn its direction. */
export function printable(text: string, lengthMax = SHOWN_MAX): string {
  return text.slice(0, lengthMax).replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, ' ');
}
