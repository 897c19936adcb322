// weft dataset delete <id>
import { orTry } from '../../or-try.ts';
import { parseRowId } from '../../row-id.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, [text = '']) => {
  const id = parseRowId(text, 'dataset');
  const client = await context.client();
  await orTry('weft dataset list', client.datasets.delete({ id }, { signal: context.signal }));
  context.show({ id, deleted: true }, `Dataset ${id} is deleted, with all of its records.`);
};
