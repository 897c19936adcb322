// weft dataset search <words>: in all datasets, or in one.
import type { SearchHit } from '@weft/contract';
import { toUrl } from '../../address.ts';
import { instantOption } from '../../duration.ts';
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
  const { site } = options;
  const query = {
    q,
    ...(limit === undefined ? {} : { limit }),
    ...(typeof site === 'string' ? { site: hostOf(site) } : {}),
    ...instantOption(options, 'since'),
    ...instantOption(options, 'until'),
  };
  const call = { signal: context.signal };
  const { dataset } = options;
  const answer =
    typeof dataset === 'string'
      ? client.datasets.search({ id: parseRowId(dataset, 'dataset'), ...query }, call)
      : client.datasets.searchAll(query, call);
  // Without `format` the answer is JSON.
  const found = (await orTry('weft dataset list', answer)) as { readonly data: readonly SearchHit[] };
  context.show(
    found,
    found.data.length > 0
      ? found.data.map((hit) => hitText(hit, context.environment.hasColour)).join('\n\n')
      : `No record holds all of this: ${q}`,
  );
};

function hitText(hit: SearchHit, hasColour: boolean): string {
  const { title, url, key, dataset, record_id: record, also = [] } = hit;
  const others = also.length === 0 ? '' : `, also in ${also.map(({ dataset: { id } }) => id).join(', ')}`;
  return [
    plain(title ?? key),
    `  ${plain(url ?? key)} (dataset ${dataset.id}, ${plain(dataset.name)}${others}; weft dataset show ${dataset.id} ${record})`,
    `  ${snippetText(hit, hasColour)}`,
  ].join('\n');
}

/** The words that were found stand out where a terminal can show it. */
function snippetText({ snippet, matches }: Pick<SearchHit, 'snippet' | 'matches'>, hasColour: boolean): string {
  if (!hasColour) return plain(snippet);
  let at = 0;
  const parts = matches.flatMap(({ start, end }) => {
    const before = plain(snippet.slice(at, start));
    at = end;
    return [before, `\u001b[1m${plain(snippet.slice(start, end))}\u001b[0m`];
  });
  return `${parts.join('')}${plain(snippet.slice(at))}`;
}

/** The host of an address, or what is typed as one. */
function hostOf(typed: string): string {
  return typed.includes('/') ? new URL(toUrl(typed)).host : typed;
}

/** Text of a page moves no cursor and ends no line. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
