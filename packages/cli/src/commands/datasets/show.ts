// weft dataset show <id> [record]
import type { DatasetDetail } from '@weft/contract';
import { orTry } from '../../or-try.ts';
import { showRecord } from './record.ts';
import { parseRowId } from '../../row-id.ts';
import { pairs, table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, [id = '', record]) => {
  const client = await context.client();
  if (record !== undefined)
    return await showRecord(context, client, parseRowId(id, 'dataset'), parseRowId(record, 'record', 'weft dataset --help'));
  // Without `format` the answer is JSON.
  const read = client.datasets.read({ id: parseRowId(id, 'dataset') }, { signal: context.signal });
  const dataset = (await orTry('weft dataset list', read)) as DatasetDetail;
  const { schema, source, ...facts } = dataset;
  const fields = table(
    ['FIELD', 'TYPES', 'NULL', 'EXAMPLE'],
    schema.fields.map((field) => [field.name, field.types.join(', '), shareOf(field.null_share), exampleOf(field.examples[0])]),
  );
  const shown = pairs(Object.entries({ ...facts, source: `${source.kind} ${source.id ?? ''}`.trim() }));
  context.show(
    dataset,
    `${shown}\n\nFields of ${schema.sampled === 1 ? 'one record' : `the newest ${schema.sampled} records`}:\n${fields}`,
  );
};

/** A share that is there is never none. */
function shareOf(share: number): string {
  return share > 0 && share < 0.01 ? '<1 %' : `${Math.floor(100 * share)} %`;
}

function exampleOf(value: unknown): string {
  return value === undefined ? '' : String(value).replaceAll(/\s+/g, ' ').slice(0, 60);
}
