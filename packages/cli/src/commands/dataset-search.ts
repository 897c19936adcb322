// weft dataset search <words>: in all datasets, or in one.
import type { SearchHit } from '@weft/contract';
import { CommandError, EXIT } from '../exit.ts';
import { parseRowId } from '../row-id.ts';
import type { CommandRun } from '../tree.ts';

export const run: CommandRun = async (context, [q = ''], options) => {
  const client = await context.client();
  const query = { q, limit: parseLimit(options['limit']) };
  const call = { signal: context.signal };
  const { dataset } = options;
  // Without `format` the answer is JSON.
  const found = (
    typeof dataset === 'string'
      ? await client.datasets.search({ id: parseRowId(dataset, 'dataset'), ...query }, call)
      : await client.datasets.searchAll(query, call)
  ) as { readonly data: readonly SearchHit[] };
  context.show(found, found.data.length > 0 ? found.data.map(hitText).join('\n\n') : `Nothing holds ${q}.`);
};

function parseLimit(text: string | boolean | undefined): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 500) return limit;
  throw new CommandError(`--limit is "${String(text)}"; it must be a whole number from 1 to 500.`, {
    exitCode: EXIT.usage,
    code: 'bad_request',
  });
}

function hitText({ title, url, key, dataset, snippet }: SearchHit): string {
  return [title ?? key, `  ${url ?? key} (dataset ${dataset.id}, ${dataset.name})`, `  ${snippet}`].map(plain).join('\n');
}

/** Text of a page moves no cursor and ends no line. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
