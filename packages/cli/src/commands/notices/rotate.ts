// weft notify rotate <id>
import { orTry } from '../../or-try.ts';
import { secretInput } from '../../secret-input.ts';
import type { CommandRun } from '../../spec.ts';
import { channelId } from './ids.ts';
import { newSigningSecret } from './signing-secret.ts';

export const run: CommandRun = async (context, [text = ''], options) => {
  const id = channelId(text);
  const isOwn = options['ownSecret'] === true;
  const secret = isOwn ? await secretInput(context.say, context.signal).value('signing secret') : newSigningSecret();
  const client = await context.client();
  const changed = client.notices.updateChannel({ id, secrets: { secret } }, { signal: context.signal });
  const channel = await orTry('weft notify list', changed);
  context.show(isOwn ? channel : { ...channel, secret }, `Channel ${id} signs with a new secret; the one before stays valid for a day.`);
  if (!isOwn) context.say(`weft: the new secret, which is shown this once: ${secret}`);
};
