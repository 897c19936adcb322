// weft file get <id>: its bytes; with --json and no --output, what is known of it.
import { download, outputOf } from '../../download.ts';
import { orTry } from '../../or-try.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, [id = ''], options) => {
  const output = await outputOf(options);
  const client = await context.client();
  const { signal } = context;
  const file = await orTry('weft file list', client.files.read({ id }, { signal }));
  if (context.isJson && output === undefined) return context.show(file, '');
  await download(
    context,
    await client.transport.send({ method: 'GET', path: `/v1/files/${encodeURIComponent(id)}/content`, signal }),
    output,
  );
  if (output !== undefined) context.show({ ...file, file: output }, `Wrote ${file.bytes} bytes to ${output}.`);
};
