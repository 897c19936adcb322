// weft dataset export <id>: all records of one moment, as they come, to a file or to standard output.
import type { FileDescriptor, FileFormat } from '@weft/contract';
import type { AgentClient } from '@weft/client/node';
import type { CommandContext } from '../../context.ts';
import { download, outputOf } from '../../download.ts';
import { CommandError, EXIT } from '../../exit.ts';
import { checkOutput } from '../../export-output.ts';
import { orTry } from '../../or-try.ts';
import { parseRowId } from '../../row-id.ts';
import type { CommandRun } from '../../spec.ts';

/** The formats that the agent streams; the others come from a file that it writes first. */
const STREAMED = new Set<FileFormat>(['json', 'csv', 'markdown', 'html']);

type View = { readonly run_id: number } | { readonly snapshot?: 'all' };

export const run: CommandRun = async (context, [text = ''], options) => {
  const id = parseRowId(text, 'dataset');
  const file = await outputOf(options);
  // One of the choices.
  const format = String(options['format']) as FileFormat;
  const input = { format, ...viewOf(options), ...(options['formulas'] === true ? { spreadsheet_safe: false } : {}) };
  if (file === undefined) checkOutput(context, format, 'weft dataset export --help');
  const client = await context.client();
  const bytes = await orTry(
    'weft dataset list',
    STREAMED.has(format)
      ? streamed(client, context, id, input).then((response) => download(context, response, file))
      : throughFile(client, context, { dataset_id: id, ...input }, file),
  );
  if (file !== undefined) context.show({ file, format, bytes }, `Wrote ${bytes} bytes to ${file}.`);
};

function viewOf({ all, run }: Readonly<Record<string, string | boolean | undefined>>): View {
  if (typeof run !== 'string') return all === true ? { snapshot: 'all' } : {};
  if (all === true) throw usage('Give either --run or --all: a run is a part of all that was kept.');
  return { run_id: parseRowId(run, 'run') };
}

function usage(message: string): CommandError {
  return new CommandError(message, { exitCode: EXIT.usage, code: 'bad_request', next: ['weft dataset export --help'] });
}

function streamed(
  client: AgentClient,
  { signal }: CommandContext,
  id: number,
  input: Readonly<Record<string, string | number | boolean>>,
): Promise<Response> {
  return client.transport.send({ method: 'GET', path: `/v1/datasets/${id}/export`, query: input, signal });
}

/** The agent's file is only the way here, so it does not stay. */
async function throughFile(
  client: AgentClient,
  context: CommandContext,
  input: View & { readonly dataset_id: number; readonly format: FileFormat; readonly spreadsheet_safe?: boolean },
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
