// One small question to the model that the settings name.
import { z } from 'zod';

/** What came of it. */
export const ModelTest = z
  .strictObject({
    provider: z
      .enum(['openai', 'anthropic'])
      .optional()
      .describe('The format that it is asked in; absent, with the next two, where none is named.'),
    model: z.string().optional().describe('Its name in the settings, and what the endpoint calls it.'),
    url: z.string().optional(),
    status: z.enum(['succeeded', 'failed']),
    latency_ms: z.int().min(0).describe('From the question to its answer or failure, all tries together.'),
    requests: z.int().min(0),
    tokens_in: z.int().min(0),
    tokens_out: z.int().min(0),
    tokens_estimated: z.boolean().describe('True where the endpoint did not count them.'),
    mode: z.enum(['json_schema', 'tool', 'text']).optional().describe('How the answer was asked for.'),
    failure: z.strictObject({ reason: z.string(), message: z.string(), fix: z.string().describe('What to do.') }).optional(),
  })
  .meta({ id: 'ModelTest' });
export type ModelTest = z.infer<typeof ModelTest>;
