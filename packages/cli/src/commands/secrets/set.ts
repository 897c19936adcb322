// weft secret set <key>
import { secretInput } from '../../secret-input.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, [key = ''], options) => {
  const origins = typeof options['origin'] === 'string' ? { origins: options['origin'].split('\n') } : {};
  const value = await secretInput(context.say, context.signal).value(`value of ${key}`);
  const client = await context.client();
  const secret = await client.secrets.create({ key, value, ...origins }, { signal: context.signal });
  if (secret.origins.length === 0) context.say(`weft: it is sent nowhere until it has an origin: weft secret set ${key} --origin <origin>`);
  context.show(secret, `Secret ${key} is kept.`);
};
