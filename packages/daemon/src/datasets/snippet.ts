// The part of a text where the words of a search stand closest together. Pure.
import type { FoundTerm } from './find-terms.ts';
import { findTerms } from './find-terms.ts';
import type { SearchTerm } from './match-query.ts';

export interface Snippet {
  readonly snippet: string;
  /** In UTF-16 units of `snippet`, in order. */
  readonly matches: { readonly start: number; readonly end: number }[];
}

/** How much of a text is read: most say it early. What stands behind the last of them is found without being shown. */
const READS = [8000, 100_000];
const CHARS_SHOWN = 240;
/** Before the first match; a shorter way from the beginning is shown whole. */
const CHARS_AHEAD = 60;
// eslint-disable-next-line no-control-regex
const BLANKS = /[\s\0-\x1f\x7f-\x9f]+/g;
/** Matches that stand further apart are not shown together. */
const SPAN_CHARS_MAX = CHARS_SHOWN - CHARS_AHEAD;

/**
 * About 240 characters around the place that holds the most of `terms`, or the beginning where none stands in the text. `read` gives so many
 * of its characters, or all there are, in the composed form (NFC).
 */
export function findSnippet(read: (charsMax: number) => string, terms: readonly SearchTerm[]): Snippet {
  let [text, found, place]: [string, FoundTerm[], Place] = ['', [], { start: 0, terms: 0 }];
  for (const charsMax of READS) {
    text = read(charsMax);
    found = findTerms(text, terms);
    place = bestPlace(found);
    const isWhole = place.terms === terms.length && place.start + CHARS_SHOWN <= text.length;
    if (isWhole || text.length < charsMax) break;
  }
  const from = place.start <= CHARS_AHEAD ? 0 : behindSpace(text, place.start - CHARS_AHEAD, place.start);
  const end = from + CHARS_SHOWN >= text.length ? text.length : beforeSpace(text, from + CHARS_SHOWN);
  return oneLine(text, from, end, found);
}

interface Place {
  readonly start: number;
  /** How many different terms stand there together. */
  readonly terms: number;
}

/** The first match from which the most different terms stand within what is shown. */
function bestPlace(found: readonly FoundTerm[]): Place {
  let best: Place = { start: 0, terms: 0 };
  const within = new Map<number, number>();
  let next = 0;
  for (const { term, start } of found) {
    for (let match = found[next]; match && (match.start === start || match.end <= start + SPAN_CHARS_MAX); match = found[++next])
      within.set(match.term, (within.get(match.term) ?? 0) + 1);
    if (within.size > best.terms) best = { start, terms: within.size };
    const left = (within.get(term) ?? 0) - 1;
    if (left > 0) within.set(term, left);
    else within.delete(term);
  }
  return best;
}

/** The beginning of the first word at or behind `at`, and `latest` where there is no space before it. */
function behindSpace(text: string, at: number, latest: number): number {
  const space = /\s(?=\S)/.exec(text.slice(at, latest));
  return space ? at + space.index + 1 : latest;
}

/** The end of the last word before `at`; `at` itself, but no half of a character, where no space is near. */
function beforeSpace(text: string, at: number): number {
  const space = text.slice(at - CHARS_AHEAD, at + 1).search(/\s\S*$/);
  if (space >= 0) return at - CHARS_AHEAD + space;
  return text.slice(0, at).isWellFormed() ? at : at - 1;
}

/** The part as one line, with the matches moved to where they stand in it. */
function oneLine(text: string, from: number, end: number, found: readonly FoundTerm[]): Snippet {
  let snippet = from > 0 ? '\u2026 ' : '';
  let at = from;
  const add = (until: number) => {
    const part = text.slice(at, until).replaceAll(BLANKS, ' ');
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
