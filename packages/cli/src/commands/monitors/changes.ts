// weft monitor changes [monitor]: what was told, newest first.
import type { Change, ChangeKind } from '@weft/contract';
import type { AgentClient } from '@weft/client/node';
import { lineText } from '../../cell.ts';
import { csv } from '../../csv.ts';
import { instantOption } from '../../duration.ts';
import { listPage } from '../../list-page.ts';
import type { ListPage } from '../../list-page.ts';
import type { CommandRun } from '../../spec.ts';
import { table } from '../../table.ts';
import { minuteText } from '../../instant-text.ts';
import { findMonitor } from './refs.ts';
import { usage } from './words.ts';

const NEXT = 'weft monitor changes --help';
const LIMIT = 50;
const NAME_MAX = 22;
const SUMMARY_MAX = 400;

/** Columns of a file, in this order. */
const COLUMNS = [
  'id',
  'created_at',
  'monitor_id',
  'monitor_name',
  'kind',
  'name',
  'old',
  'new',
  'percent',
  'summary',
  'url',
  'run_id',
] as const;

export const run: CommandRun = async (context, [ref], options) => {
  const { kind, tag, format } = options;
  if (ref !== undefined && tag !== undefined) throw usage('Give a monitor or a --tag.', NEXT);
  if (context.isJson && format === 'csv') throw usage('--json and --format csv exclude each other.', NEXT);
  const page = listPage(context, options, LIMIT);
  const query = {
    ...page.query,
    ...instantOption(options, 'since'),
    // One of the choices.
    ...(typeof kind === 'string' ? { kind: kind as ChangeKind } : {}),
  };
  const client = await context.client();
  const changes = await (ref === undefined
    ? client.monitors.recentChanges({ ...query, ...(typeof tag === 'string' ? { tag } : {}) }, page.call)
    : changesOf(client, ref, query, page.call));
  if (format === 'csv') {
    const rows = changes.map((change) => COLUMNS.map((name) => change[name]));
    context.print(csv(COLUMNS, rows));
  } else context.print(context.isJson || format === 'json' ? JSON.stringify(changes, null, 2) : changesTable(changes));
  page.tell(changes.length);
};

async function changesOf(
  client: AgentClient,
  ref: string,
  query: ListPage['query'] & { readonly since?: string; readonly kind?: ChangeKind },
  call: ListPage['call'],
): Promise<readonly Change[]> {
  const { id } = await findMonitor(client, ref, call.signal);
  return (await client.monitors.changes({ id, ...query }, call)).data;
}

function changesTable(changes: readonly Change[]): string {
  const rows = changes.map(({ created_at: at, monitor_name: name, kind, summary }) => [
    minuteText(at),
    lineText(name, NAME_MAX),
    kind,
    lineText(summary, SUMMARY_MAX),
  ]);
  return table(['AT (UTC)', 'MONITOR', 'KIND', 'WHAT'], rows);
}
