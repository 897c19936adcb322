// The body of every refusal (D4).
import { z } from 'zod';
import { ERROR_STATUS } from './errors.ts';
import type { ErrorCode } from './errors.ts';
import { instant } from './ids.ts';

const codes = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

/** The body of every refusal: a sentence and a code, nothing else (D4). */
export const ErrorBody = z
  .strictObject({ error: z.string().describe('A sentence for people.'), code: z.enum(codes).describe('Stable; programs branch on it.') })
  .meta({ id: 'Error' });

/** The body of a code that carries more than a sentence (D4); any other has the body above. On the cloud alone. */
export const ERROR_BODIES: Readonly<Partial<Record<ErrorCode, z.ZodType>>> = {
  insufficient_credits: ErrorBody.extend({
    code: z.literal('insufficient_credits'),
    balance: z.int().min(0).describe('Credits that the account has.'),
    needed: z.int().min(1).describe('Credits that the call reserves when it begins.'),
  }).meta({ id: 'InsufficientCredits' }),
  keyless_rate_limited: ErrorBody.extend({
    code: z.literal('keyless_rate_limited'),
    reset_at: instant,
    limit: z.int().min(0).describe('Pages of a day.'),
    remaining: z.int().min(0),
  }).meta({ id: 'KeylessRateLimited' }),
};
