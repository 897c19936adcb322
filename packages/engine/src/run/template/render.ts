// Fills templates in: what they refer to is looked up among the values of a run, and nowhere else.
import { SealedText, isMembers, membersFrom, memberOf, textOf } from '../value.ts';
import type { RunValue, SealedReference } from '../value.ts';
import { FILTERS } from './filters.ts';
import { TemplateError, parseTemplate } from './parse.ts';
import type { Expression, FilterCall, TemplateParts } from './parse.ts';

/** What templates can refer to, by its first name: `inputs`, `vars`, `steps`, `item` and the names that loops give. */
export type Scope = Readonly<Record<string, unknown>>;

/** A file that a template names. */
export const FILE_MARK = 'file:';
/** A text that a template makes has at most so many characters. */
export const TEXT_CHARACTERS_MAX = 1_000_000;
const KEPT_MAX = 2_000;

const kept = new Map<string, TemplateParts>();

/** The parts of a template, read once. Throws TemplateError. */
function partsOf(template: string): TemplateParts {
  const known = kept.get(template);
  if (known) return known;
  const parts = parseTemplate(template);
  if (kept.size >= KEPT_MAX) kept.clear();
  kept.set(template, parts);
  return parts;
}

/** What `template` gives: the value itself where it is nothing but one reference, else a text. Throws TemplateError. */
export function renderValue(template: string, scope: Scope): RunValue {
  const parts = partsOf(template);
  const [only] = parts;
  if (parts.length === 1 && typeof only === 'object') return valueOf(only, scope);
  return joinParts(parts.map((part) => (typeof part === 'string' ? part : valueOf(part, scope))));
}

/** As a text; one with sealed parts stays sealed. */
export function renderText(template: string, scope: Scope): string | SealedText {
  const value = renderValue(template, scope);
  return value instanceof SealedText ? value : bounded(textOf(value));
}

/** As a text that is shown and stored. Throws TemplateError for one with sealed parts. */
export function renderPlain(template: string, scope: Scope): string {
  const text = renderText(template, scope);
  if (typeof text === 'string') return text;
  throw new TemplateError('holds a secret or a value of a persona, which may only be sent in headers, bodies and fields');
}

/**
 * An address: what is filled in behind its beginning is percent-encoded as a component, so that a value stays within its place (D41).
 * Throws TemplateError.
 */
export function renderUrl(template: string, scope: Scope): string {
  const parts = partsOf(template);
  const filled = parts.map((part, place) => {
    if (typeof part === 'string') return part;
    const value = valueOf(part, scope);
    if (value instanceof SealedText)
      throw new TemplateError('is an address, and addresses are stored and shown; send the secret in a header or a body');
    return place === 0 ? textOf(value) : encodeURIComponent(textOf(value).toWellFormed());
  });
  return bounded(filled.join(''));
}

/** Any JSON with each of its texts filled in. Throws TemplateError. */
export function renderJson(template: unknown, scope: Scope): RunValue {
  if (typeof template === 'string') return renderValue(template, scope);
  if (Array.isArray(template)) return template.map((item) => renderJson(item, scope));
  if (isMembers(template)) return membersFrom(Object.entries(template).map(([name, value]) => [name, renderJson(value, scope)] as const));
  // What is left of JSON are numbers, booleans and null.
  return (template ?? null) as RunValue;
}

function valueOf(expression: Expression, scope: Scope): RunValue {
  if (expression.kind === 'secret') return new SealedText([{ kind: 'secret', key: expression.key }]);
  if (expression.kind === 'persona') return new SealedText([{ kind: 'persona', field: expression.field }]);
  if (expression.kind === 'file') return `${FILE_MARK}${expression.id}`;
  const start = expression.kind === 'literal' ? expression.value : lookUp(expression.path, scope);
  const value = expression.filters.reduce((before, call) => applyFilter(call, before, scope), start);
  // Everything in a scope is JSON or sealed, and filters make nothing else.
  return (value ?? null) as RunValue;
}

function lookUp(path: readonly string[], scope: Scope): unknown {
  let value: unknown = scope;
  for (const name of path) value = memberOf(value, name);
  return value;
}

function applyFilter({ name, arguments: given }: FilterCall, value: unknown, scope: Scope): unknown {
  const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
  if (!filter) throw new TemplateError(`has the filter ${name}; there are ${Object.keys(FILTERS).join(', ')}`);
  if (value instanceof SealedText) throw new TemplateError(`has the filter ${name} on a secret, which nobody looks into before it is sent`);
  const [first, second] = given.map((argument) => (typeof argument === 'object' ? lookUp(argument.path, scope) : argument));
  return filter(value, first, second);
}

function joinParts(parts: readonly RunValue[]): string | SealedText {
  if (!parts.some((part) => part instanceof SealedText)) return bounded(parts.map(textOf).join(''));
  const joined: (string | SealedReference)[] = [];
  for (const part of parts) {
    if (part instanceof SealedText) joined.push(...part.parts);
    else joined.push(textOf(part));
  }
  return new SealedText(joined);
}

function bounded(text: string): string {
  if (text.length > TEXT_CHARACTERS_MAX) throw new TemplateError(`gives a text of more than ${TEXT_CHARACTERS_MAX} characters`);
  return text;
}
