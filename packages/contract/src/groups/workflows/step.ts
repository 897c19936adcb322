// One step of a workflow: what acts and asks, and what holds other steps.
import { z } from 'zod';
import { Condition, JsonTemplate, Selectors } from './condition.ts';
import { Identifier, sharedFields } from './step-fields.ts';
import { ACT_STEPS, ASK_STEPS } from './steps.ts';

const forEachFields = z.strictObject({
  type: z.literal('forEach'),
  ...sharedFields,
  items: JsonTemplate.describe('A list, or a template that gives one.'),
  as: Identifier.optional().describe('What the body calls the item; `item` unless said.'),
  limit: z.int().min(1).max(1_000_000).optional(),
});
const whileFields = z.strictObject({
  type: z.literal('while'),
  ...sharedFields,
  condition: Condition,
  max: z.int().min(1).max(1_000_000).optional().describe('Rounds; 1,000 unless said, and one more fails the step.'),
});
const ifFields = z.strictObject({ type: z.literal('if'), ...sharedFields });
const paginateFields = z.strictObject({
  type: z.literal('paginate'),
  ...sharedFields,
  mode: z.enum(['next_link', 'page_param', 'offset', 'cursor', 'next_url', 'load_more', 'scroll']),
  selectors: Selectors.optional().describe('The link or button to the next page; `next_link` finds it by itself unless said.'),
  param: z.string().min(1).max(200).optional().describe('The parameter of the address that counts pages or rows, or carries the cursor.'),
  start: z.int().min(0).optional().describe('Its value on the first page; 1 for pages and 0 for rows unless said.'),
  step: z.int().min(1).max(100_000).optional().describe('What each page adds to it; 1 unless said.'),
  path: z.string().min(1).max(4000).optional().describe('JSONPath in the answer to the cursor or the next address.'),
  stop: z
    .strictObject({
      max_pages: z.int().min(1).max(100_000).optional().describe('100 unless said.'),
      empty: z.boolean().optional().describe('At a page without rows; true unless said.'),
      no_new_rows: z.boolean().optional().describe('At a page whose rows were all there before; true unless said.'),
      same_page_hash: z.boolean().optional().describe('At a page that is the one before it; true unless said.'),
    })
    .optional(),
});

interface Held {
  readonly body: readonly Step[];
}
interface ForEachStep extends z.infer<typeof forEachFields>, Held {}
interface WhileStep extends z.infer<typeof whileFields>, Held {}
interface PaginateStep extends z.infer<typeof paginateFields>, Held {}
interface IfStep extends z.infer<typeof ifFields> {
  readonly branches: readonly { readonly when: Condition; readonly body: readonly Step[] }[];
  readonly else?: readonly Step[] | undefined;
}

/** One step. */
export type Step =
  | z.infer<(typeof ACT_STEPS)[number]>
  | z.infer<(typeof ASK_STEPS)[number]>
  | ForEachStep
  | WhileStep
  | IfStep
  | PaginateStep;
/** The name of what a step does. */
export type StepType = Step['type'];
/** A step of one type. */
export type StepOf<Type extends StepType> = Extract<Step, { readonly type: Type }>;

const Body: z.ZodType<readonly Step[]> = z.array(z.lazy(() => Step)).max(200);
const HOLDER_STEPS = [
  forEachFields.extend({ body: Body }).meta({ id: 'ForEachStep' }),
  whileFields.extend({ body: Body }).meta({ id: 'WhileStep' }),
  ifFields
    .extend({
      branches: z
        .array(z.strictObject({ when: Condition, body: Body }))
        .min(1)
        .max(50),
      else: Body.optional(),
    })
    .meta({ id: 'IfStep' }),
  paginateFields.extend({ body: Body }).meta({ id: 'PaginateStep' }),
] as const;

/** One step. */
export const Step: z.ZodType<Step> = z
  .discriminatedUnion('type', [...ACT_STEPS, ...ASK_STEPS, ...HOLDER_STEPS])
  .meta({ id: 'WorkflowStep' });
