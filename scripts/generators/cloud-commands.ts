// Writes the commands of the cloud's targets, builds and management from its operation table: a new row is a new command, listed nowhere.
import { ACCOUNT_TABLE, ABOUT_CLOUD_GROUPS, CLOUD_TABLE } from '@weft/contract';
import type { Operation, OperationTable } from '@weft/contract';
import { z } from 'zod';

/** Groups whose commands have a shorter name. */
const NAMES: Readonly<Record<string, string>> = { accountKeys: 'keys', cloudBuilds: 'builds', publishedRuns: 'runs' };
const VERBS: Readonly<Record<string, string>> = { read: 'get' };

interface Member {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: Member;
  readonly description?: string;
  readonly wire?: Member;
  readonly anyOf?: readonly Member[];
  readonly $ref?: string;
}

interface Named extends Member {
  readonly properties?: Readonly<Record<string, Member>>;
  readonly required?: readonly string[];
  readonly $defs?: Readonly<Record<string, Member>>;
}

/** TypeScript text of `packages/cli/src/generated/cloud-commands.ts`. */
export function cloudCommands(): string {
  // Pages, sites and functions have commands of their own.
  const { targets, cloudBuilds } = CLOUD_TABLE;
  const table: OperationTable = { targets, cloudBuilds, ...ACCOUNT_TABLE };
  const groups = Object.entries(table).map(([group, operations]) => ({
    name: NAMES[group] ?? kebab(group),
    summary: sentence(ABOUT_CLOUD_GROUPS[group] ?? group),
    commands: Object.entries(operations).map(([verb, operation]) => ({ name: VERBS[verb] ?? kebab(verb), ...commandOf(operation) })),
  }));
  return [
    '// Generated from the operation table by `npm run generate`. Do not edit.',
    "import type { CloudCommandGroup } from '../commands/cloud/command.ts';",
    '',
    'export const CLOUD_COMMANDS: readonly CloudCommandGroup[] = [',
    ...groups.map((group) => `  ${JSON.stringify(group)},`),
    '];',
    '',
  ].join('\n');
}

function commandOf(operation: Operation) {
  const { id, summary, path, query, body } = operation;
  // `--body` is the whole of it; a member of that name is given in there.
  const sent = body ? membersOf(body).filter(({ name }) => name !== 'body') : [];
  return {
    id,
    summary,
    args: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    members: [...(query ? membersOf(query) : []), ...sent],
    ...(body ? { takesBody: true } : {}),
  };
}

/** What an object's schema has for options; a schema of alternatives has none. */
function membersOf(schema: z.ZodType) {
  const document = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Named;
  // What has a name in documents stands under it.
  const resolve = (one: Member): Member =>
    one.$ref === undefined ? one : resolve(document.$defs?.[one.$ref.replace('#/$defs/', '')] ?? {});
  const { properties = {}, required = [] } = resolve(document) as Named;
  return Object.entries(properties).map(([name, given]) => {
    const whole = { ...resolve(given), ...given };
    const [only, ...others] = whole.anyOf?.filter(({ type }) => type !== 'null') ?? [];
    const isNullable = only !== undefined && others.length === 0;
    const member = isNullable ? { ...resolve(only), ...only, ...whole } : whole;
    return {
      name,
      kind: kindOf(member),
      summary: `${sentence(member.description ?? name.replaceAll('_', ' '))}${required.includes(name) ? ' (required)' : ''}`,
      ...(choicesOf(member) ? { choices: choicesOf(member) } : {}),
      ...(isNullable ? { isNullable } : {}),
    };
  });
}

function kindOf(member: Member): 'text' | 'number' | 'list' | 'json' | 'boolean' {
  const { type, items } = member.wire ?? member;
  if (type === 'string') return 'text';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean') return 'boolean';
  return type === 'array' && items?.type === 'string' ? 'list' : 'json';
}

function choicesOf(member: Member): readonly string[] | undefined {
  return member.enum?.every((value): value is string => typeof value === 'string') ? member.enum : undefined;
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** A sentence as the summary of a command: without its capital and its stop. */
function sentence(text: string): string {
  const [first = '', second = ''] = text;
  const isWord = first !== first.toLowerCase() && second === second.toLowerCase();
  return `${isWord ? first.toLowerCase() : first}${text.slice(1)}`.replace(/\.$/, '');
}
