// weft workflow edit <workflow> [file]
import type { CommandContext } from '../../context.ts';
import { CommandError, EXIT } from '../../exit.ts';
import { readJsonFile } from '../../json-file.ts';
import type { CommandRun } from '../../spec.ts';
import { findPersona } from '../personas/refs.ts';
import { bodyOf, findWorkflow } from './refs.ts';

export const run: CommandRun = async (context, [ref = '', path], options) => {
  const persona = await personaOf(context, options['persona']);
  if (path === undefined && persona === undefined) throw refuse('Say what to change: a JSON file, or --persona <persona>.');
  const file = path === undefined ? {} : await readJsonFile(path);
  const client = await context.client();
  const workflow = await findWorkflow(client, ref, context.signal);
  // What the file was written from, where it says so: somebody may have changed the workflow since.
  const revision = typeof file['revision'] === 'number' ? { revision: file['revision'] } : {};
  const changed = await client.workflows.update({ id: workflow.id, ...bodyOf(file), ...persona, ...revision }, { signal: context.signal });
  context.show(changed, `${changed.slug} is at revision ${changed.revision}.`);
};

async function personaOf(
  context: CommandContext,
  text: string | boolean | undefined,
): Promise<{ readonly persona_id: number | null } | undefined> {
  if (typeof text !== 'string') return undefined;
  if (text === 'none') return { persona_id: null };
  return { persona_id: await findPersona(context, text) };
}

function refuse(message: string): CommandError {
  return new CommandError(message, { exitCode: EXIT.usage, code: 'bad_request', next: ['weft workflow edit --help'] });
}
