// weft dataset export <id>: all records of one moment, as they come, to a file or to standard output.
import { exportDataset } from '../../dataset-file.ts';
import type { DatasetExport } from '../../dataset-file.ts';
import { outputOf } from '../../download.ts';
import { CommandError, EXIT } from '../../exit.ts';
import { EXPORT_FORMATS, bomOf, checkOutput, formatOf } from '../../export-output.ts';
import { fieldsOf } from '../../fields-option.ts';
import { orTry } from '../../or-try.ts';
import { parseRowId } from '../../row-id.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, [text = ''], options) => {
  const id = parseRowId(text, 'dataset');
  const file = await outputOf(options);
  const format = formatOf(options, file, EXPORT_FORMATS) ?? 'json';
  const input: DatasetExport = {
    format,
    ...viewOf(options),
    ...(options['items'] === true ? { rows: 'items' } : {}),
    ...(options['formulas'] === true ? { spreadsheet_safe: false } : {}),
    ...bomOf(options, format),
    fields: fieldsOf(options, 'fields'),
  };
  if (file === undefined) checkOutput(context, format, 'weft dataset export --help');
  const client = await context.client();
  const bytes = await orTry('weft dataset list', exportDataset(client, context, id, input, file));
  if (file !== undefined) context.show({ file, format, bytes }, `Wrote ${bytes} bytes to ${file}.`);
};

function viewOf({ all, run }: Readonly<Record<string, string | boolean | undefined>>): Pick<DatasetExport, 'run_id' | 'snapshot'> {
  if (typeof run !== 'string') return all === true ? { snapshot: 'all' } : {};
  if (all === true) throw usage('Give either --run or --all: a run is a part of all that was kept.');
  return { run_id: parseRowId(run, 'run') };
}

function usage(message: string): CommandError {
  return new CommandError(message, { exitCode: EXIT.usage, code: 'bad_request', next: ['weft dataset export --help'] });
}
