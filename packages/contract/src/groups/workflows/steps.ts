// The steps of a workflow that act, read and ask.
import { z } from 'zod';
import { Condition, JsonTemplate, ReadFrom, Selectors, Template } from './condition.ts';
import { Fields, Identifier, elementFields, formValues, listFields, sharedFields } from './step-fields.ts';

const step = <Type extends string, Shape extends z.ZodRawShape>(type: Type, fields: Shape) =>
  z.strictObject({ type: z.literal(type), ...sharedFields, ...fields }).meta({ id: `${type[0]?.toUpperCase()}${type.slice(1)}Step` });

const pixels = z.int().min(-100_000).max(100_000);
const assertedEvents = z
  .array(z.strictObject({ type: z.literal('navigation'), url: Template.optional(), title: Template.optional() }))
  .max(5)
  .optional()
  .describe('What must have followed: a page at this address, with this title.');
const pointerFields = {
  ...elementFields,
  button: z.enum(['left', 'middle', 'right']).optional(),
  offset_x: pixels.optional().describe('From the upper left corner of the element; its middle unless both are said.'),
  offset_y: pixels.optional(),
  duration: z.int().min(0).max(60_000).optional().describe('Milliseconds for which the button is held.'),
  asserted_events: assertedEvents,
};

/** What a model can do in a step. */
export const AI_TOOLS = ['look', 'click', 'type', 'select', 'scroll', 'back', 'read_list', 'done'] as const;

/** Steps that act on a page and wait for it. */
export const ACT_STEPS = [
  step('navigate', { url: Template, wait_until: z.enum(['load', 'domcontentloaded', 'networkidle']).optional() }),
  step('setViewport', { width: z.int().min(100).max(10_000), height: z.int().min(100).max(10_000) }),
  step('emulateNetworkConditions', {
    download: z.number().min(-1).describe('Bytes a second; -1 for no bound.'),
    upload: z.number().min(-1).describe('Bytes a second; -1 for no bound.'),
    latency: z.number().min(0).max(600_000).describe('Milliseconds.'),
  }),
  step('close', {}),
  step('click', pointerFields),
  step('doubleClick', pointerFields),
  step('hover', { ...elementFields, asserted_events: assertedEvents }),
  step('change', { ...elementFields, value: Template }),
  step('keyDown', { key: z.string().min(1).max(50) }),
  step('keyUp', { key: z.string().min(1).max(50) }),
  step('scroll', {
    x: pixels.optional(),
    y: pixels.optional(),
    selectors: Selectors.optional(),
    frame: elementFields.frame,
    target: elementFields.target,
  }),
  step('upload', { ...elementFields, file: Template.describe('`{{file:ID}}`.') }),
  step('download', {
    selectors: Selectors.optional().describe('What to click for it.'),
    frame: elementFields.frame,
    target: elementFields.target,
    url: Template.optional().describe('Where it is; or `selectors`.'),
  }),
  step('dialog', { accept: z.boolean(), prompt_text: Template.optional() }),
  step('waitForElement', {
    ...elementFields,
    operator: z.enum(['>=', '==', '<=']).optional().describe('`>=` unless said.'),
    count: z.int().min(0).max(100_000).optional().describe('1 unless said.'),
    visible: z.boolean().optional(),
    attributes: z.record(z.string(), z.string()).optional(),
    properties: z.record(z.string(), z.unknown()).optional(),
  }),
  step('waitForExpression', { expression: z.string().min(1).max(20_000), frame: elementFields.frame }),
  step('screenshot', { full: z.boolean().optional().describe('The whole page.'), name: Template.optional() }),
  step('script', {
    source: z.string().min(1).max(100_000).describe('A function that runs in the page; what it returns is the result.'),
    args: z.array(JsonTemplate).max(50).optional(),
    schema: z.record(z.string(), z.unknown()).optional().describe('JSON Schema that the result must fit.'),
  }),
  step('ai', {
    goal: Template.describe('What is looked for, in words. A model points, page by page, within the site that is open.'),
    tools: z
      .array(z.enum(AI_TOOLS))
      .min(1)
      .max(AI_TOOLS.length)
      .optional()
      .describe('What it may use beside `done`; all unless said. None takes an address, and nothing but searches is sent.'),
    max_steps: z.int().min(1).max(100).optional().describe('Questions to the model; 20 unless said.'),
    success: Condition.optional().describe(
      'Holds at the end, else the step fails, `assert`; that a list was read, else `no_rows`, unless said.',
    ),
  }),
] as const;

const body = {
  body: Template.optional().describe('Sent as it is.'),
  form: formValues.optional().describe('Sent as `application/x-www-form-urlencoded`.'),
  json: JsonTemplate.optional(),
  multipart: formValues.optional().describe('Sent as `multipart/form-data`; `{{file:ID}}` is a file.'),
};

/** Steps that ask, read, decide and keep. */
export const ASK_STEPS = [
  step('request', {
    method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
    url: Template,
    query: formValues.optional(),
    headers: formValues.optional(),
    ...body,
    follow: z.boolean().optional().describe('Redirects are followed unless false.'),
    expect_status: z.array(z.int().min(100).max(599)).min(1).max(50).optional().describe('200 to 299 unless said.'),
    secret_response_paths: z
      .array(z.string().min(1).max(4000))
      .max(20)
      .optional()
      .describe('JSONPath to values that are masked from then on.'),
  }),
  step('form', {
    url: Template.optional().describe('The page with the form; the page that is open unless said. It is read anew each time.'),
    selectors: Selectors.optional(),
    index: z.int().min(0).max(999).optional().describe('The form by its place; the first that has all `fields` unless said.'),
    fields: formValues,
    submit: z.string().max(200).optional().describe('The name or text of the button that sends it; the first unless said.'),
  }),
  step('extract', { from: ReadFrom.optional(), fields: Fields }),
  step('extractList', {
    ...listFields,
    limit: z.int().min(1).max(100_000).optional(),
    min: z
      .int()
      .min(0)
      .max(100_000)
      .optional()
      .describe('With fewer rows the step fails, `no_rows`; 1 unless said, 0 inside of `paginate`.'),
    dedupe_key: Identifier.optional().describe('The field by which rows of a run are one.'),
  }),
  step('assert', { that: Condition, message: z.string().max(500).optional().describe('Said where it does not hold.') }),
  step('setVar', { name: Identifier, value: JsonTemplate }),
  step('call', { workflow: Template.describe('Id or slug.'), inputs: z.record(Identifier, JsonTemplate).optional() }),
  step('stop', { status: z.enum(['succeeded', 'failed']).optional().describe('`succeeded` unless said.'), reason: Template.optional() }),
  step('emit', { rows: JsonTemplate.describe('An object, or a list of objects.'), dedupe_key: Identifier.optional() }),
  step('export', {
    format: z.enum(['json', 'jsonl', 'csv']),
    rows: JsonTemplate.describe('A list of objects.'),
    name: Template.optional(),
  }),
  step('login', {
    url: Template,
    success: Condition.optional().describe(
      'Holds on the page once the login has worked, and while it lasts: that it shows a way to sign out and asks for no password, unless said.',
    ),
    opener: Selectors.optional().describe('What is clicked for the form to be shown, in a browser; nothing unless said.'),
    fields: z
      .strictObject({
        username: Selectors.optional(),
        password: Selectors.optional(),
        otp: Selectors.optional(),
        submit: Selectors.optional(),
      })
      .optional()
      .describe('Where they are, for a form that does not say so.'),
    session: z.enum(['reuse', 'fresh']).optional().describe('`reuse` unless said: nothing is sent while the session lasts.'),
  }),
  step('otp', {
    selectors: Selectors.describe('One box, or as many as the code has digits.'),
    settle_ms: z.int().min(0).max(60_000).optional().describe('How long the form is left to send itself.'),
  }),
  step('pause', {
    reason: z.enum(['captcha', 'verification', 'approval']),
    instructions: Template,
    resume: Condition.optional().describe('Ends the pause by itself once it holds.'),
  }),
] as const;
