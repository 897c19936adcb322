// Hosts that asked to be left alone.
import { z } from 'zod';
import { instant } from '../../ids.ts';

/** A host that answered that it wants to be left alone for now. */
export const RestingHost = z
  .strictObject({
    host: z.string().describe('Scheme, name and port, as `https://example.com`.'),
    until: instant.describe('Before when nothing asks it.'),
    since: instant.optional().describe('Since when it has refused everything.'),
    status: z.int().optional().describe('What it answered: 429 or 503.'),
    named: z.boolean().describe('True where the host itself said until when; else the time is ours, and doubles with each refusal.'),
    refusals: z.int().min(0).describe('Refusals since its last good answer.'),
    says: z.string().describe('The same as a sentence.'),
  })
  .meta({ id: 'RestingHost' });
export type RestingHost = z.infer<typeof RestingHost>;
