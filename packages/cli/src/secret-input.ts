// Values that must not be seen: typed at a terminal without echo, or read from standard input. Never an argument, which other programs can read.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandError, EXIT } from './exit.ts';

/** Asks for values by their names; an empty answer at a terminal is none. */
export interface SecretInput {
  /** True where a person types. */
  readonly isTerminal: boolean;
  /** One value; what stands on standard input is the whole of it, but for one line break at its end. Throws CommandError for none. */
  value(name: string): Promise<string>;
  /** Several, one a line of standard input in this order; the empty ones are left out. Throws CommandError where lines are missing. */
  values<Name extends string>(names: readonly Name[]): Promise<Readonly<Partial<Record<Name, string>>>>;
  /** A new one, typed twice at a terminal. Throws CommandError where the two differ. */
  fresh(name: string): Promise<string>;
}

/** Reads from this process's standard input; `say` is where questions are written. */
export function secretInput(say: (text: string) => void, signal: AbortSignal): SecretInput {
  const isTerminal = process.stdin.isTTY === true;
  const ask = (name: string) => askWithoutEcho(name, say, signal);
  const readAll = async () => (await text(process.stdin)).replace(/\r?\n$/, '');
  const value = async (name: string) => {
    const given = isTerminal ? await ask(name) : await readAll();
    if (given === '') throw missing(`There is no ${name}: type it, or give it on standard input.`);
    return given;
  };
  return {
    isTerminal,
    value,
    async values(names) {
      const given = isTerminal ? await inOrder(names, ask) : linesOf(await readAll(), names);
      return Object.fromEntries(names.flatMap((name, i) => (given[i] ? [[name, given[i]]] : []))) as Partial<
        Record<(typeof names)[number], string>
      >;
    },
    async fresh(name) {
      const first = await value(name);
      if (isTerminal && (await ask(`the same ${name} again`)) !== first) throw missing(`The two differ; the ${name} was not set.`);
      return first;
    },
  };
}

async function inOrder(names: readonly string[], ask: (name: string) => Promise<string>): Promise<readonly string[]> {
  const given: string[] = [];
  for (const name of names) given.push(await ask(name));
  return given;
}

function linesOf(given: string, names: readonly string[]): readonly string[] {
  const lines = given.split(/\r?\n/);
  if (names.length > 0 && lines.length !== names.length)
    throw missing(`Standard input must hold ${names.length} lines (${names.join(', ')}); it has ${lines.length}.`);
  return lines;
}

/** The line is edited as usual and goes nowhere. */
async function askWithoutEcho(name: string, say: (text: string) => void, signal: AbortSignal): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // Only now does the terminal itself show nothing either.
  say(`weft: ${name} (it is not shown):`);
  // A terminal in this mode sends Ctrl-C as a character.
  const ended = new AbortController();
  lines.once('SIGINT', () => ended.abort(new DOMException('Interrupted.', 'AbortError')));
  lines.once('close', () => ended.abort(new DOMException('Interrupted.', 'AbortError')));
  try {
    return await lines.question('', { signal: AbortSignal.any([signal, ended.signal]) });
  } finally {
    lines.close();
  }
}

function missing(message: string): CommandError {
  return new CommandError(message, { exitCode: EXIT.usage, code: 'bad_request' });
}
