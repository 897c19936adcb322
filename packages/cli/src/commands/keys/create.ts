// weft key create <name>
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, [name = ''], options) => {
  const client = await context.client();
  const key = await client.keys.create({ name, scopes: String(options['scopes']) }, { signal: context.signal });
  context.say(`weft: key ${key.id} (${key.scopes}) was minted; its token is shown only now.`);
  context.show(key, key.token);
};
