// weft workflow import <file>
import { readJsonFile } from '../../json-file.ts';
import { RECORDING_FORMATS } from '../../import-formats.ts';
import type { LeftOut, NewWorkflow, RecordingFormat } from '@weft/contract';
import type { AgentClient } from '@weft/client/node';
import type { CommandContext } from '../../context.ts';
import { pairs } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';
import { runLine } from './inputs.ts';
import { bodyOf } from './refs.ts';
import { sayMissingPersona } from './persona-hint.ts';

export const run: CommandRun = async (context, [path = ''], options) => {
  const { format, name, show } = options;
  const file = await readJsonFile(path);
  const client = await context.client();
  const kind = RECORDING_FORMATS.find((each) => each === format) ?? (format === undefined ? formatOf(file) : undefined);
  const { workflow, left_out: leftOut } = await readAs(kind, file, client, context);
  const body = typeof name === 'string' ? { ...workflow, name } : workflow;
  if (show === true) {
    context.show({ workflow: body, left_out: leftOut }, [JSON.stringify(body, null, 2), ...wordsOf(leftOut)].join('\n'));
    return;
  }
  const made = await client.workflows.create(body, { signal: context.signal });
  const words = pairs([
    ['slug', made.slug],
    ['id', made.id],
    ['run it', runLine(made)],
  ]);
  context.show({ ...made, left_out: leftOut }, [words, ...wordsOf(leftOut)].join('\n'));
  sayMissingPersona(context, made);
};

/** What a file looks like; undefined for a workflow of ours. */
function formatOf(file: Readonly<Record<string, unknown>>): RecordingFormat | undefined {
  if ('log' in file) return 'har';
  return 'title' in file && 'steps' in file ? 'devtools' : undefined;
}

async function readAs(
  format: RecordingFormat | undefined,
  file: Readonly<Record<string, unknown>>,
  client: AgentClient,
  { signal }: CommandContext,
): Promise<{ workflow: NewWorkflow; left_out: readonly LeftOut[] }> {
  // The agent checks each member; its refusal names the one that is wrong.
  if (!format) return { workflow: bodyOf(file) as unknown as NewWorkflow, left_out: [] };
  return await client.workflows.import({ format, content: JSON.stringify(file) }, { signal });
}

function wordsOf(leftOut: readonly LeftOut[]): readonly string[] {
  return leftOut.map(({ path, message }) => `left out: ${message} (${path})`);
}
