// weft workflow edit <workflow> [file]
import { CommandError, EXIT } from '../../exit.ts';
import { readJsonFile } from '../../json-file.ts';
import type { CommandRun } from '../../spec.ts';
import { bodyOf, findWorkflow } from './refs.ts';

export const run: CommandRun = async (context, [ref = '', path], options) => {
  const persona = personaOf(options['persona']);
  if (path === undefined && persona === undefined) throw refuse('Say what to change: a JSON file, or --persona <id>.');
  const file = path === undefined ? {} : await readJsonFile(path);
  const client = await context.client();
  const workflow = await findWorkflow(client, ref, context.signal);
  // What the file was written from, where it says so: somebody may have changed the workflow since.
  const revision = typeof file['revision'] === 'number' ? { revision: file['revision'] } : {};
  const changed = await client.workflows.update({ id: workflow.id, ...bodyOf(file), ...persona, ...revision }, { signal: context.signal });
  context.show(changed, `${changed.slug} is at revision ${changed.revision}.`);
};

function personaOf(text: string | boolean | undefined): { readonly persona_id: number | null } | undefined {
  if (typeof text !== 'string') return undefined;
  if (text === 'none') return { persona_id: null };
  if (/^[1-9]\d{0,14}$/.test(text)) return { persona_id: Number(text) };
  throw refuse(`--persona is "${text}"; it must be the number of a persona, or none.`, 'weft persona list');
}

function refuse(message: string, next = 'weft workflow edit --help'): CommandError {
  return new CommandError(message, { exitCode: EXIT.usage, code: 'bad_request', next: [next] });
}
