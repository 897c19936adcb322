// A search whose words were typed into a page: which of the lists that it shows change with the word.
import type { SiteAsking } from '../asking/site-asking.ts';
import { overlap, wordShare } from '../proof/measure.ts';
import { readingRequestOf } from '../proof/read-rows.ts';
import type { FoundList, PageEvidence, SearchControl } from './read-evidence.ts';

/** What one word showed. */
export interface TypedAnswer {
  readonly word: string;
  readonly page: PageEvidence;
  readonly body: Uint8Array;
}

/** Two words typed into one control. */
export interface TypedSearch {
  readonly page: PageEvidence;
  readonly control: SearchControl;
  /** Those that were typed first, then others of the site. */
  readonly words: readonly string[];
  readonly first: TypedAnswer;
  readonly second: TypedAnswer;
}

/** A list whose rows are more alike than this for both words is no result. */
const ALIKE_MAX = 0.7;
const ROWS_MIN = 1;

/** The best list of the first answer that the second one has with other rows; at most one. */
export async function listsThatChange(
  { first, second }: Pick<TypedSearch, 'first' | 'second'>,
  asking: SiteAsking,
  signal: AbortSignal,
): Promise<readonly FoundList[]> {
  const weighed: { readonly list: FoundList; readonly weight: number }[] = [];
  for (const [rank, list] of first.page.lists.entries()) {
    if (!list.wrapper || list.count < ROWS_MIN) continue;
    const answer = { url: second.page.url, status: second.page.status, contentType: 'text/html; charset=utf-8', body: second.body };
    const request = readingRequestOf({ from: 'html', wrapper: list.wrapper }, answer);
    const rows = (await asking.ports.views.run('reading', request, signal)).result.rows?.rows ?? [];
    const alike = overlap(list.rows, rows, [first.word, second.word]);
    if (rows.length === 0 || alike > ALIKE_MAX) continue;
    weighed.push({ list, weight: (wordShare(list.rows, first.word) + wordShare(rows, second.word)) / 2 - alike + 0.3 / (1 + rank) });
  }
  return weighed
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, 1)
    .map(({ list }) => list);
}
