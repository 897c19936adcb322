// weft oauth list
import { listPage } from '../../list-page.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, _args, options) => {
  const page = listPage(context, options);
  const client = await context.client();
  const grants = await client.oauth.grants(page.query, page.call);
  context.show(
    grants,
    table(
      ['ID', 'PROGRAM', 'SINCE', 'LAST USED', 'UNTIL'],
      grants.data.map((grant) => [grant.id, grant.client_name, grant.created_at, grant.last_used_at ?? 'never', grant.expires_at]),
    ),
  );
  page.tell(grants.data.length);
};
