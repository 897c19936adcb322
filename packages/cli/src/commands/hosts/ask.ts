// weft hosts ask <host>: a person decides that it be asked again.
import { toUrl } from '../../address.ts';
import { orTry } from '../../or-try.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, [host = '']) => {
  const client = await context.client();
  const asked = await orTry('weft hosts', client.hosts.askAgain({ url: toUrl(host) }, { signal: context.signal }));
  context.show(asked, `${asked.host} is asked again, one request at a time until it answers.`);
};
