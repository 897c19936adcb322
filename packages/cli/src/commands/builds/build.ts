// weft api build <url>
import { toUrl } from '../../address.ts';
import { CommandError, EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';
import { askedBy } from './begin.ts';
import { followBuild } from './follow.ts';

export const run: CommandRun = async (context, [url = ''], options) => {
  const { objective } = options;
  if (typeof objective !== 'string')
    throw new CommandError('Say what the API is for: --objective "search products by name". To see what there is: weft api discover', {
      exitCode: EXIT.usage,
      code: 'bad_request',
    });
  const asked = { url: toUrl(url), objective, ...(await askedBy(context, options)) };
  const client = await context.client();
  const begun = await client.builds.start(asked, { signal: context.signal });
  return await followBuild(context, client, begun, options['detach'] === true);
};
