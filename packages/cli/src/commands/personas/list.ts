// weft persona list
import { listLimit } from '../../list-limit.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, _args, options) => {
  const client = await context.client();
  const personas = await client.personas.list({ limit: listLimit(options) }, { signal: context.signal });
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
};
