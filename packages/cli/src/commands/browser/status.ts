// weft browser status: which browser renders pages, as the agent's health tells it.
import { CommandError, EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context) => {
  const client = await context.client();
  const health = await client.agent.health({}, { signal: context.signal });
  const part = health.parts.find(({ name }) => name === 'browser');
  if (!part)
    throw new CommandError('This agent says nothing of a browser.', { exitCode: EXIT.notFound, code: 'not_found', next: ['weft doctor'] });
  context.show(part, part.message + (part.fix ? `\n${part.fix}` : ''));
  return part.status === 'fail' ? EXIT.failed : EXIT.done;
};
