// Changes of what is saved (RFC 7396).
import { AppError } from '@weft/contract';
import type { z } from 'zod';

/**
 * `current` with the members of `patch`, checked as a new one is; null removes a member. For things whose members are no objects. Throws
 * AppError `bad_request` where a member is gone that must be there; `noun` names what keeps it.
 */
export function mergePatch<Saved extends object>(current: Saved, patch: object, schema: z.ZodType<Saved>, noun: string): Saved {
  const members = Object.entries({ ...current, ...patch }).filter(([, value]) => value !== null && value !== undefined);
  const merged = schema.safeParse(Object.fromEntries(members));
  if (merged.success) return merged.data;
  // What replaces a member was checked by itself, so all that can be wrong is that one is gone.
  const name = merged.error.issues[0]?.path.join('.') ?? '';
  throw new AppError('bad_request', `A ${noun} keeps its "${name}": it can be replaced, not removed.`);
}
