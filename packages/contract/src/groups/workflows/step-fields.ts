// What steps are made of: the members that all have, and those that several share.
import { z } from 'zod';
import { Condition, ReadFrom, Selectors, Template } from './condition.ts';
import { ListWrapper } from './list-wrapper.ts';

/** How a step, an input or a variable is called: references are made of such names. */
export const Identifier = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be an identifier: a small letter, then up to 63 of a-z, 0-9 and _')
  .meta({ id: 'Identifier' });

/** The members of every step. */
export const sharedFields = {
  id: Identifier.describe('Unique in the workflow; `{{steps.<id>.out}}` is what the step gave.'),
  title: z.string().max(200).optional().describe('For people.'),
  timeout: z
    .int()
    .min(1)
    .max(3_600_000)
    .optional()
    .describe('Milliseconds for one try; 30,000 unless said, none for steps that hold others.'),
  retry: z
    .strictObject({
      times: z.int().min(1).max(20).describe('Further tries after the first.'),
      delay_ms: z.int().min(0).max(600_000).optional().describe('Rest before each; 1,000 unless said.'),
    })
    .optional(),
  on_error: z
    .string()
    .regex(/^(?:fail|continue|goto:[a-z][a-z0-9_]{0,63})$/, 'must be fail, continue or goto:<id of a step beside this one>')
    .optional()
    .describe('`fail` unless said; `goto:<id>` goes on at a step beside this one.'),
  when: Condition.optional().describe('The step is skipped unless this holds.'),
  guard: z.literal('off').optional().describe('`off`: what the step sees is not held against what the last good runs saw.'),
  save_as: Identifier.optional().describe('What the step gave is kept as this variable, too.'),
};

/** Where an act finds its element. */
export const elementFields = {
  selectors: Selectors,
  frame: z
    .array(z.int().min(0).max(999))
    .max(10)
    .optional()
    .describe('The frame to look in, by its place in each frame from the main one down.'),
  target: Template.optional().describe('`main`, or the address of a pop-up or its beginning; the newest page unless said.'),
};

/** What is read for one field of a row. */
export const FieldRule = z
  .strictObject({
    selectors: Selectors.optional().describe('In the item, or in the page where there is none; the item itself unless said.'),
    path: z.string().min(1).max(4000).optional().describe('JSONPath from the item or the answer, or the name of a header.'),
    attr: z.string().min(1).max(200).optional(),
    type: z
      .enum(['text', 'number', 'price', 'date', 'rating', 'count', 'url', 'image', 'boolean', 'html', 'json'])
      .optional()
      .describe('`text` unless said; what can not be read as its type is missing.'),
    regex: z.string().min(1).max(1000).optional().describe('RE2: the first group of its first match, or the match.'),
    required: z.boolean().optional().describe('Without it the step fails, `assert`.'),
    many: z.boolean().optional().describe('All values as a list; the first unless said.'),
  })
  .meta({ id: 'FieldRule' });
export type FieldRule = z.infer<typeof FieldRule>;

/** Fields by their names. */
export const Fields = z.record(Identifier, FieldRule).meta({ id: 'Fields' });
export type Fields = z.infer<typeof Fields>;

/** What a list is read with. */
export const listFields = {
  from: ReadFrom.optional(),
  selectors: Selectors.optional().describe('The items; without it and `path` the best list of the page.'),
  path: z.string().min(1).max(4000).optional().describe('JSONPath to the items.'),
  wrapper: ListWrapper.optional().describe(
    'What was learnt of the list: it finds the items and reads their fields, instead of `selectors`, `path` and `fields`.',
  ),
  fields: Fields.optional().describe('All that a row has unless said.'),
};

/** What is filled into the controls of a form, by their names. */
export const formValues = z.record(z.string().min(1).max(200), Template);
