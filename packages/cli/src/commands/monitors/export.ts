// weft monitor export
import { download, outputOf } from '../../download.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, _args, options) => {
  const output = await outputOf(options);
  const client = await context.client();
  const format = options['format'] === 'json' || context.isJson ? 'json' : 'yaml';
  const { signal } = context;
  const response = await client.transport.send({ method: 'GET', path: `/x/monitors/export?format=${format}`, signal });
  const bytes = await download(context, response, output);
  if (output !== undefined) context.show({ file: output, bytes }, `Wrote ${bytes} bytes to ${output}.`);
};
