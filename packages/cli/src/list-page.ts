// Which part of a list is asked for, and what is said of the rest of it.
import type { CallOptions } from '@weft/client/node';
import type { CommandContext } from './context.ts';
import { wholeNumber } from './number-option.ts';
import type { OptionSpec } from './words.ts';

/** As many as one call answers. */
const LIST_MAX = 500;

/** The options of a list: how many, `fallback` unless said, and after how many. */
export function pageOptions(fallback = LIST_MAX): readonly OptionSpec[] {
  return [
    {
      flags: '--limit <count>',
      summary: fallback === LIST_MAX ? `how many at most, up to ${LIST_MAX}` : `how many at most; ${fallback} unless said`,
    },
    { flags: '--offset <count>', summary: 'leave out so many from the beginning' },
  ];
}

/** Those of most lists. */
export const LIST_PAGE = pageOptions();

/** One page of a list as a command asks for it. */
export interface ListPage {
  readonly query: { readonly limit: number; readonly offset?: number };
  /** What the call is made with; it learns how many there are. */
  readonly call: CallOptions & { readonly signal: AbortSignal };
  /** This part of a list that always comes whole. */
  cut<Entry>(all: readonly Entry[]): readonly Entry[];
  /** Says, beside the data, which part of how many `shown` entries are; nothing where they are all. */
  tell(shown: number): void;
}

/** What `--limit` and `--offset` say; `limit` where the first is not given. Throws CommandError for what is no such number. */
export function listPage(
  context: Pick<CommandContext, 'say' | 'signal'>,
  options: Readonly<Record<string, string | boolean | undefined>>,
  fallback = LIST_MAX,
): ListPage {
  const limit = wholeNumber(options, 'limit', 1, LIST_MAX) ?? fallback;
  const offset = wholeNumber(options, 'offset', 0, Number.MAX_SAFE_INTEGER) ?? 0;
  let total: number | undefined;
  return {
    query: { limit, ...(offset === 0 ? {} : { offset }) },
    call: {
      signal: context.signal,
      onTotal: (count) => {
        total = count;
      },
    },
    cut: (all) => {
      total = all.length;
      return all.slice(offset, offset + limit);
    },
    tell: (shown) => {
      const text = partText(offset, shown, total);
      if (text !== undefined) context.say(`weft: ${text}`);
    },
  };
}

/** Which part `shown` entries after `offset` are of `total`; undefined where they are all. */
export function partText(offset: number, shown: number, total: number | undefined): string | undefined {
  if (total === undefined || shown >= total) return undefined;
  const end = offset + shown;
  const part = shown === 0 ? `none of ${total}` : `${offset + 1} to ${end} of ${total}`;
  return end < total ? `${part}; the next: --offset ${end}` : part;
}
