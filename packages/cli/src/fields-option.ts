// Names of fields as options of the command line.
import { CommandError, EXIT } from './exit.ts';
import type { OptionSpec } from './words.ts';

export const FIELDS: OptionSpec = { flags: '--fields <names>', summary: 'only these columns, comma-separated, in this order' };

/** The names that `--<name>` gives, each once; undefined where it was not given. Throws CommandError for an empty one. */
export function fieldsOf(options: Readonly<Record<string, string | boolean | undefined>>, name: string): readonly string[] | undefined {
  const text = options[name];
  if (typeof text !== 'string') return undefined;
  const names = [...new Set(text.split(',').map((one) => one.trim()))];
  if (names.every((one) => one !== '')) return names;
  throw new CommandError(`--${name} is "${text}"; it must be names of fields with commas between them.`, {
    exitCode: EXIT.usage,
    code: 'bad_request',
  });
}
