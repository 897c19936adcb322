// weft data export <workflow>: all rows that match, as they come, to a file or to standard output.
import { download, outputOf } from '../../download.ts';
import { EXPORT_FORMATS, bomOf, checkOutput, formatOf } from '../../export-output.ts';
import { fieldsOf } from '../../fields-option.ts';
import { orTry } from '../../or-try.ts';
import type { CommandRun } from '../../spec.ts';
import { chosenRows, workflowId } from './selection.ts';

export const run: CommandRun = async (context, [ref = ''], options) => {
  const file = await outputOf(options);
  const format = formatOf(options, file, EXPORT_FORMATS) ?? 'csv';
  if (file === undefined) checkOutput(context, format, 'weft data export --help');
  const fields = fieldsOf(options, 'fields');
  const query = {
    format,
    ...chosenRows(options),
    ...(options['formulas'] === true ? { spreadsheet_safe: false } : {}),
    ...bomOf(options, format),
    ...(fields ? { fields: fields.join(',') } : {}),
  };
  const client = await context.client();
  const path = `/v1/workflows/${await workflowId(client, context, ref)}/data/export`;
  const response = await orTry('weft data list', client.transport.send({ method: 'GET', path, query, signal: context.signal }));
  const bytes = await download(context, response, file);
  if (file !== undefined) context.show({ file, format, bytes }, `Wrote ${bytes} bytes to ${file}.`);
};
