// Recordings: what a person does in a browser, on its way to a workflow.
import { z } from 'zod';
import { instant, rowId, webUrl } from '../../ids.ts';
import { LeftOut } from '../workflows/exchange.ts';

/** What a recording is begun with. */
export const NewRecording = z
  .strictObject({
    url: webUrl.describe('The page that it begins at.'),
    name: z.string().min(1).max(200).optional().describe('What the workflow is called; after the host unless said.'),
    persona_id: rowId.optional().describe('Whom the workflow acts as: passwords that are typed become references to this persona.'),
    window: z
      .boolean()
      .optional()
      .describe('True for a window on the screen of this machine, false for none; a window where there is a screen unless said.'),
  })
  .meta({ id: 'CreateRecording' });
export type NewRecording = z.infer<typeof NewRecording>;

/** Where a recording stands. */
export const RecordingStatus = z.enum(['opening', 'recording', 'finished', 'discarded', 'failed']);
export type RecordingStatus = z.infer<typeof RecordingStatus>;

/** A recording. It lives in the memory of the agent; what stays of it is the workflow. */
export const Recording = z
  .strictObject({
    id: rowId,
    status: RecordingStatus,
    url: z.string().describe('The page that it began at.'),
    window: z.boolean().describe('True where a window of this machine shows it.'),
    steps: z.array(z.strictObject({ id: z.string(), type: z.string() })).describe('What was recorded so far, without values.'),
    left_out: z.array(LeftOut).describe('What was seen and not recorded, and why; known at the end.'),
    workflow_id: rowId.optional().describe('What it became.'),
    message: z.string().optional().describe('Why it failed, or what it came to.'),
    created_at: instant,
  })
  .meta({ id: 'Recording' });
export type Recording = z.infer<typeof Recording>;
