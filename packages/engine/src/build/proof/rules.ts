// The rules of a proof: what each compares, and the bound that it holds it against. Pure; a certificate is decided by these, now and later.
import type { Row } from '../../run/reading/rows.ts';
import type { Certificate, ProbeRole, ProofRule, ProofState, RuleOutcome } from './certificate.ts';
import { PROOF_BOUNDS } from './generated/bounds.ts';
import { fieldSameness, filledShare, overlap, sameness, shareIn, wordShare } from './measure.ts';

/** What the answers of one function say. */
export interface ProofFacts {
  readonly kind: Certificate['kind'];
  /** True where the function has an input. */
  readonly hasInput: boolean;
  /** True where the input is a word that rows are searched for, and not one of several choices. */
  readonly isWord: boolean;
  readonly hasChoices: boolean;
  /** True where the words stand in rows of the site. */
  readonly isSeen: boolean;
  readonly otherWords: readonly string[];
  readonly hasPages: boolean;
  readonly pageRows?: number | undefined;
  /** How many rows it was made from, where that is known. */
  readonly madeRows?: number | undefined;
  /** Names of fields that the rows had when the function was made. */
  readonly required: readonly string[];
  /** The rows of each call; absent where none could be made. */
  readonly rows: Readonly<Partial<Record<ProbeRole, readonly Row[]>>>;
  /** The words that were asked with. */
  readonly words: Readonly<Partial<Record<ProbeRole, string>>>;
}

/** One rule. `measure` answers undefined where what it compares is missing. */
export interface Rule {
  readonly rule: ProofRule;
  readonly applies: (facts: ProofFacts) => boolean;
  readonly measure: (facts: ProofFacts) => number | undefined;
  readonly bound: number | ((facts: ProofFacts) => number);
  /** `least`: what is measured is at least the bound; `most`: at most. */
  readonly side: 'least' | 'most';
  /** What it means that the rule is broken. */
  readonly broken: string;
}

const always = () => true;
/** One record is all that a detail has. */
const ofMany = ({ kind }: ProofFacts) => kind !== 'detail';
/**
 * The fewest rows that an answer has: one of a detail, and of a search that was made from one row by a word which stands in rows of the site,
 * for then that row has to speak of it.
 */
export function rowsMinOf({ kind, isWord, isSeen, madeRows }: Pick<ProofFacts, 'kind' | 'isWord' | 'isSeen' | 'madeRows'>): number {
  return kind === 'detail' || (kind === 'search' && isWord && isSeen && madeRows === 1) ? 1 : PROOF_BOUNDS.rowsMin;
}
const withInput = ({ hasInput }: ProofFacts) => hasInput;
const withWord = ({ hasInput, isWord }: ProofFacts) => hasInput && isWord;
const withPages = ({ hasPages }: ProofFacts) => hasPages;

/** True where nothing is behind the first page, which is not full. */
function endsWithPage1({ rows, pageRows }: ProofFacts): boolean {
  return pageRows !== undefined && rows.page_2?.length === 0 && (rows.recorded?.length ?? 0) < pageRows;
}

const withPage2 = (facts: ProofFacts) => withPages(facts) && !endsWithPage1(facts);

/** How much more rows speak of `word` than of any other. */
function tells(rows: readonly Row[], word: string, others: readonly string[]): number {
  return wordShare(rows, word) - Math.max(0, ...others.filter((other) => other !== word).map((other) => wordShare(rows, other)));
}

/** Compares two answers; undefined where one is missing. */
function compare(a: ProbeRole, b: ProbeRole, of: (a: readonly Row[], b: readonly Row[], words: readonly string[]) => number) {
  return ({ rows, words }: ProofFacts) => {
    const [left, right] = [rows[a], rows[b]];
    return left && right && of(left, right, [words[a] ?? '', words[b] ?? '']);
  };
}

/** All rules, in the order of PROOF_RULES. */
export const RULES: readonly Rule[] = [
  {
    rule: 'answers',
    applies: ofMany,
    measure: ({ rows }) => rows.recorded?.length,
    bound: rowsMinOf,
    side: 'least',
    broken: 'it does not answer the rows that it was made from',
  },
  {
    rule: 'filled',
    applies: always,
    measure: ({ rows, required }) => rows.recorded && filledShare(rows.recorded, required),
    bound: PROOF_BOUNDS.filledMin,
    side: 'least',
    broken: 'fields that its rows had are empty',
  },
  {
    rule: 'repeats',
    applies: always,
    measure: compare('recorded', 'repeat', sameness),
    bound: PROOF_BOUNDS.repeatMin,
    side: 'least',
    broken: 'the same call is answered with other rows',
  },
  {
    rule: 'second_differs',
    applies: withInput,
    measure: compare('recorded', 'second', overlap),
    bound: PROOF_BOUNDS.secondOverlapMax,
    side: 'most',
    broken: 'another input is answered with the same rows',
  },
  {
    rule: 'second_shape',
    applies: withInput,
    measure: compare('recorded', 'second', fieldSameness),
    bound: PROOF_BOUNDS.shapeMin,
    side: 'least',
    broken: 'another input is answered with rows of another kind',
  },
  {
    rule: 'word_in_rows',
    applies: (facts) => withWord(facts) && facts.isSeen,
    measure: ({ rows, words }) => {
      const { recorded, second } = rows;
      if (!recorded || !second) return undefined;
      return Math.min(wordShare(recorded, words.recorded ?? ''), wordShare(second, words.second ?? ''));
    },
    bound: PROOF_BOUNDS.wordShareMin,
    side: 'least',
    broken: 'the rows do not speak of what was asked for',
  },
  {
    rule: 'word_tells',
    applies: withWord,
    measure: ({ rows, words, otherWords }) => {
      const { recorded, second } = rows;
      if (!recorded || !second) return undefined;
      return Math.min(tells(recorded, words.recorded ?? '', otherWords), tells(second, words.second ?? '', otherWords));
    },
    bound: PROOF_BOUNDS.wordTellsMin,
    side: 'least',
    broken: 'the rows speak of another word more than of the one that is asked for',
  },
  {
    rule: 'negative_differs',
    applies: (facts) => ofMany(facts) && facts.hasInput && !facts.hasChoices,
    measure: ({ rows, words }) => {
      const { negative, recorded, second } = rows;
      if (!negative || !recorded) return undefined;
      const asked = [words.recorded ?? '', words.second ?? '', words.negative ?? ''];
      return Math.max(shareIn(recorded, negative, asked), second ? shareIn(second, negative, asked) : 0);
    },
    bound: PROOF_BOUNDS.negativeOverlapMax,
    side: 'most',
    broken: 'what nobody can know is answered with the same rows',
  },
  {
    rule: 'negative_fewer',
    applies: withWord,
    measure: ({ rows, words }) => {
      const { negative, recorded, second = [] } = rows;
      if (!negative || !recorded) return undefined;
      const asked = [words.recorded ?? '', words.second ?? '', words.negative ?? ''];
      // Rows of the other answers are frame, or answers to another word: both are what negative_differs measures.
      return (negative.length * (1 - shareIn(negative, [...recorded, ...second], asked))) / Math.max(1, recorded.length);
    },
    bound: PROOF_BOUNDS.negativeShareMax,
    side: 'most',
    broken: 'what nobody can know is answered with rows of its own',
  },
  {
    rule: 'negative_none',
    applies: (facts) => !ofMany(facts),
    measure: ({ rows }) => rows.negative?.length,
    bound: 0,
    side: 'most',
    broken: 'a key that nobody can know is answered with a record',
  },
  {
    rule: 'page_2_differs',
    applies: withPages,
    measure: (facts) => (endsWithPage1(facts) ? 0 : compare('recorded', 'page_2', (a, b) => (b.length === 0 ? 1 : overlap(a, b)))(facts)),
    bound: PROOF_BOUNDS.pageOverlapMax,
    side: 'most',
    broken: 'the second page is empty, or the first one again',
  },
  {
    rule: 'page_2_shape',
    applies: withPage2,
    measure: compare('recorded', 'page_2', fieldSameness),
    bound: PROOF_BOUNDS.shapeMin,
    side: 'least',
    broken: 'the second page has rows of another kind',
  },
  {
    rule: 'page_2_word',
    applies: (facts) => withPage2(facts) && withWord(facts),
    measure: ({ rows, words }) => rows.page_2 && wordShare(rows.page_2, words.recorded ?? ''),
    bound: PROOF_BOUNDS.pageWordShareMin,
    side: 'least',
    broken: 'the second page does not speak of what was asked for',
  },
];

/** What `rules` make of the answers. `proved` where all that apply hold, `failed` where one is broken, else `unproved`. */
export function decideProof(
  facts: ProofFacts,
  rules: readonly Rule[] = RULES,
): { readonly state: ProofState; readonly reason: string; readonly rules: readonly RuleOutcome[] } {
  const judged = withAnswers(facts);
  const applying = rules.filter(({ applies }) => applies(judged));
  const outcomes = applying.map((rule) => outcomeOf(rule, judged));
  const broken = applying.find((_, place) => outcomes[place]?.verdict === 'broken');
  const untried = outcomes.find(({ verdict }) => verdict === 'untried');
  if (broken) return { state: 'failed', reason: `${sentence(broken.broken)} (${numbersOf(outcomes, broken.rule)}).`, rules: outcomes };
  if (untried)
    return { state: 'unproved', reason: `The rule ${untried.rule} could not be tried: there is no answer for it.`, rules: outcomes };
  return { state: 'proved', reason: `All ${outcomes.length} rules that apply hold.`, rules: outcomes };
}

/** A second input without rows shows nothing: it may be none that the site looks for. */
function withAnswers(facts: ProofFacts): ProofFacts {
  const { second, ...rows } = facts.rows;
  return second?.length === 0 ? { ...facts, rows } : facts;
}

function outcomeOf({ rule, measure, bound: asked, side }: Rule, facts: ProofFacts): RuleOutcome {
  const measured = measure(facts);
  if (measured === undefined) return { rule, verdict: 'untried' };
  const bound = typeof asked === 'number' ? asked : asked(facts);
  const rounded = Math.round(measured * 1000) / 1000;
  const holds = side === 'least' ? rounded >= bound : rounded <= bound;
  return { rule, verdict: holds ? 'holds' : 'broken', measured: rounded, bound };
}

function numbersOf(outcomes: readonly RuleOutcome[], rule: ProofRule): string {
  const { measured, bound } = outcomes.find((outcome) => outcome.rule === rule) ?? {};
  return `${rule}: ${measured ?? 0}, bound ${bound ?? 0}`;
}

function sentence(text: string): string {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
}
