// The test of a persona's login: what is asked, and how far it came. No value of the persona is told.
import { z } from 'zod';
import { RunFailure } from '../runs/run.ts';

/** Which login to test. */
export const TestLogin = z
  .strictObject({
    workflow_id: z.int().min(1).optional().describe('The workflow that logs in; the only one that acts as the persona unless said.'),
    inputs: z.record(z.string(), z.unknown()).optional().describe('Inputs of the workflow.'),
  })
  .meta({ id: 'TestLogin' });
export type TestLogin = z.infer<typeof TestLogin>;

/** How far a login came, in a session of its own of which nothing is kept. */
export const LoginTest = z
  .strictObject({
    workflow_id: z.int(),
    lane: z.enum(['http', 'browser']).describe('The lane that it ended on.'),
    steps: z
      .array(
        z.strictObject({
          step_id: z.string(),
          step_type: z.string(),
          status: z.enum(['started', 'succeeded', 'failed', 'skipped', 'retrying', 'waiting_human']),
          duration_ms: z.number().min(0).optional(),
          message: z.string().optional(),
        }),
      )
      .describe('What was executed, in order, up to the step that shows whether the login has worked.'),
    code_asked: z.boolean().describe('Whether the site asked for a one-time code.'),
    code_sent: z.boolean().describe('Whether there was one to send; it is spent.'),
    code_accepted: z.boolean().describe('Whether the login went on to its end behind it.'),
    logged_in: z.boolean(),
    failure: RunFailure.optional().describe('Why it came no further.'),
  })
  .meta({ id: 'LoginTest' });
export type LoginTest = z.infer<typeof LoginTest>;
