// What a command sends of its own with its requests. Values come from the environment, from files or from a prompt: arguments can be read by every program of the machine.
import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import type { Send } from '@weft/contract';
import type { CommandContext } from './context.ts';
import { readCookieFile } from './cookie-file.ts';
import { CommandError, EXIT } from './exit.ts';
import { namesOf } from './names.ts';
import { secretInput } from './secret-input.ts';
import type { CommandRun } from './spec.ts';
import type { OptionSpec } from './words.ts';

type Options = Parameters<CommandRun>[2];
type Method = NonNullable<Send['method']>;

const METHODS = namesOf<Method>({ GET: true, POST: true, PUT: true, PATCH: true, DELETE: true });
/** Headers whose values may stand in a command line: they tell nothing of who asks. */
const OPEN = new Set(['accept', 'accept-language', 'cache-control', 'content-type', 'dnt', 'pragma', 'referer', 'x-requested-with']);
const SOURCES = 'env:VARIABLE, file:PATH or ask';

export const PROXY: OptionSpec = { flags: '--proxy <name>', summary: 'by this one of the proxies that config.json names' };

/** Of commands that ask for pages of one site. */
export const SEND: readonly OptionSpec[] = [
  {
    flags: '-H, --header <header>',
    summary: `send it to the host of the address: 'Name: ${SOURCES}', or a plain value for Accept and its like; repeatable`,
    repeats: true,
  },
  { flags: '--cookie <cookie>', summary: `send it to the host of the address: name=${SOURCES}; repeatable`, repeats: true },
  { flags: '--cookies <file>', summary: "send those of a cookie file: Netscape's, as curl and wget write it, or a storage state" },
  { flags: '--basic <user>', summary: `log in by HTTP basic; its password is asked for, or user:${SOURCES.replace(' or ask', '')}` },
  PROXY,
];

/** Of commands that ask for one page, beside them. */
export const SEND_BODY: readonly OptionSpec[] = [
  { flags: '-X, --method <method>', summary: 'ask with this method; POST with --data', choices: METHODS },
  { flags: '--data <body>', summary: 'send this body; @file reads it from there, @- from standard input' },
];

/** What the options ask to be sent; nothing where they say nothing. Throws CommandError, which quotes no value. */
export async function sendOf(context: CommandContext, options: Options): Promise<{ readonly send?: Send; readonly proxy?: string }> {
  const headers: Record<string, string> = {};
  for (const line of linesOf(options['header'])) {
    const [name, value] = await headerOf(context, line);
    headers[name] = value;
  }
  if (typeof options['basic'] === 'string') headers['authorization'] = await basicOf(context, options['basic']);
  const cookies = [...(await jarOf(options)), ...(await Array.fromAsync(linesOf(options['cookie']), (pair) => cookieOf(context, pair)))];
  const body = await bodyOf(options);
  const send: Send = {
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(cookies.length > 0 ? { cookies } : {}),
    // One of the choices.
    ...(typeof options['method'] === 'string' ? { method: options['method'] as Method } : {}),
    ...(body === undefined ? {} : { body }),
  };
  const { proxy } = options;
  return { ...(Object.keys(send).length > 0 ? { send } : {}), ...(typeof proxy === 'string' ? { proxy } : {}) };
}

async function headerOf(context: CommandContext, line: string): Promise<readonly [name: string, value: string]> {
  const [, name = '', given = ''] = /^([^:\s]+):\s*(.*)$/s.exec(line) ?? [];
  if (name === '') throw refuse(`A --header is "Name: value"; write 'Name: ${SOURCES}'.`);
  const value = await valueFrom(context, given, `header ${name}`);
  if (value !== undefined) return [name.toLowerCase(), value];
  if (OPEN.has(name.toLowerCase())) return [name.toLowerCase(), given];
  throw refuse(`The value of ${name} would stand in the list of processes, which others can read; write '${name}: ${SOURCES}'.`);
}

async function cookieOf(context: CommandContext, pair: string): Promise<{ readonly name: string; readonly value: string }> {
  const at = pair.indexOf('=');
  const name = at < 0 ? pair : pair.slice(0, at);
  const value = await valueFrom(context, at < 0 ? 'ask' : pair.slice(at + 1), `cookie ${name}`);
  if (name !== '' && value !== undefined) return { name, value };
  throw refuse(
    `The value of a cookie would stand in the list of processes, which others can read; write --cookie ${name || 'name'}=env:VARIABLE, =file:PATH or =ask.`,
  );
}

/** User and password as RFC 7617 has them, in UTF-8. */
async function basicOf(context: CommandContext, given: string): Promise<string> {
  const [, user = given, source = 'ask'] = /^(.*?):(env:.*|file:.*|ask)$/s.exec(given) ?? [];
  if (user.includes(':'))
    throw refuse(
      'A password would stand in the list of processes, which others can read; write --basic user:env:VARIABLE or user:file:PATH, or the user alone.',
    );
  const password = await valueFrom(context, source, `password of ${user}`);
  return `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}`;
}

/** The value that a source names; undefined where `given` is none. Throws CommandError for one that holds nothing. */
/** What `env:VARIABLE`, `file:PATH` or `ask` gives; undefined for a text that is none of them. Throws CommandError where nothing is there. */
export async function valueFrom(context: CommandContext, given: string, what: string): Promise<string | undefined> {
  if (given === 'ask') return await secretInput((text) => context.say(text), context.signal).value(what);
  const [, kind, name = ''] = /^(env|file):(.+)$/s.exec(given) ?? [];
  if (kind === 'file') return (await readText(name)).replace(/\r?\n$/, '');
  if (kind !== 'env') return undefined;
  const value = context.environment.variables[name];
  if (value !== undefined && value !== '') return value;
  throw refuse(`The ${what} is to come from the variable ${name}, which is not set.`);
}

async function jarOf({ cookies }: Options): Promise<NonNullable<Send['cookies']>> {
  return typeof cookies === 'string' ? [...readCookieFile(await readText(cookies), cookies, Date.now())] : [];
}

async function bodyOf({ data }: Options): Promise<string | undefined> {
  if (typeof data !== 'string' || !data.startsWith('@')) return typeof data === 'string' ? data : undefined;
  return data === '@-' ? await readAll(process.stdin) : await readText(data.slice(1));
}

async function readText(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'there is no such file' : error.message;
    throw refuse(`${file} can't be read: ${why}.`);
  });
}

function linesOf(given: Options[string]): readonly string[] {
  return typeof given === 'string' ? given.split('\n') : [];
}

function refuse(message: string): CommandError {
  return new CommandError(message, { exitCode: EXIT.usage, code: 'bad_request' });
}
