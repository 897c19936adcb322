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
  readonly terms: readonly SearchTerm[];
}

const TERMS_MAX = 50;
/** Shorter beginnings would read a large part of the index. */
const PREFIX_CHARS_MIN = 3;
/** Marks alone are no word. */
const HAS_LETTER = /[\p{L}\p{N}\p{Co}]/u;

/** The terms of `text`: words, "phrases" and beginnings*. Throws AppError `bad_request` when nothing of it can be searched for. */
export function parseQuery(text: string): MatchQuery {
  const terms = splitTerms(text).filter((term) => term.words.length > 0);
  if (terms.length === 0) throw new AppError('bad_request', 'The query parameter "q" has no letter or digit to search for.');
  if (terms.length > TERMS_MAX)
    throw new AppError('bad_request', `The query parameter "q" has ${terms.length} words; at most ${TERMS_MAX} can be searched for.`);
  for (const { words, isPrefix } of terms) requireLongPrefix(words.at(-1) ?? '', isPrefix);
  return { expression: terms.map(expressionOf).join(' '), terms };
}

function splitTerms(text: string): SearchTerm[] {
  const found = text.matchAll(/"([^"]*)"?|([^\s"]+)/g);
  return [...found].map(([, phrase, word = '']) =>
    phrase === undefined ? { words: wordsOf(word), isPrefix: word.endsWith('*') } : { words: wordsOf(phrase), isPrefix: false },
  );
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
