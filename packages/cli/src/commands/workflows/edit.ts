// weft workflow edit <workflow> <file>
import { readJsonFile } from '../../json-file.ts';
import type { CommandRun } from '../../spec.ts';
import { bodyOf, findWorkflow } from './refs.ts';

export const run: CommandRun = async (context, [ref = '', path = '']) => {
  const file = await readJsonFile(path);
  const client = await context.client();
  const workflow = await findWorkflow(client, ref, context.signal);
  // What the file was written from, where it says so: somebody may have changed the workflow since.
  const revision = typeof file['revision'] === 'number' ? { revision: file['revision'] } : {};
  const changed = await client.workflows.update({ id: workflow.id, ...bodyOf(file), ...revision }, { signal: context.signal });
  context.show(changed, `${changed.slug} is at revision ${changed.revision}.`);
};
