// weft key list
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context) => {
  const client = await context.client();
  const keys = await client.keys.list({ limit: 500 }, { signal: context.signal });
  context.show(
    keys,
    table(
      ['ID', 'NAME', 'SCOPES', 'CREATED', 'LAST USED'],
      keys.data.map((key) => [key.id, key.name, key.scopes, key.created_at, key.last_used_at ?? 'never']),
    ),
  );
};
