// From what a person types to an expression of the full-text index. Pure, and safe for any text: every word is quoted.
import { AppError } from '@weft/contract';
import { WORD, separateWords } from './fold.ts';

/** Words in a row that a record must hold. */
export interface SearchTerm {
  readonly words: readonly string[];
  /** The last word is only the beginning of one. */
  readonly isPrefix: boolean;
}

export interface MatchQuery {
  /** For `MATCH`. */
  readonly expression: string;
  /** What is looked for, in the order of the text; what must not occur is none of it. */
  readonly terms: readonly SearchTerm[];
  /** Whether it is more than terms that must all occur. */
  readonly hasOperators: boolean;
}

const TERMS_MAX = 50;
/** Shorter beginnings would read a large part of the index. */
const PREFIX_CHARS_MIN = 3;
/** Marks alone are no word. */
const HAS_LETTER = /[\p{L}\p{N}\p{Co}]/u;

/** A term, and what stands before it. */
interface Piece {
  readonly term: SearchTerm;
  /** It may stand for the term before. */
  readonly isOr: boolean;
  readonly isNot: boolean;
}

/**
 * What `text` asks for: words, "phrases" and beginnings* that must all occur; `a OR b` for one of several, `NOT a` or `-a` for what must not.
 * Throws AppError `bad_request` when nothing of it can be searched for.
 */
export function parseQuery(text: string): MatchQuery {
  const pieces = splitPieces(text);
  if (pieces.length > TERMS_MAX)
    throw new AppError('bad_request', `The query parameter "q" has ${pieces.length} words; at most ${TERMS_MAX} can be searched for.`);
  const wanted = pieces.filter(({ isNot }) => !isNot);
  const refused = pieces.filter(({ isNot }) => isNot);
  if (pieces.length === 0) throw new AppError('bad_request', 'The query parameter "q" has no letter or digit to search for.');
  if (wanted.length === 0)
    throw new AppError('bad_request', 'The query parameter "q" says only what must not occur; add a word that must.');
  for (const { term } of pieces) requireLongPrefix(term.words.at(-1) ?? '', term.isPrefix);
  const hasOperators = refused.length > 0 || wanted.some(({ isOr }) => isOr);
  const expression = hasOperators ? withOperators(wanted, refused) : wanted.map(({ term }) => expressionOf(term)).join(' ');
  return { expression, terms: wanted.map(({ term }) => term), hasOperators };
}

/** All terms with what is said of each; an operator that stands where none can is a word. */
function splitPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  let [isOr, isNot] = [false, false];
  for (const [token, minus = '', phrase, word = ''] of text.matchAll(/(-(?=["\p{L}]))?(?:"([^"]*)"?|([^\s"]+))/gu)) {
    if (token === 'AND') continue;
    if (token === 'OR' && pieces.length > 0) isOr = true;
    else if (token === 'NOT') isNot = true;
    else {
      const term =
        phrase === undefined ? { words: wordsOf(word), isPrefix: word.endsWith('*') } : { words: wordsOf(phrase), isPrefix: false };
      if (term.words.length === 0) continue;
      pieces.push({ term, isOr: isOr && !isNot && minus === '', isNot: isNot || minus !== '' });
      [isOr, isNot] = [false, false];
    }
  }
  return pieces;
}

/** FTS5's own operators, each part in brackets: its precedence is nobody's guess. */
function withOperators(wanted: readonly Piece[], refused: readonly Piece[]): string {
  const groups: SearchTerm[][] = [];
  for (const { term, isOr } of wanted) {
    const last = groups.at(-1);
    if (isOr && last) last.push(term);
    else groups.push([term]);
  }
  const either = (terms: readonly SearchTerm[]) => `(${terms.map(expressionOf).join(' OR ')})`;
  const all = groups.map(either).join(' AND ');
  return refused.length === 0 ? all : `(${all}) NOT ${either(refused.map(({ term }) => term))}`;
}

function wordsOf(text: string): string[] {
  return (separateWords(text).match(WORD) ?? []).filter((word) => HAS_LETTER.test(word));
}

function requireLongPrefix(word: string, isPrefix: boolean): void {
  if (isPrefix && [...word].length < PREFIX_CHARS_MIN)
    throw new AppError('bad_request', `"${word}*" is too short; give at least ${PREFIX_CHARS_MIN} letters before the asterisk.`);
}

/** Words hold letters and digits alone, so that nothing in the quotes can end them. */
function expressionOf({ words, isPrefix }: SearchTerm): string {
  return `"${words.join(' ')}"${isPrefix ? ' *' : ''}`;
}
