// Checks what comes in against the table, and words the first thing that is wrong.
import { AppError } from '@weft/contract';
import { z } from 'zod';

/** The parsed value of one part of a request. Throws AppError `bad_request` that names the member and the rule. */
export function parsePart(schema: z.ZodType, value: unknown, where: 'path' | 'query' | 'body'): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new AppError('bad_request', faultOf(result.error, schema, value, where));
}

/** The first thing that is wrong with `value`, as a sentence. */
export function faultOf({ issues: [issue] }: z.ZodError, schema: z.ZodType, value: unknown, where: 'path' | 'query' | 'body'): string {
  return sentenceOf(issue && innermost(issue), schema, value, where);
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

function sentenceOf(issue: Issue | undefined, schema: z.ZodType, value: unknown, where: string): string {
  if (!issue) return `The ${where} is not valid.`;
  const name = printable(issue.path.map(String).join('.'));
  const subject = where === 'body' ? (name ? `"${name}"` : 'The body') : `The ${where} parameter "${name}"`;
  if (issue.code === 'unrecognized_keys') return unknownMember(issue.keys, name, where);
  const given = valueAt(value, issue.path);
  if ((issue.code === 'invalid_type' || issue.code === 'invalid_value') && given === undefined)
    return `${subject} is missing; it ${ruleOf(issue)}.`;
  return `${subject} ${ruleOf(issue)}${isSealed(schema, issue.path) ? '' : shown(given)}.`;
}

type Issue = z.core.$ZodIssue;

/** Of a value that may have one of several forms, what is wrong with it as the one that it comes closest to. */
function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  // Forms that a member tells apart: it names none of them.
  if ('options' in issue && issue.options)
    return { code: 'invalid_value', values: [...issue.options], path: issue.path, message: 'Invalid name of a form' };
  const forms = issue.errors.flatMap((issues) => (issues.length === 0 ? [] : [issues]));
  const [closest] = forms.toSorted((a, b) => foreignness(a) - foreignness(b) || depthOf(b) - depthOf(a));
  const own = closest?.[0];
  // None of them: what it might have been is said with all of its forms.
  if (!own || (own.code !== 'unrecognized_keys' && depthOf(closest) === 0)) return issue;
  return innermost({ ...own, path: [...issue.path, ...own.path] });
}

/** Members that the form does not have; more than any of them where it is another kind of value. */
function foreignness(issues: readonly Issue[]): number {
  const isOther = issues.some(({ code, path }) => path.length === 0 && (code === 'invalid_type' || code === 'invalid_value'));
  return isOther
    ? Number.POSITIVE_INFINITY
    : issues.reduce((sum, one) => sum + (one.code === 'unrecognized_keys' ? one.keys.length : 0), 0);
}

function depthOf(issues: readonly Issue[]): number {
  return Math.max(...issues.map(({ path }) => path.length));
}

/** What a value must be; the table's own words where it has any. */
function ruleOf(issue: Issue): string {
  if (!/^(Invalid|Too (small|big))/.test(issue.message)) return issue.message.replace(/\.$/, '');
  if (issue.code === 'invalid_type') return `must be ${TYPE_NAMES[issue.expected] ?? `of type ${issue.expected}`}`;
  if (issue.code === 'invalid_value') return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(quoted).join(', ')}`;
  if (issue.code === 'too_small') return boundOf(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
  if (issue.code === 'too_big') return boundOf(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
  if (issue.code === 'invalid_union') {
    const rules = new Set(issue.errors.flatMap(([own]) => (own ? [ruleOf(own).replace(/^must be /, '')] : [])));
    if (rules.size > 0) return `must be ${[...rules].join(' or ')}`;
  }
  return issue.message.replace(/^Invalid /, 'is invalid: ').replace(/\.$/, '');
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  int: 'an integer',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};
/** What is counted of a value that is no number. */
const COUNTED: Readonly<Record<string, string>> = { array: 'member', string: 'character' };

function boundOf(origin: string, comparison: string, bound: number | bigint): string {
  const counted = COUNTED[origin];
  return counted === undefined ? `must be ${comparison} ${bound}` : `must have ${comparison} ${bound} ${counted}${bound === 1 ? '' : 's'}`;
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(value);
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

/** True for what goes in and never comes out: the table says `writeOnly` of it, or of what it stands in. */
function isSealed(schema: z.core.$ZodType, path: readonly PropertyKey[]): boolean {
  if (z.globalRegistry.get(schema)?.['writeOnly'] === true) return true;
  // The members of a definition are those of its kind alone, and each is one that is looked for here or none.
  const { def } = schema._zod as unknown as { readonly def: SchemaDef };
  const inner = def.innerType ?? def.in;
  if (inner) return isSealed(inner, path);
  const [name, ...rest] = path;
  if (name === undefined) return false;
  const inside = def.shape?.[String(name)] ?? def.valueType ?? def.element;
  return inside ? isSealed(inside, rest) : (def.options ?? []).some((option) => isSealed(option, path));
}

/** What a schema of each kind is made of: one that wraps another, an object, a record, an array, a union. */
interface SchemaDef {
  readonly innerType?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly valueType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
}

/** The offending value, when it is short and plain; never an object. */
function shown(value: unknown): string {
  if (typeof value === 'string') return `; it is "${printable(withoutUserInfo(value))}"`;
  return value === null || typeof value === 'number' || typeof value === 'boolean' ? `; it is ${value}` : '';
}

const SHOWN_MAX = 80;
/** So many unknown names are listed; a body can hold thousands. */
const NAMES_MAX = 5;

/** A caller's text inside a sentence: short, and without what could move a terminal's cursor or turn its direction. */
export function printable(text: string, lengthMax = SHOWN_MAX): string {
  return text.slice(0, lengthMax).replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, ' ');
}

/** A refusal is written down by whoever meets it: what an address says of a person stays out of it. */
function withoutUserInfo(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1');
}
