// Words that name no command: what was meant, as far as commander does not see it.
import { CommandError, EXIT } from './exit.ts';
import { similarWord } from './similar.ts';
import type { CommandSpec } from './spec.ts';

/** More commands than these are no hint. */
const MEANT_MAX = 5;

/** Throws CommandError where `word` names no command of the first floor but one below it, as `start` does, or an option, as `version` does. */
export function refuseUnknown(commands: readonly CommandSpec[], word: string | undefined): void {
  if (word === undefined || word === 'help' || word.startsWith('-') || commands.some(({ name }) => name === word)) return;
  const below = commands.flatMap(({ name, commands: children = [] }) => (children.some((child) => child.name === word) ? [name] : []));
  const meant = word === 'version' ? ['weft --version'] : below.map((name) => `weft ${name} ${word}`);
  if (meant.length === 0) return;
  const others = meant.length > MEANT_MAX ? `, or one of ${meant.length - MEANT_MAX} more` : '';
  const next = word === 'version' ? ['weft --help'] : meant.map((command) => `${command} --help`);
  throw unknown(`There is no command "${word}"; did you mean ${meant.slice(0, MEANT_MAX).join(', ')}${others}?`, next);
}

/** Throws CommandError where `word` stands behind the command `path` and names none of its own. */
export function refuseChild(children: readonly CommandSpec[], path: string, word: string | undefined): void {
  if (word === undefined) return;
  const names = children.map(({ name }) => name);
  const near = similarWord(word, names);
  const meant = near === undefined ? `below it there is ${names.join(', ')}` : `did you mean ${path} ${near}?`;
  throw unknown(`${path} has no command "${word}"; ${meant}`, [`${path} --help`]);
}

function unknown(message: string, next: readonly string[]): CommandError {
  return new CommandError(message, { exitCode: EXIT.usage, code: 'bad_request', next });
}
