// weft monitor selector add <monitor>
import { CommandError, EXIT } from '../../../exit.ts';
import type { CommandRun } from '../../../spec.ts';
import { findMonitor } from '../refs.ts';
import { targetOf } from '../target.ts';

export const run: CommandRun = async (context, [ref = ''], options) => {
  const target = targetOf(options);
  if (!target)
    throw new CommandError('Say where to look, with --css, --xpath or --jsonpath, or what for, with --price or --stock.', {
      exitCode: EXIT.usage,
      code: 'bad_request',
      next: ['weft monitor selector add --help'],
    });
  const { name } = options;
  const client = await context.client();
  const { id } = await findMonitor(client, ref, context.signal);
  const made = await client.selectors.create({ id, ...target, ...(typeof name === 'string' ? { name } : {}) }, { signal: context.signal });
  context.show(made, `Selector ${made.id} is looked for from the next check on; weft monitor selector test ${id} ${made.id} tries it now.`);
};
