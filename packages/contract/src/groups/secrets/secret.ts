// Secrets: values that go to the origins they are bound to, and are never shown (D34).
import { z } from 'zod';
import { instant } from '../../ids.ts';
import { Origins, sealedText } from '../../sealed.ts';

/** The name that a workflow refers to it by. */
export const SecretKey = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,99}$/, 'must be a letter or _, then up to 99 letters, digits, dots, _ and -');

/** What is told of a secret; its value never is. */
export const Secret = z
  .strictObject({
    key: z.string(),
    origins: z.array(z.string()).describe('Where it is sent to; with none it is sent nowhere.'),
    created_at: instant,
    updated_at: instant.describe('When the value or the origins were last set.'),
    last_used_at: instant.optional(),
  })
  .meta({ id: 'Secret' });
export type Secret = z.infer<typeof Secret>;

/** A new secret, or what replaces the one of that key. */
export const NewSecret = z
  .strictObject({
    key: SecretKey,
    value: sealedText().describe('Sealed at once and never shown again.'),
    origins: Origins.optional().describe('Left out, a secret that is there keeps its own, and a new one has none.'),
  })
  .meta({ id: 'CreateSecret' });
export type NewSecret = z.infer<typeof NewSecret>;
