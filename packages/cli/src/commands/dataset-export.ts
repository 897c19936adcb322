// weft dataset export <id>: all records of one moment, as they come, to a file or to standard output.
import type { FileDescriptor, FileFormat } from '@weft/contract';
import type { AgentClient } from '@weft/client/node';
import type { CommandContext } from '../context.ts';
import { download } from '../download.ts';
import { parseRowId } from '../row-id.ts';
import type { CommandRun } from '../tree.ts';

/** The formats that the agent streams; the others come from a file that it writes first. */
const STREAMED = new Set(['json', 'csv', 'markdown', 'html']);

export const run: CommandRun = async (context, [text = ''], options) => {
  const client = await context.client();
  const id = parseRowId(text, 'dataset');
  const file = typeof options['output'] === 'string' ? options['output'] : undefined;
  const format = String(options['format']) as FileFormat;
  const view = options['all'] === true ? { snapshot: 'all' as const } : {};
  const bytes = STREAMED.has(format)
    ? await download(context, await streamOf(client, context, id, { format, ...view }), file)
    : await throughFile(client, context, { dataset_id: id, format, ...view }, file);
  if (file === undefined) return;
  context.show({ file, format, bytes }, `Wrote ${bytes} bytes to ${file}.`);
};

function streamOf(client: AgentClient, { signal }: CommandContext, id: number, query: Readonly<Record<string, string>>): Promise<Response> {
  return client.transport.send({ method: 'GET', path: `/v1/datasets/${id}/export`, query, signal });
}

/** The agent's file is only the way here, so it does not stay. */
async function throughFile(
  client: AgentClient,
  context: CommandContext,
  input: { readonly dataset_id: number; readonly format: FileFormat; readonly snapshot?: 'all' },
  file: string | undefined,
): Promise<number> {
  const { signal } = context;
  const written: FileDescriptor = await client.files.fromData(input, { signal });
  try {
    return await download(context, await client.transport.send({ method: 'GET', path: `/v1/files/${written.id}/content`, signal }), file);
  } finally {
    await client.files.delete({ id: written.id });
  }
}
