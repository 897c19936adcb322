// Monitors of other programs coming in, and all configuration going out and coming in again.
import { z } from 'zod';
import { LeftOut } from '../workflows/exchange.ts';
import { NewMonitor } from './monitor.ts';
import { NewMonitorTag } from './tag.ts';

/** Files whose monitors are read. */
export const MONITOR_FORMATS = [
  'changedetection',
  'changedetection_api',
  'urlwatch',
  'webchanges',
  'distill',
  'opml',
  'urls',
  'weft',
] as const;
/** The format of a file of monitors. */
export type MonitorFormat = (typeof MONITOR_FORMATS)[number];

/** The largest file that comes in the body of a call, in bytes of the body. */
export const MONITOR_IMPORT_BODY_BYTES_MAX = 20_000_000;
/** The largest file that was uploaded before. */
export const MONITOR_IMPORT_FILE_BYTES_MAX = 200_000_000;

/** What to import. */
export const ImportMonitors = z
  .strictObject({
    format: z
      .enum(MONITOR_FORMATS)
      .optional()
      .describe(
        'Found out by the content unless said. `changedetection`: a backup of changedetection.io, or one of its JSON files; `changedetection_api`: what its API answers; `urlwatch` and `webchanges`: their jobs; `distill`: its JSON; `opml`: feeds; `urls`: one address a line, behind it a tab or | and a name; `weft`: what the export wrote.',
      ),
    content: z.string().min(1).max(MONITOR_IMPORT_BODY_BYTES_MAX).optional().describe('The file; an archive in base64.'),
    file_id: z.string().min(1).max(100).optional().describe('A file that was uploaded, of at most 200 MB, instead of `content`.'),
    dry_run: z.boolean().optional().describe('Makes nothing, and says what would be made; false unless said.'),
  })
  .check((context) => {
    const { content, file_id } = context.value;
    if ((content === undefined) === (file_id === undefined))
      context.issues.push({ code: 'custom', message: 'must have either "content" or "file_id"', input: context.value });
  })
  .meta({ id: 'ImportMonitors', oneOf: [{ required: ['content'] }, { required: ['file_id'] }] });
export type ImportMonitors = z.infer<typeof ImportMonitors>;

const made = z.strictObject({
  id: z.int().optional().describe('Absent where nothing was made.'),
  path: z.string().describe('Where it stood in the file.'),
  name: z.string(),
});

/** What came of a file. */
export const ImportedMonitors = z
  .strictObject({
    format: z.enum(MONITOR_FORMATS).describe('What the file was read as.'),
    monitors: z
      .array(
        z.strictObject({
          id: z.int().optional().describe('Absent where nothing was made.'),
          path: z.string().describe('Where it stood in the file.'),
          monitor: NewMonitor.describe('What it is made of.'),
        }),
      )
      .describe('In the order of the file.'),
    tags: z
      .array(NewMonitorTag)
      .describe('Tags that they name, with the settings that the file gives them; one that has settings already keeps those.'),
    channels: z.array(made).describe('Those that are new here; one that sends values waits for them, switched off.'),
    automations: z.array(made),
    left_out: z.array(LeftOut).describe('What of the file has no equivalent or could not be read, with the reason.'),
  })
  .meta({ id: 'ImportedMonitors' });
export type ImportedMonitors = z.infer<typeof ImportedMonitors>;

/** The configuration as JSON. */
export const MonitorConfiguration = z
  .strictObject({
    weft: z.literal(1).describe('The version of the document.'),
    tags: z.array(z.record(z.string(), z.unknown())).describe('Those that have settings: `name`, and what is passed on.'),
    channels: z
      .array(z.record(z.string(), z.unknown()))
      .describe('Bodies that make channels, without the values that are sealed for them.'),
    monitors: z
      .array(z.record(z.string(), z.unknown()))
      .describe(
        'Bodies that make monitors, oldest first; workflows by slug, personas and channels by name (by id where others have that name), as `workflow`, `persona` and `channels`; with a `number` where automations name it.',
      ),
    automations: z
      .array(z.record(z.string(), z.unknown()))
      .describe(
        'Bodies that make automations, oldest first; monitors and automations by their `number` in the document, as `monitor` and `automation` and in templates, everything else by its name.',
      ),
  })
  .meta({ id: 'MonitorConfiguration' });
export type MonitorConfiguration = z.infer<typeof MonitorConfiguration>;
