// Which workflow and which of its rows a command means, as they are typed.
import type { DataFilter } from '@weft/contract';
import type { AgentClient } from '@weft/client/node';
import type { CommandContext } from '../../context.ts';
import { CommandError, EXIT } from '../../exit.ts';
import { parseRowId } from '../../row-id.ts';

/** The id of the workflow that `ref`, an id or a slug, names. Throws CommandError where there is none. */
export async function workflowId(client: AgentClient, { signal }: CommandContext, ref: string): Promise<number> {
  if (/^[1-9]\d{0,14}$/.test(ref)) return Number(ref);
  const { data } = await client.workflows.list({ q: ref.slice(0, 200), limit: 500 }, { signal });
  const found = data.find(({ slug }) => slug === ref);
  if (found) return found.id;
  throw new CommandError(`There is no workflow "${ref}".`, { exitCode: EXIT.notFound, code: 'not_found', next: ['weft data list'] });
}

type Options = Readonly<Record<string, string | boolean | undefined>>;

export interface Chosen {
  readonly run_id?: number;
  readonly snapshot?: 'all';
  readonly filter?: string;
  readonly q?: string;
}

/** What `--run`, `--all`, `--where` and `--search` choose. Throws CommandError for what can't be understood. */
export function chosenRows({ run, all, where, search }: Options): Chosen {
  if (typeof run === 'string' && all === true) throw usage('Give either --run or --all: a run is a part of all that was kept.');
  return {
    ...(typeof run === 'string' ? { run_id: parseRowId(run, 'run') } : {}),
    ...(all === true ? { snapshot: 'all' } : {}),
    ...(typeof where === 'string' ? { filter: JSON.stringify(where.split('\n').map(parseWhere)) } : {}),
    ...(typeof search === 'string' ? { q: search } : {}),
  };
}

const SIGNS = { '=': 'eq', '!=': 'ne', '~': 'contains', '>': 'gt', '<': 'lt' } as const;
const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** `price>10`, `title=Quoll`, `title~quo`, `note` (is there), `!note` (is not), or JSON of a filter for other names. */
export function parseWhere(text: string): DataFilter {
  // The agent says what is wrong with it.
  if (text.startsWith('{')) return parseJson(text) as DataFilter;
  const [, column = '', sign, value = ''] = /^([^=!~<>]+?)\s*(!=|=|~|>|<)\s*(.*)$/s.exec(text) ?? [];
  if (sign === undefined)
    return text.startsWith('!') ? { column: text.slice(1), op: 'exists', value: false } : { column: text, op: 'exists' };
  const op = SIGNS[sign as keyof typeof SIGNS];
  return op === 'gt' || op === 'lt' ? { column, op, value: NUMBER.test(value) ? Number(value) : value } : { column, op, value };
}

/** The columns that `--where` and `--sort` name. */
export function columnsAsked({ where, sort }: Options): readonly string[] {
  const filters = typeof where === 'string' ? where.split('\n').map(parseWhere) : [];
  const named = filters.flatMap((filter) => ('column' in filter ? [filter.column] : []));
  return [...new Set([...named, ...(typeof sort === 'string' ? [sort] : [])])];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usage(`"${text}" begins like JSON and is none; write {"column": "a=b", "op": "eq", "value": "c"}.`);
  }
}

export function usage(message: string): CommandError {
  return new CommandError(message, { exitCode: EXIT.usage, code: 'bad_request', next: ['weft data --help'] });
}
