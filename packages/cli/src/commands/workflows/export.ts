// weft workflow export <workflow>
import { outputOf } from '../../download.ts';
import type { CommandRun } from '../../spec.ts';
import { bodyOf, findWorkflow } from './refs.ts';

export const run: CommandRun = async (context, [ref = ''], options) => {
  const output = await outputOf(options);
  const client = await context.client();
  const { slug: _slug, ...body } = bodyOf(await findWorkflow(client, ref, context.signal));
  context.print(JSON.stringify(body, null, 2), output);
};
