// Which list of an answer is that of its results: the best one that another word is answered with other rows of.
import type { SiteAsking } from '../asking/site-asking.ts';
import { overlap } from '../proof/measure.ts';
import { readingRequestOf } from '../proof/read-rows.ts';
import type { FoundList, PageEvidence } from './read-evidence.ts';

/** One word, and the page that answered it. */
export interface AnsweredWord {
  readonly word: string;
  readonly page: PageEvidence;
  readonly answer: { readonly url: string; readonly status: number; readonly contentType: string | undefined; readonly body: Uint8Array };
}

/** A list whose rows are more alike than this for both words is no result. */
const ALIKE_MAX = 0.7;
const ROWS_MIN = 2;
/** A list of which a better one says this share is a part of it. */
const PART_MIN = 0.5;

/**
 * The first list of the first answer, in the order of how much a page is about them, that the second one has with other rows; none where no
 * list has. What rows say of the words is no reason to prefer a list: the titles of results alone speak of them more than whole results do.
 */
export async function listsThatChange(
  first: AnsweredWord,
  second: AnsweredWord,
  asking: SiteAsking,
  signal: AbortSignal,
): Promise<readonly FoundList[]> {
  for (const [rank, list] of first.page.lists.entries()) {
    if (!list.wrapper || list.count < ROWS_MIN || first.page.lists.slice(0, rank).some((better) => isPartOf(list, better))) continue;
    const request = readingRequestOf({ from: 'html', wrapper: list.wrapper }, second.answer);
    const rows = (await asking.ports.views.run('reading', request, signal)).result.rows?.rows ?? [];
    if (rows.length > 0 && overlap(list.rows, rows, [first.word, second.word]) <= ALIKE_MAX) return [list];
  }
  return [];
}

/** True where the rows of `list` say what those of `better` say as well: their titles, their dates. */
function isPartOf(list: FoundList, better: FoundList): boolean {
  const whole = better.texts.join('\n');
  const said = list.texts.filter((text) => text !== '');
  return said.filter((text) => whole.includes(text)).length >= list.texts.length * PART_MIN || said.length === 0;
}
