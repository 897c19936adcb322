// weft dataset search <words>: in all datasets, or in one.
import type { SearchHit } from '@weft/contract';
import { wholeNumber } from '../../number-option.ts';
import { orTry } from '../../or-try.ts';
import { parseRowId } from '../../row-id.ts';
import type { CommandRun } from '../../spec.ts';

const LIMIT_MAX = 500;
/** More would not fit into a request; the agent refuses so much already, and says why. */
const CHARS_SENT = 4000;

export const run: CommandRun = async (context, words, options) => {
  const q = words.join(' ').slice(0, CHARS_SENT);
  const limit = wholeNumber(options, 'limit', 1, LIMIT_MAX);
  const client = await context.client();
  const query = { q, ...(limit === undefined ? {} : { limit }) };
  const call = { signal: context.signal };
  const { dataset } = options;
  const answer =
    typeof dataset === 'string'
      ? client.datasets.search({ id: parseRowId(dataset, 'dataset'), ...query }, call)
      : client.datasets.searchAll(query, call);
  // Without `format` the answer is JSON.
  const found = (await orTry('weft dataset list', answer)) as { readonly data: readonly SearchHit[] };
  context.show(found, found.data.length > 0 ? found.data.map(hitText).join('\n\n') : `No record holds all of this: ${q}`);
};

function hitText({ title, url, key, dataset, snippet }: SearchHit): string {
  return [title ?? key, `  ${url ?? key} (dataset ${dataset.id}, ${dataset.name})`, `  ${snippet}`].map(plain).join('\n');
}

/** Text of a page moves no cursor and ends no line. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
