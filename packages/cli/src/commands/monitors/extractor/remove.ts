// weft monitor extractor remove <id>
import { orTry } from '../../../or-try.ts';
import { parseRowId } from '../../../row-id.ts';
import type { CommandRun } from '../../../spec.ts';

const NEXT = 'weft monitor list';

export const run: CommandRun = async (context, [number = '']) => {
  const id = parseRowId(number, 'extractor', NEXT);
  const client = await context.client();
  await orTry(NEXT, client.extractors.delete({ extractor_id: id }, { signal: context.signal }));
  context.show({ id, deleted: true }, `Extractor ${id} is removed; its changes stay.`);
};
