// How many entries a list shows.
import { wholeNumber } from './number-option.ts';
import type { OptionSpec } from './words.ts';

/** As many as one call answers. */
const LIST_MAX = 500;

export const LIST_LIMIT: OptionSpec = { flags: '--limit <count>', summary: `how many at most, up to ${LIST_MAX}` };

/** What `--limit` says, else `fallback`. Throws CommandError for what is no such number. */
export function listLimit(options: Readonly<Record<string, string | boolean | undefined>>, fallback = LIST_MAX): number {
  return wholeNumber(options, 'limit', 1, LIST_MAX) ?? fallback;
}
