// Selectors: where on its page a monitor looks, and what was there when the baseline was recorded (D37).
import { z } from 'zod';
import { instant } from '../../ids.ts';
import { patchOf } from '../../patch.ts';
import { PixelBox } from '../../diff.ts';
import { Extractor, ExtractorSpec } from '../extractors/extractor.ts';

const expression = z.string().min(1).max(4000);

const fields = {
  selector: z
    .union([expression, z.array(expression).min(1).max(10)])
    .describe(
      'CSS, or with its prefix `css/ xpath/ text/ role/ label/ aria/ pierce/ jsonpath/ regex/`; a list crosses frames and shadow roots from part to part.',
    ),
  name: z.string().min(1).max(100).optional().describe('For people; the selector itself unless said.'),
  active: z.boolean().optional().describe('True unless said: one that is not is not looked for.'),
  many: z.boolean().optional().describe('It finds any number of elements, and another number is no drift. False unless said.'),
  allow_missing: z
    .boolean()
    .optional()
    .describe('Nothing there is an answer and no trouble: changes `gone` and `appeared` tell of it. False unless said.'),
  missing_after: z.int().min(1).max(100).optional().describe('Checks in a row that find nothing until that is told, once; 3 unless said.'),
  auto_heal: z
    .boolean()
    .optional()
    .describe('Takes a proposed repair over by itself once it has held for three checks. False unless said: a person accepts it.'),
};

/** What a selector is made of, with its extractors. */
export const SelectorSpec = z
  .strictObject({
    ...fields,
    extractors: z.array(ExtractorSpec).max(50).optional().describe('What is made of what it finds; its text where there is none.'),
  })
  .meta({ id: 'SelectorSpec' });
export type SelectorSpec = z.infer<typeof SelectorSpec>;

/** A merge patch of a selector (RFC 7396): members that are sent replace, null removes; extractors have operations of their own. */
export const SelectorPatch = z.strictObject(patchOf(fields)).meta({ id: 'SelectorPatch' });
export type SelectorPatch = z.infer<typeof SelectorPatch>;

/** How a selector found what it found: by itself, by what the baseline kept beside it, or by likeness. */
export const FoundVia = z.enum(['selector', 'alternate', 'repair']);
export type FoundVia = z.infer<typeof FoundVia>;

/** Why a selector does not find what it found before: it drifted, the element is gone, the page is another, or something stands before it. */
export const TargetVerdict = z.enum(['found', 'drift', 'gone', 'page_changed', 'blocked']);
export type TargetVerdict = z.infer<typeof TargetVerdict>;

/** Something that is nearly what a selector looks for. */
export const NearMiss = z
  .strictObject({
    selector: z.string(),
    text: z.string().describe('The first 200 characters.'),
    score: z.number().min(0).max(1),
    why: z.string(),
  })
  .meta({ id: 'NearMiss' });
export type NearMiss = z.infer<typeof NearMiss>;

/** Another selector that passed the gates of a repair. */
export const SelectorProposal = z
  .strictObject({
    selector: z.string(),
    score: z.number().min(0).max(1),
    gap: z.number().min(0).max(1).describe('To the runner-up.'),
    evidence: z.array(z.string()).describe('What speaks for it.'),
    held: z.int().min(1).describe('Checks in a row that it has held for.'),
    proposed_at: instant,
  })
  .meta({ id: 'SelectorProposal' });
export type SelectorProposal = z.infer<typeof SelectorProposal>;

/** What was there when the baseline was recorded. */
export const SelectorBaseline = z
  .strictObject({
    captured_at: instant,
    url: z.string(),
    matches: z.int().min(1),
    values: z
      .array(z.strictObject({ extractor_id: z.int().optional(), name: z.string(), value: z.unknown(), text: z.string() }))
      .describe('Of its extractors then.'),
    alternates: z.array(z.string()).describe('Other selectors that found the same, at most four.'),
  })
  .meta({ id: 'SelectorBaseline' });
export type SelectorBaseline = z.infer<typeof SelectorBaseline>;

/** A selector of a monitor. */
export const Selector = z
  .strictObject({
    id: z.int(),
    monitor_id: z.int(),
    ...fields,
    name: z.string(),
    active: z.boolean(),
    many: z.boolean(),
    allow_missing: z.boolean(),
    missing_after: z.int(),
    auto_heal: z.boolean(),
    extractors: z.array(Extractor),
    baseline: SelectorBaseline.optional(),
    proposal: SelectorProposal.optional(),
    missing: z.int().min(0).describe('Checks in a row that did not find it.'),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'Selector' });
export type Selector = z.infer<typeof Selector>;

/** One value as a test reads it. */
export const TestedValue = z
  .strictObject({
    extractor_id: z.int().optional(),
    name: z.string(),
    type: z.string(),
    value: z.unknown().optional().describe('Absent where there is none.'),
    text: z.string().optional().describe('As it is shown and compared.'),
    problem: z.string().optional().describe('Why there is no value.'),
    baseline: z.unknown().optional(),
    differs_from_baseline: z.boolean().optional(),
  })
  .meta({ id: 'TestedValue' });
export type TestedValue = z.infer<typeof TestedValue>;

/** How a selector is tested. */
export const TestSelector = z
  .strictObject({
    screenshot: z.boolean().optional().describe('Looks in a browser and keeps a picture of the whole page. False unless said.'),
  })
  .meta({ id: 'TestSelector' });
export type TestSelector = z.infer<typeof TestSelector>;

/** What a selector finds on the live page. Nothing of it is kept but a picture. */
export const SelectorTest = z
  .strictObject({
    url: z.string().describe('The address that answered, or that was asked.'),
    status: z.int().optional().describe('Absent where no answer came.'),
    lane: z.enum(['http', 'browser']).optional(),
    title: z.string().optional(),
    verdict: TargetVerdict,
    via: FoundVia.optional().describe('Absent where it finds nothing.'),
    confidence: z.number().min(0).max(1),
    matches: z.int().min(0),
    values: z.array(TestedValue),
    texts: z.array(z.string()).describe('Of the first ten matches, at most 1,000 characters each.'),
    alternates: z.array(z.string()).describe('Other selectors that find the same.'),
    near_misses: z.array(NearMiss),
    proposal: SelectorProposal.omit({ held: true, proposed_at: true }).optional(),
    problem: z.string().optional().describe('What is wrong with the page or the selector, and what to do.'),
    screenshot: z
      .strictObject({
        file_id: z.string().describe('A PNG, kept until the next one of this selector, or as long as runs are kept.'),
        boxes: z
          .array(PixelBox)
          .max(10)
          .describe('Where in it the first ten matches are that are shown: of the selector, else of the first alternate that finds any.'),
      })
      .optional()
      .describe('Where it was asked for and a page came. Values of the persona are painted over.'),
    timing_ms: z.strictObject({ fetch: z.int().min(0), read: z.int().min(0) }),
  })
  .meta({ id: 'SelectorTest' });
export type SelectorTest = z.infer<typeof SelectorTest>;
