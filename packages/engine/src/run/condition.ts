// Decides conditions: comparisons of values, put together. Nothing is executed.
import type { Condition, PageValue } from '@weft/contract';
import { compileRegex } from '../html/selectors/regex.ts';
import type { JsonValue } from '../html/loose-json.ts';
import { misfit } from './definition/json-schema.ts';
import { patternOf } from './reading/typed.ts';
import { numberOf } from './template/decimal.ts';
import { renderJson } from './template/render.ts';
import type { Scope } from './template/render.ts';
import { isMembers, textOf } from './value.ts';

/** Reads the page that is open. */
export type PageReader = (of: PageValue) => Promise<readonly JsonValue[]>;

/** Whether `condition` holds. Throws TemplateError, and what `read` throws. */
export async function decideCondition(condition: Condition, scope: Scope, read: PageReader): Promise<boolean> {
  if ('all' in condition) {
    for (const one of condition.all) if (!(await decideCondition(one, scope, read))) return false;
    return true;
  }
  if ('any' in condition) {
    for (const one of condition.any) if (await decideCondition(one, scope, read)) return true;
    return false;
  }
  if ('not' in condition) return !(await decideCondition(condition.not, scope, read));
  const wanted = condition.with === undefined ? undefined : renderJson(condition.with, scope);
  if (condition.page === undefined) return compare(renderJson(condition.value, scope), condition.op, wanted);
  const found = await read(condition.page);
  if (condition.op === 'exists') return found.length > 0;
  if (condition.op === 'count') return found.length === numberOf(wanted);
  // Of several that were found, one that fits is enough; with none of them equal, they all differ.
  if (condition.op === 'ne') return found.every((value) => compare(value, 'ne', wanted));
  return found.some((value) => compare(value, condition.op, wanted));
}

type Op = Extract<Condition, { readonly op: unknown }>['op'];

/** Whether `value` compares to `wanted` so. Numbers that are written as texts are numbers. */
export function compare(value: unknown, op: Op, wanted: unknown): boolean {
  switch (op) {
    case 'exists':
      return value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
    case 'eq':
      return isEqual(value, wanted);
    case 'ne':
      return !isEqual(value, wanted);
    case 'gt':
      return isOrdered(value, wanted, (order) => order > 0);
    case 'lt':
      return isOrdered(value, wanted, (order) => order < 0);
    case 'ge':
      return isOrdered(value, wanted, (order) => order >= 0);
    case 'le':
      return isOrdered(value, wanted, (order) => order <= 0);
    case 'matches':
      return compileRegex(patternOf(textOf(wanted)))
        .matcher(textOf(value))
        .find();
    case 'contains':
      return Array.isArray(value) ? value.some((item) => isEqual(item, wanted)) : textOf(value).includes(textOf(wanted));
    case 'schema':
      return isMembers(wanted) && misfit(value, wanted, 'value') === undefined;
    case 'count':
      return sizeOf(value) === numberOf(wanted);
  }
}

function isEqual(a: unknown, b: unknown): boolean {
  const isJson = (value: unknown) => typeof value === 'object' && value !== null;
  if (isJson(a) || isJson(b)) return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
  const [first, second] = [numberOf(a), numberOf(b)];
  return first !== undefined && second !== undefined ? first === second : textOf(a) === textOf(b);
}

/** Numbers by their size, texts such as ISO dates by their characters; a number and a text that is none have no order. */
function isOrdered(a: unknown, b: unknown, holds: (order: number) => boolean): boolean {
  const [first, second] = [numberOf(a), numberOf(b)];
  if (first !== undefined && second !== undefined) return holds(first - second);
  if (typeof a !== 'string' || typeof b !== 'string' || first !== undefined || second !== undefined) return false;
  return holds(a < b ? -1 : a > b ? 1 : 0);
}

function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (isMembers(value)) return Object.keys(value).length;
  return value === null || value === undefined || value === '' ? 0 : 1;
}
