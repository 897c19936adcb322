// weft dataset rename <id> <name>
import { orTry } from '../../or-try.ts';
import { parseRowId } from '../../row-id.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, [text = '', name = '']) => {
  const id = parseRowId(text, 'dataset');
  const client = await context.client();
  const dataset = await orTry('weft dataset list', client.datasets.rename({ id, name }, { signal: context.signal }));
  context.show(dataset, `Dataset ${id} is called ${dataset.name}.`);
};
