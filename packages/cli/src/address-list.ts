// The addresses that a command is about: as arguments, in a file, on standard input.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { toUrl } from './address.ts';
import type { CommandContext } from './context.ts';
import { CommandError, EXIT } from './exit.ts';
import { fileFault } from './file-fault.ts';
import { similarWord } from './similar.ts';
import type { OptionSpec } from './words.ts';

export const INPUT: OptionSpec = {
  flags: '-i, --input <file>',
  summary: 'also the addresses in this file, one a line; - is standard input',
};

/** A single word that is typed where an address stands: a host of a local network, or a slip. */
const WORD = /^(?!localhost$)[a-z][a-z0-9-]*$/i;

/** An id, which follows the name of a command. */
const NUMBER = /^\d+$/;

/** Throws CommandError for an address that is nearly the name of a command or an option: of those of `command`, else of all; and for an id. */
export function refuseSlip({ commands }: CommandContext, command: string, typed: string): void {
  const own = commands.find(({ name }) => name === command)?.commands ?? [];
  if (NUMBER.test(typed)) {
    const next = own.some(({ name }) => name === 'show') ? `weft ${command} show ${typed}` : `weft ${command} --help`;
    throw new CommandError(`"${typed}" is no address. A host of that number is http://${typed}/.`, {
      exitCode: EXIT.usage,
      code: 'bad_request',
      next: [next],
    });
  }
  if (!WORD.test(typed)) return;
  if (typed === 'help')
    throw new CommandError('"help" is no address.', { exitCode: EXIT.usage, code: 'bad_request', next: [`weft ${command} --help`] });
  const below = similarWord(
    typed.toLowerCase(),
    own.map(({ name }) => name),
  );
  const top = similarWord(
    typed.toLowerCase(),
    commands.map(({ name }) => name),
  );
  const holder = own.find(({ options = [] }) => options.some(({ flags }) => flags.split(/[ ,]+/).includes(`--${typed}`)));
  const named = holder?.name ?? below;
  const meant = named === undefined ? top && `weft ${top}` : `weft ${command} ${named}`;
  if (meant === undefined) return;
  const option = holder ? ` --${typed}` : '';
  throw new CommandError(
    `"${typed}" is no address and no command; did you mean ${meant}${option}? A host of that name is http://${typed}/.`,
    {
      exitCode: EXIT.usage,
      code: 'bad_request',
      next: [`${meant} --help`],
    },
  );
}

/** The addresses of `args` and of `--input`, in order, each once; `-` stands for standard input. Throws CommandError where there is none. */
export async function addressesOf(
  context: CommandContext,
  command: string,
  args: readonly string[],
  input: string | boolean | undefined,
): Promise<readonly string[]> {
  for (const typed of args) refuseSlip(context, command, typed);
  const given = [...args, ...(typeof input === 'string' ? [{ file: input }] : [])].map((one) => (one === '-' ? { file: '-' } : one));
  const lists = await Promise.all(given.map((one) => (typeof one === 'string' ? [one] : linesOf(one.file))));
  const found = [...new Set(lists.flat().map(toUrl))];
  if (found.length > 0) return found;
  throw new CommandError('Name an address, or a file of addresses with --input.', {
    exitCode: EXIT.usage,
    code: 'bad_request',
    next: [`weft ${command} --help`],
  });
}

/** Lines that say something; one that begins with # is a remark. */
async function linesOf(file: string): Promise<readonly string[]> {
  const content = await (file === '-' ? text(process.stdin) : readFile(file, 'utf8')).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} can't be read: ${fileFault(error)}.`, { exitCode: EXIT.usage, code: 'bad_request' });
  });
  return content
    .replace(/^\ufeff/, '')
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}
