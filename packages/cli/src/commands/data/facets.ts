// weft data facets <workflow>
import { cellsFor } from '../../cell.ts';
import { wholeNumber } from '../../number-option.ts';
import { orTry } from '../../or-try.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';
import { chosenRows, workflowId } from './selection.ts';

const TOP_MAX = 100;

export const run: CommandRun = async (context, [ref = ''], options) => {
  const top = wholeNumber(options, 'top', 0, TOP_MAX);
  const client = await context.client();
  const query = { id: await workflowId(client, context, ref), ...chosenRows(options), ...(top === undefined ? {} : { top }) };
  const facets = await orTry('weft data list', client.data.facets(query, { signal: context.signal }));
  const cell = cellsFor(context.environment);
  const rows = facets.columns.map((column) => [
    cell(column.name),
    column.types.join(', '),
    String(column.filled),
    `${column.distinct}${column.distinct_is_capped ? '+' : ''}`,
    cell(column.min),
    cell(column.max),
    column.top.map(({ value, count }) => `${cell(value)} (${count})`).join(', '),
  ]);
  const left = facets.has_more_columns ? '; there are more columns' : '';
  context.show(
    facets,
    `${table(['COLUMN', 'TYPES', 'FILLED', 'DISTINCT', 'MIN', 'MAX', 'MOST FREQUENT'], rows)}\n\n${facets.rows} rows${left}`,
  );
};
