// What the agent can and a cloud can not: an option that would be left out in silence is refused.
import { CommandError, EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';

/** Throws CommandError for the first of `names` (as the parser has them) that is given. */
export function refuseForCloud(options: Parameters<CommandRun>[2], names: readonly string[]): void {
  const [given] = names.filter((name) => options[name] !== undefined && options[name] !== false);
  if (given === undefined) return;
  const flag = `--${given.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new CommandError(`${flag} is for the agent, and not for a cloud; leave out ${flag} or --cloud.`, {
    exitCode: EXIT.usage,
    code: 'bad_request',
  });
}

/** Options that send something of the caller's own. */
export const SENDING: readonly string[] = ['persona', 'header', 'cookie', 'cookies', 'basic', 'proxy', 'method', 'data'];
