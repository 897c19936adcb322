// Numbers that name rows, as they are typed.
import { CommandError, EXIT } from './exit.ts';

/** The number that `text` is. Throws CommandError that names `what` it should be, and `next`, a command that lists them. */
export function parseRowId(text: string, what: string, next = `weft ${what} list`): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new CommandError(`"${text}" is not the number of a ${what}.`, {
    exitCode: EXIT.usage,
    code: 'bad_request',
    next: [next],
  });
}
