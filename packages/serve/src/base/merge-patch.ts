// Changes of what is saved (RFC 7396).
import { AppError } from '@weft/contract';
import type { z } from 'zod';
import { faultOf } from '../kernel/validate.ts';

/**
 * `current` with the members of `patch`, checked as a new one is: null removes a member, objects are merged, lists replaced. Throws AppError
 * `bad_request` where what results is none; `noun` names what keeps it.
 */
export function mergePatch<Saved extends object>(current: Saved, patch: object, schema: z.ZodType<Saved>, noun: string): Saved {
  const value = merge(current, patch);
  const merged = schema.safeParse(value);
  if (merged.success) return merged.data;
  const [issue] = merged.error.issues;
  const name = issue?.path.join('.') ?? '';
  const isGone = issue?.code === 'invalid_type' && issue.input === undefined;
  const sentence = isGone
    ? `A ${noun} keeps its "${name}": it can be replaced, not removed.`
    : faultOf(merged.error, schema, value, 'body');
  throw new AppError('bad_request', sentence);
}

/** Members become the result's own, whatever they are called. */
function merge(current: unknown, patch: object): object {
  const members = new Map<string, unknown>(isObject(current) ? Object.entries(current) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) members.delete(name);
    else members.set(name, isObject(value) ? merge(members.get(name), value) : value);
  }
  return Object.fromEntries(members);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
