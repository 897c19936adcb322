// weft workflow restore <workflow> <revision>
import { orTry } from '../../or-try.ts';
import { parseRowId } from '../../row-id.ts';
import type { CommandRun } from '../../spec.ts';
import { findWorkflow } from './refs.ts';

export const run: CommandRun = async (context, [ref = '', number = '']) => {
  const client = await context.client();
  const revision = parseRowId(number, 'revision');
  const { id } = await findWorkflow(client, ref, context.signal);
  const restored = await orTry(
    `weft workflow revisions ${ref}`,
    client.workflows.restoreRevision({ id, revision }, { signal: context.signal }),
  );
  context.show(restored, `${restored.slug} is at revision ${restored.revision}, which is revision ${revision} again.`);
};
