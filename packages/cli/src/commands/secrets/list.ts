// weft secret list
import { listPage } from '../../list-page.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, _args, options) => {
  const page = listPage(context, options);
  const client = await context.client();
  const secrets = await client.secrets.list(page.query, page.call);
  context.show(
    secrets,
    table(
      ['KEY', 'UPDATED', 'LAST USED', 'ORIGINS'],
      secrets.data.map((secret) => [secret.key, secret.updated_at, secret.last_used_at ?? 'never', secret.origins.join(' ') || 'none']),
    ),
  );
  page.tell(secrets.data.length);
};
