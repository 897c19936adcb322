// Extractors: what is made of what a selector finds, and which changes of it are worth telling.
import { z } from 'zod';
import { instant, rowId } from '../../ids.ts';
import { patchOf } from '../../patch.ts';

/** The types of values. */
export const EXTRACTOR_TYPES = [
  'text',
  'number',
  'price',
  'availability',
  'quantity',
  'date',
  'version',
  'attribute',
  'html',
  'list',
  'count',
  'hash',
  'image_hash',
  'regex',
  'json',
] as const;
/** The type of a value. */
export const ExtractorType = z
  .enum(EXTRACTOR_TYPES)
  .describe(
    '`text` in lines. `number`. `price` in minor units with its currency. `availability` with its evidence. `quantity`: pieces that are left. `date`: RFC 3339. ' +
      '`version`: compared by its parts. `attribute` of the element. `html` of the element. `list`: items by their key. `count` of matches. `hash` of the text. ' +
      '`image_hash`: of the picture, perceptual of PNG and JPEG, else of its bytes. `regex`: what an expression finds in the text. `json`: what a path finds.',
  );
export type ExtractorType = z.infer<typeof ExtractorType>;

/** Which changes of a value are told; all unless said. */
export const AlertRule = z
  .strictObject({
    direction: z.enum(['up', 'down']).optional().describe('Numbers, prices, quantities, versions and dates: only in this direction.'),
    percent: z.number().gt(0).max(1_000_000).optional().describe('The smallest change that is told, in percent.'),
    against: z
      .enum(['last', 'baseline'])
      .optional()
      .describe(
        'What `percent` is measured against: the value before (`last`, unless said) or the recorded baseline, which also catches slow creep.',
      ),
    min: z.number().optional().describe('Values from `min` to `max` are not told. Prices in whole units, as written: 9.99.'),
    max: z.number().optional(),
    in_stock_only: z.boolean().optional().describe('Availability: told only when something can be bought again.'),
  })
  .meta({ id: 'AlertRule' });
export type AlertRule = z.infer<typeof AlertRule>;

/** Members that only some types take. */
const OPTIONS: Readonly<Record<string, readonly ExtractorType[]>> = {
  attribute: ['attribute'],
  pattern: ['regex'],
  path: ['json'],
  item_key: ['list'],
  fields: ['list'],
  currency: ['price'],
};
/** Members of `alert`, likewise. */
const ORDERED = ['number', 'price', 'quantity', 'date', 'version', 'count'] as const;
const MEASURED = ['number', 'price', 'quantity', 'count'] as const;
const RULES: Readonly<Record<keyof AlertRule, readonly ExtractorType[]>> = {
  direction: ORDERED,
  percent: MEASURED,
  against: MEASURED,
  min: MEASURED,
  max: MEASURED,
  in_stock_only: ['availability'],
};
/** What a type can't do without. */
const NEEDS: Readonly<Partial<Record<ExtractorType, 'attribute' | 'pattern' | 'path'>>> = {
  attribute: 'attribute',
  regex: 'pattern',
  json: 'path',
};

const fields = {
  type: ExtractorType,
  name: z.string().min(1).max(100).optional().describe('What conditions and templates call its value; its type unless said.'),
  active: z.boolean().optional().describe('True unless said: one that is not is not read.'),
  attribute: z.string().min(1).max(200).optional().describe('`attribute`: which.'),
  pattern: z
    .string()
    .min(1)
    .max(2000)
    .optional()
    .describe(
      '`regex`: an RE2 expression, `/pattern/flags` or the bare pattern; its first group where it has one. All matches, a line each.',
    ),
  path: z.string().min(1).max(4000).optional().describe('`json`: a JSONPath (RFC 9535) into the answer, or into the JSON of the page.'),
  item_key: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('`list`: the field that tells items apart; found by itself unless said: an address, a number, else the whole item.'),
  fields: z
    .record(z.string().min(1).max(100), z.string().min(1).max(4000))
    .optional()
    .describe('`list`: by name a selector below each item, `@attr` at its end for an attribute; found by itself unless said.'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be a currency of ISO 4217, such as EUR')
    .optional()
    .describe('`price`: where the page names none.'),
  alert: AlertRule.optional(),
};

type Checked = { readonly type: ExtractorType; readonly alert?: AlertRule | undefined; readonly [member: string]: unknown };

/** Refuses members that would change nothing. */
function checkMembers(context: { readonly value: Checked; readonly issues: unknown[] }): void {
  const { value } = context;
  const { type, alert = {} } = value;
  const refuse = (path: readonly string[], message: string) => context.issues.push({ code: 'custom', path, message, input: value });
  const need = NEEDS[type];
  if (need !== undefined && value[need] === undefined) refuse([need], `is needed by an extractor of type "${type}"`);
  for (const [member, types] of Object.entries(OPTIONS))
    if (value[member] !== undefined && !types.includes(type))
      refuse([member], `means nothing for type "${type}"; it is for ${types.join(', ')}`);
  for (const [member, types] of Object.entries(RULES))
    if (alert[member as keyof AlertRule] !== undefined && !types.includes(type))
      refuse(['alert', member], `means nothing for type "${type}"; it is for ${types.join(', ')}`);
  if (alert.min !== undefined && alert.max !== undefined && alert.min > alert.max) refuse(['alert', 'max'], 'must not be below "min"');
}

/** What a saved extractor is made of. */
export const ExtractorSpec = z
  .strictObject(fields)
  .check((context) => checkMembers(context))
  .meta({ id: 'ExtractorSpec' });
export type ExtractorSpec = z.infer<typeof ExtractorSpec>;

/** The body that makes an extractor. */
export const NewExtractor = z
  .strictObject({ selector_id: rowId.describe('The selector that it reads.'), ...fields })
  .check((context) => checkMembers(context))
  .meta({ id: 'CreateExtractor' });
export type NewExtractor = z.infer<typeof NewExtractor>;

/** A merge patch of an extractor (RFC 7396): members that are sent replace, null removes. */
export const ExtractorPatch = z.strictObject(patchOf(fields)).meta({ id: 'ExtractorPatch' });
export type ExtractorPatch = z.infer<typeof ExtractorPatch>;

/** An extractor. */
export const Extractor = z
  .strictObject({
    id: z.int(),
    selector_id: z.int(),
    monitor_id: z.int(),
    ...fields,
    name: z.string(),
    active: z.boolean(),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'Extractor' });
export type Extractor = z.infer<typeof Extractor>;

/** What an extractor reads on the live page. Nothing of it is kept. */
export const ExtractorTest = z
  .strictObject({
    extractor_id: z.int(),
    url: z.string().describe('The address that answered, or that was asked.'),
    status: z.int().optional().describe('Absent where no answer came.'),
    matches: z.int().min(0).describe('Of its selector.'),
    value: z.unknown().optional().describe('Absent where there is none.'),
    text: z.string().optional().describe('As it is shown and compared.'),
    problem: z.string().optional().describe('Why there is no value, and what to do.'),
    baseline: z.unknown().optional(),
    differs_from_baseline: z.boolean().optional(),
    timing_ms: z.strictObject({ fetch: z.int().min(0), read: z.int().min(0) }),
  })
  .meta({ id: 'ExtractorTest' });
export type ExtractorTest = z.infer<typeof ExtractorTest>;
