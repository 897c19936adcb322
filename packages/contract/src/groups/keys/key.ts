// Restricted keys of the agent (D14, D15).
import { z } from 'zod';
import { instant } from '../../ids.ts';

/** The scopes that a restricted key can have. */
export const SCOPES = ['read', 'run', 'admin'] as const;
/** What a restricted key may do. */
export type Scope = (typeof SCOPES)[number];

/** A comma-separated list of distinct scopes, as the specification writes it: `read,run`. */
export const ScopeList = z
  .string()
  .check((context) => {
    const named = context.value.split(',').map((part) => part.trim());
    const unknown = named.find((scope) => !(SCOPES as readonly string[]).includes(scope));
    const message =
      unknown !== undefined
        ? `names the unknown scope "${unknown.slice(0, 40)}"; use a comma-separated list of read, run, admin`
        : new Set(named).size < named.length
          ? 'names a scope twice'
          : undefined;
    if (message) context.issues.push({ code: 'custom', message, input: context.value });
  })
  .describe('Comma-separated, drawn from read, run, admin, each once.')
  .meta({ pattern: `^ *(${SCOPES.join('|')}) *(, *(${SCOPES.join('|')}) *){0,${SCOPES.length - 1}}$` });

/** The scopes of a checked list, in the order of SCOPES. */
export function parseScopes(list: string): readonly Scope[] {
  const named = new Set(list.split(',').map((part) => part.trim()));
  return SCOPES.filter((scope) => named.has(scope));
}

/** A restricted key without its token. */
export const Key = z
  .strictObject({
    id: z.string().describe('`key_...`'),
    name: z.string(),
    scopes: z.string().describe('Comma-separated.'),
    created_at: instant,
    last_used_at: instant.optional(),
  })
  .meta({ id: 'Key' });
export type Key = z.infer<typeof Key>;

/** A new key with its token, which is never shown again (D14). */
export const MintedKey = Key.extend({ token: z.string().describe('The only time that it is shown.') }).meta({ id: 'MintedKey' });
export type MintedKey = z.infer<typeof MintedKey>;
