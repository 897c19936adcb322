// The body of every refusal (D4).
import { z } from 'zod';
import { ERROR_STATUS } from './errors.ts';
import type { ErrorCode } from './errors.ts';

const codes = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

/** The body of every refusal: a sentence and a code, nothing else (D4). */
export const ErrorBody = z
  .strictObject({ error: z.string().describe('A sentence for people.'), code: z.enum(codes).describe('Stable; programs branch on it.') })
  .meta({ id: 'Error' });
