// weft workflow delete <workflow>
import type { CommandRun } from '../../spec.ts';
import { findWorkflow } from './refs.ts';

export const run: CommandRun = async (context, [ref = '']) => {
  const client = await context.client();
  const { id, slug, dataset_id: dataset } = await findWorkflow(client, ref, context.signal);
  await client.workflows.delete({ id }, { signal: context.signal });
  context.show({ id, slug, deleted: true }, `Workflow ${slug} is deleted; its rows stay in dataset ${dataset}.`);
};
