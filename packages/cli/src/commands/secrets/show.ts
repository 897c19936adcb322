// weft secret show <key>
import { orTry } from '../../or-try.ts';
import { pairs } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, [key = '']) => {
  const client = await context.client();
  const secret = await orTry('weft secret list', client.secrets.read({ key }, { signal: context.signal }));
  context.show(
    secret,
    pairs(Object.entries(secret).map(([name, value]) => [name, Array.isArray(value) ? value.join(' ') || 'none' : value])),
  );
};
