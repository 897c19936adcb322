// Pictures of a page, written to the files that the user named.
import type { AgentClient } from '@weft/client/node';
import type { CommandContext } from '../../context.ts';
import { download, outputOf } from '../../download.ts';
import { CommandError, EXIT } from '../../exit.ts';

export const PICTURES = ['screenshot', 'pdf'] as const;

/** Writes the picture at `path` to the file `output`, where one is named. Throws CommandError where the page came without it: no `path`. `next` is what to do then. */
export async function savePicture(
  context: CommandContext,
  { transport }: Pick<AgentClient, 'transport'>,
  path: string | undefined,
  kind: (typeof PICTURES)[number],
  output: string | boolean | undefined,
  next: readonly string[] = ['weft browser status', 'weft browser install'],
): Promise<void> {
  if (typeof output !== 'string') return;
  if (path === undefined)
    throw new CommandError(`The page came by HTTP, without a ${kind}; only a browser can take one.`, {
      exitCode: EXIT.failed,
      code: 'browser',
      next,
    });
  await download(context, await transport.send({ method: 'GET', path, signal: context.signal }), await outputOf({ output }));
  context.say(`weft: wrote ${output}`);
}
