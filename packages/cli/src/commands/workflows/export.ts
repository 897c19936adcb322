// weft workflow export <workflow>
import { outputOf } from '../../download.ts';
import type { CommandRun } from '../../spec.ts';
import { bodyOf, findWorkflow } from './refs.ts';

export const run: CommandRun = async (context, [ref = ''], options) => {
  const output = await outputOf(options);
  const client = await context.client();
  const workflow = await findWorkflow(client, ref, context.signal);
  if (options['format'] === 'devtools') {
    const recording = await client.workflows.export({ id: workflow.id }, { signal: context.signal });
    return context.print(JSON.stringify(recording, null, 2), output);
  }
  const { slug: _slug, ...body } = bodyOf(workflow);
  context.print(JSON.stringify(body, null, 2), output);
};
