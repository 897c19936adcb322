// weft workflow copy <workflow> [name]
import type { CommandRun } from '../../spec.ts';
import { findWorkflow } from './refs.ts';

export const run: CommandRun = async (context, [ref = '', name]) => {
  const client = await context.client();
  const { id } = await findWorkflow(client, ref, context.signal);
  const copy = await client.workflows.copy({ id, ...(name === undefined ? {} : { name }) }, { signal: context.signal });
  context.show(copy, `${copy.slug}  ${copy.name}`);
};
