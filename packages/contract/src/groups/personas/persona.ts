// Personas: somebody's account at some origins (D34). No value of one is ever answered, only that it is set.
import { z } from 'zod';
import { instant } from '../../ids.ts';
import { Origins, sealedText } from '../../sealed.ts';

const FIELDS_MAX = 50;

/** How an account asks for a second factor: not at all, for a code of a seed that is kept here, or for one that a person is sent. */
export const TwoFactor = z.enum(['none', 'totp', 'ask']);
export type TwoFactor = z.infer<typeof TwoFactor>;

const name = z.string().trim().min(1).max(200);
const fieldName = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/, 'must be a small letter, then up to 62 of a-z, 0-9 and _');
const locale = z
  .string()
  .max(35)
  .check((context) => {
    if (!isLocale(context.value))
      context.issues.push({ code: 'custom', message: 'must be a language tag such as de-DE (BCP 47)', input: context.value });
  })
  .describe('The language that pages are asked for in, such as `de-DE`.');
const proxy = z.string().trim().min(1).max(100).describe('The name of an egress proxy of the settings.');

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/** What is told of a session that is kept for a persona. */
export const PersonaSession = z
  .strictObject({ scope: z.string().describe('Whose session it is.'), version: z.int().min(1), updated_at: instant })
  .meta({ id: 'PersonaSession' });

/** What is told of a persona. */
export const Persona = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    origins: z.array(z.string()).describe('Where its values are sent to; with none they are sent nowhere.'),
    has_username: z.boolean(),
    has_password: z.boolean(),
    fields: z.array(z.string()).describe('Names of the further values that are set.'),
    locale: z.string().optional(),
    two_factor: TwoFactor,
    has_totp_seed: z.boolean(),
    proxy: z.string().optional(),
    sessions: z.array(PersonaSession).describe('Sessions that are kept for it.'),
    created_at: instant,
    updated_at: instant,
    last_used_at: instant.optional(),
  })
  .meta({ id: 'Persona' });
export type Persona = z.infer<typeof Persona>;

const values = {
  username: sealedText(1, 1000),
  password: sealedText(1, 10_000),
  totp_seed: sealedText(1, 2000).describe('Base32, or an otpauth:// address.'),
};

/** A new persona. */
export const NewPersona = z
  .strictObject({
    name,
    origins: Origins.optional(),
    username: values.username.optional(),
    password: values.password.optional(),
    fields: z
      .record(fieldName, sealedText(1, 10_000))
      .refine((fields) => Object.keys(fields).length <= FIELDS_MAX, `must have at most ${FIELDS_MAX} members`)
      .optional()
      .describe('Further values by name.'),
    locale: locale.optional(),
    two_factor: TwoFactor.optional().describe('`totp` where a seed is sent, else `none`, unless said.'),
    totp_seed: values.totp_seed.optional(),
    proxy: proxy.optional(),
  })
  .meta({ id: 'CreatePersona' });
export type NewPersona = z.infer<typeof NewPersona>;

/** A change of a persona (RFC 7396): null removes. Other origins clear the values and sessions that are not sent with them. */
export const PersonaPatch = z
  .strictObject({
    name: name.optional(),
    origins: Origins.nullable().optional(),
    username: values.username.nullable().optional(),
    password: values.password.nullable().optional(),
    fields: z.record(fieldName, sealedText(1, 10_000).nullable()).nullable().optional(),
    locale: locale.nullable().optional(),
    two_factor: TwoFactor.optional(),
    totp_seed: values.totp_seed.nullable().optional(),
    proxy: proxy.nullable().optional(),
  })
  .meta({ id: 'PersonaPatch' });
export type PersonaPatch = z.infer<typeof PersonaPatch>;

/** What can be wrong with a seed. */
export const TOTP_FAULTS = [
  'empty',
  'too_long',
  'too_short',
  'not_base32',
  'not_an_address',
  'not_totp',
  'no_secret',
  'two_secrets',
  'bad_algorithm',
  'bad_digits',
  'bad_period',
] as const;

/** A seed to look at, and a code of it to check. Any text is taken: what is wrong with it is the answer. */
export const ValidateTotp = z
  .strictObject({
    totp_seed: z.string().meta({ writeOnly: true }).describe('Base32, or an otpauth:// address.'),
    code: z.string().max(20).meta({ writeOnly: true }).optional().describe('A code that the account or another device shows now.'),
  })
  .meta({ id: 'ValidateTotp' });
export type ValidateTotp = z.infer<typeof ValidateTotp>;

/** What a seed is; neither the seed nor a code of it. */
export const TotpReport = z
  .strictObject({
    valid: z.boolean(),
    reason: z.enum(TOTP_FAULTS).optional().describe('What is wrong.'),
    message: z.string().optional().describe('The same in a sentence.'),
    algorithm: z.enum(['SHA1', 'SHA256', 'SHA512']).optional(),
    digits: z.int().optional(),
    period: z.int().optional().describe('Seconds.'),
    issuer: z.string().optional(),
    account: z.string().optional(),
    warnings: z
      .array(z.enum(['issuer_mismatch', 'short_seed']))
      .optional()
      .describe('What is odd, and works.'),
    seconds_left: z.int().optional().describe('Of the code of now.'),
    code_matches: z.boolean().optional().describe('Where a code was sent: whether it is one of this seed, now or a period away.'),
    code_drift: z.int().min(-1).max(1).optional().describe('Periods that the clock of the code is ahead (1) or behind (-1).'),
  })
  .meta({ id: 'TotpReport' });
export type TotpReport = z.infer<typeof TotpReport>;
