// weft secret list
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context) => {
  const client = await context.client();
  const secrets = await client.secrets.list({ limit: 500 }, { signal: context.signal });
  context.show(
    secrets,
    table(
      ['KEY', 'UPDATED', 'LAST USED', 'ORIGINS'],
      secrets.data.map((secret) => [secret.key, secret.updated_at, secret.last_used_at ?? 'never', secret.origins.join(' ') || 'none']),
    ),
  );
};
