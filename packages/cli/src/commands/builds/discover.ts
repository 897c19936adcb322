// weft api discover <url>
import { toUrl } from '../../address.ts';
import type { CommandRun } from '../../spec.ts';
import { askedBy } from './begin.ts';
import { followBuild } from './follow.ts';

export const run: CommandRun = async (context, [url = ''], options) => {
  const { objective } = options;
  const asked = { url: toUrl(url), ...(typeof objective === 'string' ? { objective } : {}), ...(await askedBy(context, options)) };
  const client = await context.client();
  const begun = await client.builds.discover(asked, { signal: context.signal });
  return await followBuild(context, client, begun, options['detach'] === true);
};
