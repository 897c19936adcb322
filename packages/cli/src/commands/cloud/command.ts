// Commands that are made from a row of the cloud's operation table: what they take, and how their output is shown.
import type { CloudClient, CloudMethods } from '@weft/client/node';
import { cellsFor, lineText, wholeText } from '../../cell.ts';
import type { Environment } from '../../environment.ts';
import { CommandError, EXIT } from '../../exit.ts';
import { readJsonFile } from '../../json-file.ts';
import type { CommandRun, CommandSpec } from '../../spec.ts';
import { pairs, table } from '../../table.ts';
import type { OptionSpec } from '../../words.ts';

/** A member of a query or a body, as an option. */
interface CloudMember {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'list' | 'json' | 'boolean';
  readonly summary: string;
  readonly choices?: readonly string[];
  /** `null` takes it away. */
  readonly isNullable?: true;
}

/** One row of the table. */
interface CloudCommand {
  readonly name: string;
  readonly id: string;
  readonly summary: string;
  readonly args: readonly string[];
  readonly members: readonly CloudMember[];
  readonly takesBody?: true;
}

/** The rows of one group. */
export interface CloudCommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly CloudCommand[];
}

type Options = Parameters<CommandRun>[2];
type Members = Readonly<Record<string, unknown>>;

const BODY: OptionSpec = { flags: '--body <file>', summary: 'the whole body as JSON, - for standard input; options beside it win' };
const HOW: Readonly<Record<CloudMember['kind'], string>> = {
  text: '<text>',
  number: '<number>',
  list: '<list>',
  json: '<json>',
  boolean: '<boolean>',
};
const WORDS = { list: ', comma-separated', json: ', as JSON or @file', text: '', number: '', boolean: '' } as const;
const BOOLEANS = ['true', 'false'];
const COLUMNS_MAX = 8;

/** A group of rows as commands. */
export function commandsOf({ name, summary, commands }: CloudCommandGroup): CommandSpec {
  return { name, summary, commands: commands.map(commandOf) };
}

function commandOf(command: CloudCommand): CommandSpec {
  const { name, summary, args, members, takesBody } = command;
  return {
    name,
    summary,
    args: args.map((arg) => `<${arg}>`),
    options: [...members.map(optionOf), ...(takesBody ? [BODY] : [])],
    load: async () => ({ run: (context, given, options) => runCommand(context, command, given, options) }),
  };
}

function optionOf({ name, kind, summary, choices, isNullable }: CloudMember): OptionSpec {
  const named = kind === 'boolean' ? BOOLEANS : choices;
  const allowed = named && isNullable ? [...named, 'null'] : named;
  return {
    flags: `--${name.replaceAll('_', '-')} ${HOW[kind]}`,
    summary: `${summary}${WORDS[kind]}`,
    ...(allowed ? { choices: allowed } : {}),
  };
}

async function runCommand(
  context: Parameters<CommandRun>[0],
  command: CloudCommand,
  given: readonly string[],
  options: Options,
): Promise<void> {
  const input = await inputOf(command, given, options);
  const client = await context.cloud();
  const value = await methodOf(client, command.id)(input, { signal: context.signal });
  if (isMembers(value) && typeof value['token'] === 'string') {
    context.say(`weft: ${String(value['id'])} was minted; its token is shown only now.`);
    return context.show(value, value['token']);
  }
  context.show(value ?? { done: true, ...input }, textOf(value, command, context.environment));
}

/** The method of a row; the rows are those of the client's own table. */
function methodOf(client: CloudMethods, id: string) {
  const [group = '', verb = ''] = id.split('.');
  // A test calls the command of each row.
  const groups = client as unknown as Readonly<Record<string, Readonly<Record<string, CloudMethod>>>>;
  const method = groups[group]?.[verb];
  if (!method) throw new Error(`The client has no ${id}.`);
  return method;
}

type CloudMethod = (input: Members, options: Parameters<CloudClient['account']['read']>[1]) => Promise<unknown>;

async function inputOf({ args, members }: CloudCommand, given: readonly string[], options: Options): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = typeof options['body'] === 'string' ? await readJsonFile(options['body']) : {};
  for (const member of members) {
    const text = options[camel(member.name)];
    if (typeof text === 'string') input[member.name] = await valueOf(member, text);
  }
  args.forEach((name, place) => (input[name] = given[place]));
  return input;
}

async function valueOf({ name, kind, isNullable }: CloudMember, text: string): Promise<unknown> {
  if (isNullable && text === 'null') return null;
  if (kind === 'text') return text;
  if (kind === 'boolean') return text === 'true';
  if (kind === 'list') return text.split(',').map((part) => part.trim());
  if (kind === 'number') {
    if (/^-?\d{1,15}$/.test(text)) return Number(text);
    throw refuse(`--${name.replaceAll('_', '-')} is "${text}"; it must be a whole number.`);
  }
  if (text.startsWith('@')) return await readJsonFile(text.slice(1));
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw refuse(`--${name.replaceAll('_', '-')} is no JSON; write it, or name a file that holds it: @file.json.`);
  }
}

function refuse(message: string): CommandError {
  return new CommandError(message, { exitCode: EXIT.usage, code: 'bad_request' });
}

function textOf(value: unknown, { summary }: CloudCommand, environment: Environment): string {
  if (value === undefined) return `Done: ${summary}.`;
  const list = isMembers(value) && Array.isArray(value['data']) ? value['data'] : value;
  if (Array.isArray(list)) return tableOf(list.filter(isMembers), cellsFor(environment));
  return isMembers(value)
    ? pairs(Object.entries(value).map(([name, inner]) => [name, environment.isTerminal ? lineText(inner, 500) : wholeText(inner)]))
    : String(value);
}

/** Columns are what entries have that is no list or object, the first eight. */
function tableOf(rows: readonly Members[], cell: (value: unknown) => string): string {
  const names = new Set(rows.flatMap((row) => Object.keys(row).filter((name) => typeof row[name] !== 'object')));
  const columns = [...names].slice(0, COLUMNS_MAX);
  if (columns.length === 0) return 'Nothing.';
  return table(
    columns.map((name) => name.replaceAll('_', ' ').toUpperCase()),
    rows.map((row) => columns.map((name) => cell(row[name]))),
  );
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function camel(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
