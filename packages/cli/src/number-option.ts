// Whole numbers as options of the command line.
import { CommandError, EXIT } from './exit.ts';

/** The value of `--name`, a whole number from `min` to `max`; undefined where the option was not given. Throws CommandError for anything else. */
export function wholeNumber(
  options: Readonly<Record<string, string | boolean | undefined>>,
  name: string,
  min: number,
  max: number,
): number | undefined {
  const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const text = options[name];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (typeof text === 'string' && /^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new CommandError(`--${flag} is "${String(text)}"; it must be a whole number from ${min} to ${max}.`, {
    exitCode: EXIT.usage,
    code: 'bad_request',
  });
}
