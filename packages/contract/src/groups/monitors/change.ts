// Changes: what monitors tell (D36).
import { z } from 'zod';
import { instant } from '../../ids.ts';

/** The kinds of changes. The last five are no changes of what is watched: they say what became of looking at it. */
export const CHANGE_KINDS = [
  'changed',
  'appeared',
  'gone',
  'availability',
  'price',
  'selector_drift',
  'page_changed',
  'blocked',
  'error',
  'recovered',
] as const;
/** The kind of a change. */
export const ChangeKind = z.enum(CHANGE_KINDS);
export type ChangeKind = z.infer<typeof ChangeKind>;

/** Something that a check found to tell. */
export const Change = z
  .strictObject({
    id: z.int(),
    monitor_id: z.int(),
    monitor_name: z.string(),
    selector_id: z.int().optional(),
    extractor_id: z.int().optional(),
    name: z.string().optional().describe('Of the value; absent where it is the page.'),
    kind: ChangeKind,
    old: z.unknown().optional().describe('The value before, typed as its extractor gives it; of text the text.'),
    new: z.unknown().optional(),
    difference: z.string().optional().describe('Of texts: the lines that went and came, with - and + before them.'),
    summary: z.string().describe('A sentence for people.'),
    percent: z.number().optional().describe('Of numbers and prices, against what the rule measures.'),
    url: z.string().optional().describe('The page.'),
    run_id: z.int(),
    created_at: instant,
  })
  .meta({ id: 'Change' });
export type Change = z.infer<typeof Change>;
