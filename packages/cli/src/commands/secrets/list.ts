// weft secret list
import { listLimit } from '../../list-limit.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, _args, options) => {
  const client = await context.client();
  const secrets = await client.secrets.list({ limit: listLimit(options) }, { signal: context.signal });
  context.show(
    secrets,
    table(
      ['KEY', 'UPDATED', 'LAST USED', 'ORIGINS'],
      secrets.data.map((secret) => [secret.key, secret.updated_at, secret.last_used_at ?? 'never', secret.origins.join(' ') || 'none']),
    ),
  );
};
