// weft oauth revoke <id>
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, [id = '']) => {
  const client = await context.client();
  await client.oauth.revoke({ id }, { signal: context.signal });
  context.show({ id, revoked: true }, `Grant ${id} has ended; its program must ask again.`);
};
