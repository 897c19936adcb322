// Checks what a file holds, one thing after the other: what is refused is left out, and said.
import { AppError } from '@weft/contract';
import type { LeftOut } from '@weft/contract';
import type { z } from 'zod';

/** Throws AppError `bad_request` that names the first place that is wrong. */
export function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw new AppError('bad_request', `${place === '' ? 'It' : `"${place}"`} ${issue?.message ?? 'is not valid'}.`);
}

/** What `make` gives; undefined, and told, where it is refused. */
export function orLeave<Made>(path: string, left: LeftOut[], make: () => Made): Made | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'bad_request' && error.code !== 'not_found')) throw error;
    left.push({ path, message: `${error.message} It is left out as a whole.` });
    return undefined;
  }
}
