// What build and discover take alike.
import { readFile } from 'node:fs/promises';
import type { CommandContext } from '../../context.ts';
import { CommandError, EXIT } from '../../exit.ts';
import { findPersona } from '../personas/refs.ts';

type Options = Readonly<Record<string, string | boolean | undefined>>;

/** The members of the body that options name. Throws CommandError. */
export async function askedBy(context: CommandContext, options: Options) {
  const { persona, har } = options;
  return {
    ...(options['ignoreRobots'] === true ? { respect_robots: false } : {}),
    ...(options['ai'] === false ? { ai_supervise: false } : {}),
    ...(typeof persona === 'string' ? { persona_id: await findPersona(context, persona) } : {}),
    ...(typeof har === 'string' ? { har: await readHar(har) } : {}),
  };
}

async function readHar(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${path} can't be read: ${error.message}.`, { exitCode: EXIT.usage, code: 'bad_request' });
  });
}
