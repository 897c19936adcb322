// weft key list
import { listPage } from '../../list-page.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, _args, options) => {
  const page = listPage(context, options);
  const client = await context.client();
  const keys = await client.keys.list(page.query, page.call);
  context.show(
    keys,
    table(
      ['ID', 'NAME', 'SCOPES', 'CREATED', 'LAST USED'],
      keys.data.map((key) => [key.id, key.name, key.scopes, key.created_at, key.last_used_at ?? 'never']),
    ),
  );
  page.tell(keys.data.length);
};
