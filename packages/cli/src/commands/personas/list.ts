// weft persona list
import { listPage } from '../../list-page.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, _args, options) => {
  const page = listPage(context, options);
  const client = await context.client();
  const personas = await client.personas.list(page.query, page.call);
  context.show(
    personas,
    table(
      ['ID', 'NAME', 'SECOND FACTOR', 'LAST USED', 'ORIGINS'],
      personas.data.map((persona) => [
        String(persona.id),
        persona.name,
        persona.two_factor,
        persona.last_used_at ?? 'never',
        persona.origins.join(' ') || 'none',
      ]),
    ),
  );
  page.tell(personas.data.length);
};
