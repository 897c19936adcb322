// weft oauth approve
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context) => {
  const client = await context.client();
  const approval = await client.oauth.approve({}, { signal: context.signal });
  context.say('weft: type this code into the page that asks for it, if a program of yours led you there; it is good for five minutes.');
  context.show(approval, approval.code);
};
