// The part of a text where the words of a search stand closest together. Pure.
import type { SearchTerm } from './match-query.ts';
import { WORD, foldWord } from './match-query.ts';

export interface Snippet {
  readonly snippet: string;
  /** In UTF-16 units of `snippet`, in order. */
  readonly matches: { readonly start: number; readonly end: number }[];
}

interface TextWord {
  readonly folded: string;
  readonly start: number;
  readonly end: number;
}

interface Found {
  readonly term: number;
  readonly start: number;
  readonly end: number;
  /** Which word of the text it begins with. */
  readonly place: number;
}

const WORDS_SHOWN = 32;
/** Words before the first match. */
const WORDS_AHEAD = 8;
/** A match further behind is not looked for; the record is found all the same. */
const CHARS_READ = 100_000;
const CHARS_SHOWN = 320;
// eslint-disable-next-line no-control-regex
const PLAIN = /^[\x00-\x7f]*$/;

/** About 32 words of `text` around the place that holds the most of `terms`; its beginning where none stands in it. */
export function findSnippet(text: string, terms: readonly SearchTerm[]): Snippet {
  const words = wordsOf(text.slice(0, CHARS_READ));
  const found = findTerms(
    words,
    terms.map((term) => ({ ...term, words: term.words.map(foldWord) })),
  );
  const best = bestPlace(found);
  const first = Math.max(0, (best ?? 0) - (best === undefined || best < WORDS_SHOWN / 2 ? (best ?? 0) : WORDS_AHEAD));
  const last = Math.min(words.length, first + WORDS_SHOWN) - 1;
  const from = first === 0 ? 0 : (words[first]?.start ?? 0);
  const lastEnd = words[last]?.end;
  const end = Math.min(lastEnd ?? text.length, from + CHARS_SHOWN);
  return plain(text, from, end, found);
}

function wordsOf(text: string): TextWord[] {
  // Most texts are plain, and folding them whole is ten times cheaper.
  const isPlain = PLAIN.test(text);
  const found = isPlain ? text.toLowerCase().matchAll(/[a-z0-9]+/g) : text.matchAll(WORD);
  const words: TextWord[] = [];
  for (const { 0: word, index } of found) words.push({ folded: isPlain ? word : foldWord(word), start: index, end: index + word.length });
  return words;
}

function findTerms(words: readonly TextWord[], terms: readonly SearchTerm[]): Found[] {
  const found: Found[] = [];
  for (const [place, { start, end }] of words.entries())
    for (const [term, { words: wanted, isPrefix }] of terms.entries())
      if (standsAt(words, place, wanted, isPrefix)) found.push({ term, start, end: words[place + wanted.length - 1]?.end ?? end, place });
  return found;
}

function standsAt(words: readonly TextWord[], place: number, wanted: readonly string[], isPrefix: boolean): boolean {
  return wanted.every((word, i) => {
    const here = words[place + i]?.folded;
    return here !== undefined && (isPrefix && i === wanted.length - 1 ? here.startsWith(word) : here === word);
  });
}

/** The first word from which the most different terms stand within what is shown. */
function bestPlace(found: readonly Found[]): number | undefined {
  let best: { readonly place: number; readonly terms: number } | undefined;
  for (const [i, { place }] of found.entries()) {
    const seen = new Set<number>();
    for (let j = i; j < found.length && (found[j]?.place ?? 0) < place + WORDS_SHOWN - WORDS_AHEAD; j++) seen.add(found[j]?.term ?? 0);
    if (seen.size > (best?.terms ?? 0)) best = { place, terms: seen.size };
  }
  return best?.place;
}

/** The part as one line, with the matches moved to where they stand in it. */
function plain(text: string, from: number, end: number, found: readonly Found[]): Snippet {
  let snippet = from > 0 ? '\u2026 ' : '';
  let at = from;
  const add = (until: number) => {
    const part = text.slice(at, until).replaceAll(/[\s\p{Cc}]+/gu, ' ');
    snippet += snippet.endsWith(' ') || snippet === '' ? part.replace(/^ /, '') : part;
    at = until;
  };
  const matches: { start: number; end: number }[] = [];
  for (const match of found) {
    if (match.start < at || match.end > end) continue;
    add(match.start);
    const start = snippet.length;
    add(match.end);
    matches.push({ start, end: snippet.length });
  }
  add(end);
  return { snippet: end < text.length ? `${snippet.trimEnd()} \u2026` : snippet.trimEnd(), matches };
}
