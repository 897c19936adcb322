// Tries a search form with two words of the site, and finds out which list of the answer is that of the results.
import { callSteps } from '../asking/call-steps.ts';
import type { CallEnd, CalledPage } from '../asking/call-steps.ts';
import type { SiteAsking } from '../asking/site-asking.ts';
import { PageError } from '../../errors.ts';
import type { Lane } from '../../ports.ts';
import { askingStepsOf } from '../functions/workflow.ts';
import { listsThatChange } from './changing-lists.ts';
import type { SearchAnswers } from './changing-lists.ts';
import type { ExampleValue, Parameter } from './catalogue.ts';
import type { Ids } from './ids.ts';
import type { FoundList, PageEvidence } from './read-evidence.ts';
import { objectiveWords, searchWords } from './words.ts';
import { titlesOf } from './titles.ts';
import { asksAlike, wayOf } from './search-forms.ts';
import type { SearchForm, SearchWay } from './search-forms.ts';

/** A search that was tried. */
export interface SearchTrial {
  readonly search: SearchForm;
  readonly asked: SearchWay;
  /** With its examples: the two that were tried first, then others. */
  readonly input: Parameter;
  /** The answer to the first word. */
  readonly page: PageEvidence;
  /** The two words that were tried first, and what the rows say that each was answered with. */
  readonly answers: readonly { readonly word: string; readonly texts: readonly string[] }[];
  /** Lists that change with the word, the best first. */
  readonly lists: readonly FoundList[];
  /** Tokens that differ from load to load among the fields. */
  readonly hasToken: boolean;
}

/** True where a caller would get the same from both: both words were answered with the same rows. */
export function isSameSearch(one: SearchTrial, other: SearchTrial): boolean {
  return asksAlike(one.search, other.search) && JSON.stringify(one.answers) === JSON.stringify(other.answers);
}

/** What came of trying. */
export type TrialEnd = { readonly trial: SearchTrial } | { readonly reason: string };

const TRIES_MAX = 5;
/** Words that rows are made of are tried so often before others of the pages are. */
const ROW_TRIES = 2;
const EXAMPLES_MAX = 8;

interface Answered {
  readonly word: string;
  readonly answer: CalledPage;
  readonly page: PageEvidence;
}

/** Asks `search` with words that `rows` of the site are made of or that it suggests, else with words of the `texts` of its pages. Throws PageError where the rung has to stop. */
export async function trySearch(
  search: SearchForm,
  known: { readonly rows: readonly string[]; readonly texts: readonly string[]; readonly objective: string; readonly lane: Lane },
  asking: SiteAsking,
  ids: Ids,
  signal: AbortSignal,
): Promise<TrialEnd> {
  const asked = wayOf(search, ids);
  asking.allowSearch(asked.way);
  const words = new Words(search, known, asked.input.choices);
  const answers: Answered[] = [];
  let last = 'no word was found to ask it with';
  let unknown: SearchAnswers['unknown'];
  let found: { readonly first: Answered; readonly second: Answered; readonly lists: readonly FoundList[] } | undefined;
  for (let tries = 0; tries < TRIES_MAX && !found; tries++) {
    const word = words.next(answers);
    if (word === undefined) break;
    const answer = await askOnce(asked, word, known.lane, asking, signal);
    if (typeof answer === 'string') last = answer;
    else if (answer.page.lists.length === 0) last = `"${word}" was answered without a list`;
    else {
      if (answers.length === 1) unknown = await askUnknown(asked, known.lane, asking, signal);
      // One word may have led past the results, to what has just that name.
      for (const before of answers) found ??= await changing(before, answer, unknown, asking, signal);
      answers.push(answer);
    }
  }
  const [only, other] = answers;
  if (!only) return { reason: `It gave no list: ${last}.` };
  if (!other) return { reason: `Only one word ("${only.word}") was answered with a list: ${last}.` };
  if (!found)
    return { reason: `No list of its answers changes with the word: ${answers.map(({ word }) => `"${word}"`).join(' and ')} were tried.` };
  const { first, second, lists } = found;
  const examples = words.examples([first, second], lists[0], ids);
  const said = [first, second].map(({ word, page }) => ({ word, texts: page.lists.flatMap(({ texts }) => texts) }));
  return {
    trial: { search, asked, input: { ...asked.input, examples }, page: first.page, answers: said, lists, hasToken: asked.hasToken },
  };
}

/** The lists of two answers that change with the word; the answer that goes on is the first, for it shows how. */
async function changing(a: Answered, b: Answered, unknown: SearchAnswers['unknown'], asking: SiteAsking, signal: AbortSignal) {
  const [first, second] = a.page.onward === undefined && b.page.onward !== undefined ? [b, a] : [a, b];
  const lists = await listsThatChange({ first, second, unknown }, asking, signal);
  return lists.length > 0 ? { first, second, lists } : undefined;
}

/** The words that one search is tried with. */
class Words {
  private readonly pool: readonly { readonly value: string; readonly seenIn: ExampleValue['seenIn'] }[];
  private readonly rows: readonly string[];
  private readonly isChoice: boolean;
  private readonly used = new Set<string>();

  constructor(
    search: SearchForm,
    { rows, texts, objective }: { readonly rows: readonly string[]; readonly texts: readonly string[]; readonly objective: string },
    choices: Parameter['choices'],
  ) {
    this.rows = rows;
    this.isChoice = choices !== undefined;
    const offered = (choices ?? []).map(({ value }) => value).filter((value) => value !== '');
    this.pool = [
      ...offered.map((value) => ({ value, seenIn: 'choice' as const })),
      ...search.suggestions.map((value) => ({ value, seenIn: 'choice' as const })),
      ...(this.isChoice ? [] : searchWords(rows).map((value) => ({ value, seenIn: 'row' as const }))),
      ...(this.isChoice ? [] : searchWords(texts).map((value) => ({ value, seenIn: 'page' as const }))),
      ...(this.isChoice ? [] : objectiveWords(objective).map((value) => ({ value, seenIn: 'objective' as const }))),
    ];
  }

  /** The best word that was not tried yet; the second one stands in other rows than the first, where there is one. */
  next(answers: readonly Answered[]): string | undefined {
    const [first] = answers;
    const given = this.pool.find(({ value, seenIn }) => seenIn === 'choice' && !this.used.has(value))?.value;
    const rows = [...this.rows, ...(first?.page.lists[0]?.texts ?? [])];
    const other = this.isChoice ? undefined : searchWords(rows, first ? [first.word] : []).find((word) => !this.used.has(word));
    const elsewhere = this.pool.find(({ value, seenIn }) => seenIn === 'page' && !this.used.has(value))?.value;
    const word =
      given ??
      (this.used.size >= ROW_TRIES && answers.length < 2 ? elsewhere : undefined) ??
      other ??
      this.pool.find(({ value }) => !this.used.has(value))?.value;
    if (word !== undefined) this.used.add(word);
    return word;
  }

  /** What was answered, then values that nothing was tried with: first those that rows are called by, for each row shows what it is called. */
  examples(answers: readonly Answered[], list: FoundList | undefined, ids: Ids): readonly ExampleValue[] {
    const tried = answers.map(({ word }) => word);
    const titles = list ? [...new Set([...this.rows, ...titlesOf(list)])] : this.rows;
    const more = this.isChoice ? [] : [...searchWords(titles, tried), ...searchWords([...this.rows, ...(list?.texts ?? [])], tried)];
    const offered = this.pool.filter(({ seenIn }) => seenIn === 'choice').map(({ value }) => value);
    const others = [...offered, ...more].filter((value) => !this.used.has(value));
    const seenIn = (value: string) => this.pool.find((each) => each.value === value)?.seenIn ?? 'row';
    return [...new Set([...tried, ...others])].slice(0, EXAMPLES_MAX).map((value) => ({ id: ids.next('X'), value, seenIn: seenIn(value) }));
  }
}

type Asked = Pick<SearchWay, 'way' | 'input' | 'others'>;

async function askOnce(
  { way, input, others }: Asked,
  word: string,
  lane: Lane,
  asking: SiteAsking,
  signal: AbortSignal,
): Promise<Answered | string> {
  const end = await callOnce({ way, input, others }, word, lane, asking, signal);
  const answer = end.pages.at(-1);
  if (asking.isSpent && !answer) return 'the rung has asked for as many pages as it may';
  if (end.failure || !answer) return `"${word}" failed: ${end.failure?.message ?? 'no page came'}`;
  const page = await lookAt(answer, asking, signal);
  return typeof page === 'string' ? page : { word, answer, page };
}

/** A word that nobody knows: what its answer shows is frame, be it so little that the page looks unfinished. Choices have no such word. */
async function askUnknown(asked: Asked, lane: Lane, asking: SiteAsking, signal: AbortSignal): Promise<SearchAnswers['unknown']> {
  if (asked.input.choices) return undefined;
  const word = asking.ports.nonsense();
  const answer = (await callOnce(asked, word, lane, asking, signal)).pages.at(-1);
  return answer && { word, answer };
}

async function callOnce(
  { way, input, others }: Asked,
  word: string,
  lane: Lane,
  asking: SiteAsking,
  signal: AbortSignal,
): Promise<CallEnd> {
  const { steps, inputs } = askingStepsOf(way, [{ ...input, examples: [] }, ...others], { [input.id]: word });
  return await callSteps({ steps, lane, readsPage: true }, inputs, asking, signal);
}

async function lookAt(answer: CalledPage, asking: SiteAsking, signal: AbortSignal): Promise<PageEvidence | string> {
  try {
    const { url, body, contentType, status } = answer;
    const request = { source: { url, body, contentType }, status, headers: [], isRendered: answer.lane === 'browser' };
    return (await asking.ports.views.run('evidence', request, signal)).result;
  } catch (error) {
    if (error instanceof PageError && error.next !== 'stop') return error.message;
    throw error;
  }
}
