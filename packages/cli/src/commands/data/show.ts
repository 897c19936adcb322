// weft data show <workflow>: a page of its table.
import { cellsFor } from '../../cell.ts';
import { wholeNumber } from '../../number-option.ts';
import { orTry } from '../../or-try.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';
import { chosenRows, columnsAsked, workflowId } from './selection.ts';

const LIMIT_MAX = 500;
/** More would not fit beside each other. */
const COLUMNS_SHOWN = 8;

export const run: CommandRun = async (context, [ref = ''], options) => {
  const limit = wholeNumber(options, 'limit', 1, LIMIT_MAX);
  const { sort, cursor } = options;
  const query = {
    ...chosenRows(options),
    ...(typeof sort === 'string' ? { sort } : {}),
    ...(options['desc'] === true ? { order: 'desc' as const } : {}),
    ...(limit === undefined ? {} : { limit }),
    ...(typeof cursor === 'string' ? { cursor } : {}),
  };
  const client = await context.client();
  const id = await workflowId(client, context, ref);
  const page = await orTry('weft data list', client.data.table({ id, ...query }, { signal: context.signal }));
  const names = page.columns.slice(0, COLUMNS_SHOWN).map(({ name }) => name);
  const cell = cellsFor(context.environment);
  const rows = page.data.map(({ data }) => names.map((name) => cell(Object.hasOwn(data, name) ? data[name] : undefined)));
  const more = page.columns.length - names.length;
  const notes = [
    page.total === undefined ? `${page.count} rows` : `${page.count} of ${page.total} rows`,
    ...(more > 0 ? [`${more} more columns: --json shows them`] : []),
    ...(page.next_cursor === undefined ? [] : [`go on with --cursor ${page.next_cursor}`]),
  ];
  const known = page.columns.map(({ name }) => name);
  // A column that no row has is most likely a slip.
  const unknown = columnsAsked(options).filter((name) => !known.includes(name));
  if (unknown.length > 0 && known.length > 0) context.say(`weft: no row has ${unknown.join(', ')}; the columns are ${known.join(', ')}`);
  context.show(page, `${table(names.map(cell), rows)}\n\n${notes.join('; ')}`);
};
