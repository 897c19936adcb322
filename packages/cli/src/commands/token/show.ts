// weft token show: the token that this machine's clients use.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError, EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context) => {
  const file = join(context.environment.home, 'token');
  if (!existsSync(file))
    throw new CommandError(`There is no token yet (${file}); the agent makes it when it first starts.`, {
      exitCode: EXIT.notFound,
      code: 'not_found',
      next: ['weft daemon start'],
    });
  const token = readFileSync(file, 'utf8').trim();
  context.show({ token, file }, token);
};
