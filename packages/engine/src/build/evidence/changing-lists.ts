// Which list of an answer is that of its results: the one that is what changes. What stands in the answer to a word that nobody knows is frame.
import { PageError } from '../../errors.ts';
import type { SiteAsking } from '../asking/site-asking.ts';
import { unlessUnread } from '../asking/unless-unread.ts';
import { overlap, shareIn } from '../proof/measure.ts';
import { readingRequestOf } from '../proof/read-rows.ts';
import type { Row } from '../../run/reading/rows.ts';
import type { ListChange } from '../../records/changed-texts.ts';
import { RESULT_CHOICE } from './generated/result-choice.ts';
import type { FoundList, PageEvidence } from './read-evidence.ts';

/** An answer whose lists are looked for. */
export interface SearchAnswer {
  readonly url: string;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
}

/** One word, and the page that answered it. */
export interface AnsweredWord {
  readonly word: string;
  readonly page: PageEvidence;
  readonly answer: SearchAnswer;
}

/** The answers that tell which list is that of the results. */
export interface SearchAnswers {
  readonly first: AnsweredWord;
  readonly second: AnsweredWord;
  /** A word that nobody knows, and its answer; absent where none came. */
  readonly unknown?: { readonly word: string; readonly answer: SearchAnswer } | undefined;
}

/** A list of the first answer beside what the others have of it. */
export interface ComparedList {
  /** How much the page is about it. */
  readonly score: number;
  /** How far it is what only its answer says. */
  readonly change: ListChange | undefined;
  /** Rows that the second answer has of it. */
  readonly secondRows: number;
  /** The share of the smaller one's rows that both answers have. */
  readonly alike: number;
  /** The share of its rows that the answer to a word nobody knows has as well. */
  readonly framed: number;
}

/** The bounds of the choice. */
export type ResultChoice = Readonly<Record<keyof typeof RESULT_CHOICE, number>>;

const ROWS_MIN = 2;

/**
 * The list of the results, or none: of the lists that are what changes, the one that is most of it and that the page is most about. What rows
 * say of the words is no reason to prefer a list: the titles of results alone speak of them more than whole results do. Throws PageError `aborted`.
 */
export async function listsThatChange(answers: SearchAnswers, asking: SiteAsking, signal: AbortSignal): Promise<readonly FoundList[]> {
  // Answers that can't be read show no list.
  const found = await unlessUnread(() => findChanging(answers, asking, signal));
  return found instanceof PageError ? [] : found;
}

async function findChanging(answers: SearchAnswers, asking: SiteAsking, signal: AbortSignal): Promise<readonly FoundList[]> {
  const { first, second } = answers;
  const unknown = isPage(answers.unknown?.answer) ? answers.unknown : undefined;
  const { url, body, contentType, status } = first.answer;
  const request = {
    source: { url, body, contentType },
    status,
    headers: [],
    isRendered: true,
    without: unknown?.answer ?? second.answer,
    beside: second.answer,
  };
  const { lists } = (await asking.ports.views.run('evidence', request, signal)).result;
  const found = lists.filter(({ wrapper, count }) => wrapper && count >= ROWS_MIN);
  const compared: ComparedList[] = [];
  for (const list of found) {
    const others = await rowsOf(list, second.answer, asking, signal);
    const frame = unknown ? await rowsOf(list, unknown.answer, asking, signal) : [];
    const words = [first.word, second.word, ...(unknown ? [unknown.word] : [])];
    compared.push({
      score: list.score,
      change: list.change,
      secondRows: others.length,
      alike: overlap(list.rows, others, words),
      framed: shareIn(list.rows, frame, words),
    });
  }
  const chosen = decideResults(compared);
  return chosen === undefined ? [] : found.slice(chosen, chosen + 1);
}

/** The place of the list that is the results; undefined where none is. */
export function decideResults(lists: readonly ComparedList[], bounds: ResultChoice = RESULT_CHOICE): number | undefined {
  const worth = ({ score, change }: ComparedList) => score + bounds.changeWeight * changeOf(change);
  const places = [...lists.keys()].filter((place) => {
    const { change, secondRows, alike, framed } = lists[place] as ComparedList;
    return secondRows > 0 && alike < 1 && framed <= bounds.framedMax && changeOf(change) >= bounds.changeMin;
  });
  return places.toSorted((a, b) => worth(lists[b] as ComparedList) - worth(lists[a] as ComparedList))[0];
}

/** 1 for a list that is just what changes, 0 for one that has nothing of it. */
export function changeOf(change: ListChange | undefined): number {
  return change ? change.coverage * change.purity : 0;
}

/** An answer that refuses shows nothing of the site's frame. */
function isPage(answer: SearchAnswer | undefined): boolean {
  return answer !== undefined && answer.status < 400;
}

async function rowsOf({ wrapper }: FoundList, answer: SearchAnswer, asking: SiteAsking, signal: AbortSignal): Promise<readonly Row[]> {
  if (!wrapper) return [];
  const request = readingRequestOf({ from: 'html', wrapper }, answer);
  return (await asking.ports.views.run('reading', request, signal)).result.rows?.rows ?? [];
}
