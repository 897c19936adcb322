// Merge patches of what is saved (RFC 7396): every member may be left out, and null removes it.
import { z } from 'zod';

type PatchOf<Fields extends z.ZodRawShape> = { [Name in keyof Fields]: z.ZodOptional<z.ZodNullable<Fields[Name]>> };

/** The members of a merge patch of what is made of `fields`. */
export function patchOf<Fields extends z.ZodRawShape>(fields: Fields): PatchOf<Fields> {
  const wrapped: unknown = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, z.nullable(field).optional()]));
  // One entry per field, each wrapped the same way.
  return wrapped as PatchOf<Fields>;
}
