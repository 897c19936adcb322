// Where the terms of a search stand in a text. Pure.
import { fold, isWordCharacter, isWordEdge } from './fold.ts';
import type { SearchTerm } from './match-query.ts';

/** A term in a text; `start` and `end` in UTF-16 units. */
export interface FoundTerm {
  /** Its place among the terms. */
  readonly term: number;
  readonly start: number;
  readonly end: number;
}

/** Every place of every term, in the order of the text. */
export function findTerms(text: string, terms: readonly SearchTerm[]): FoundTerm[] {
  const folded = fold(text);
  const found = terms.flatMap((term, place) => [...placesOf(folded, term, place)]);
  return found.sort((a, b) => a.start - b.start || a.end - b.end);
}

function* placesOf(folded: string, { words, isPrefix }: SearchTerm, term: number): Generator<FoundTerm> {
  const wanted = words.map((word) => fold(word.normalize('NFC')));
  const [first = ''] = wanted;
  if (first === '') return;
  for (let start = folded.indexOf(first); start >= 0; start = folded.indexOf(first, start + 1)) {
    if (!isWordEdge(folded, start)) continue;
    const end = endOf(folded, start, wanted, isPrefix);
    if (end !== undefined) yield { term, start, end };
  }
}

/** Where the words that begin at `start` end; undefined where other words stand there. */
function endOf(folded: string, start: number, words: readonly string[], isPrefix: boolean): number | undefined {
  let at = start;
  for (const [i, word] of words.entries()) {
    if (i > 0) at = nextWord(folded, at);
    if (!folded.startsWith(word, at)) return undefined;
    at += word.length;
    if (isPrefix && i === words.length - 1) at = endOfWord(folded, at);
    else if (!isWordEdge(folded, at)) return undefined;
  }
  return at;
}

function nextWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isWordCharacter(text.slice(at, at + 2))) at++;
  return at;
}

function endOfWord(text: string, from: number): number {
  let at = from;
  while (!isWordEdge(text, at)) at++;
  return at;
}
