// Recordings of other programs: their formats, and what of a file is not in what was made of it.
import { z } from 'zod';

/** The largest file that is imported. */
export const IMPORT_BYTES_MAX = 20_000_000;

/** What of a file is not in what was made of it. */
export const LeftOut = z
  .strictObject({
    path: z.string().describe('Where it stood in the file.'),
    message: z.string().describe('What it was, and why it is left out.'),
  })
  .meta({ id: 'LeftOut' });
export type LeftOut = z.infer<typeof LeftOut>;

/** Programs whose recordings are read. */
export const RECORDING_FORMATS = ['devtools', 'har'] as const;
/** The format of a recording. */
export type RecordingFormat = (typeof RECORDING_FORMATS)[number];
