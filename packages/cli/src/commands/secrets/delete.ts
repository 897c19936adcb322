// weft secret delete <key>
import { orTry } from '../../or-try.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, [key = '']) => {
  const client = await context.client();
  await orTry('weft secret list', client.secrets.delete({ key }, { signal: context.signal }));
  context.show({ key, deleted: true }, `Secret ${key} is deleted.`);
};
