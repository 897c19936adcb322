// What a line says within: "Posted by Ann Miller on 3 May 2024" holds a date and a name.
import { readValue } from './values.ts';

/** What is read out of the middle of a text. */
export type TextPart = 'date' | 'name';

/** A line is no longer than this; more is a text in which dates and names stand by chance. */
export const LINE_CHARS_MAX = 150;
const NAME_CHARS_MAX = 60;
const NAME_WORDS_MAX = 5;

const DATES: readonly RegExp[] = [
  /(?<!\d)\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?(?!\d)/u,
  /(?<!\d)\d{1,2}(?:st|nd|rd|th|\.|º)?(?:\s+de)?\s+\p{L}{3,12}\.?,?(?:\s+de)?\s+\d{4}(?!\d)/u,
  /(?<!\p{L})\p{L}{3,12}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}(?!\d)/u,
  /(?<!\d)\d{1,4}[./]\d{1,2}[./](?:\d{4}|\d{2})(?!\d)/u,
  /(?<!\p{L})(?:\d+|an?)\s+\p{L}+\s+ago(?!\p{L})/iu,
];
/** "by", as it stands before who has done it. */
const BY = /(?:^|[^\p{L}])(?:by|von|par|por|door)\s*:?\s+(?=[\p{L}\p{N}@_])(.+)$/iu;
/** What ends a name: a mark that divides, a word that leads on to something else, and the date. */
const BEHIND = /(?:^|\s)(?:[|·•–—-]|(?:on|at|in|am|um|le|el|op|om|about)(?=\s))|[|·•,;()]|\s\d/u;

/** The part of `text`, undefined where it has none. A text that is nothing else has none either. */
export function partOf(text: string, part: TextPart): string | undefined {
  if (text.length > LINE_CHARS_MAX) return undefined;
  const found = part === 'date' ? dateIn(text) : nameIn(text);
  return found !== undefined && /\p{L}{2}/u.test(text.replace(found, '')) ? found : undefined;
}

function dateIn(text: string): string | undefined {
  return DATES.map((date) => date.exec(text)?.[0]).find((found) => found !== undefined && readValue(found, 'date') !== undefined);
}

function nameIn(text: string): string | undefined {
  const rest = BY.exec(text)?.[1] ?? '';
  const date = dateIn(rest);
  const [name = ''] = (date === undefined ? rest : rest.slice(0, rest.indexOf(date))).split(BEHIND, 1);
  const trimmed = name.trim();
  return trimmed !== '' && trimmed.length <= NAME_CHARS_MAX && trimmed.split(/\s+/).length <= NAME_WORDS_MAX ? trimmed : undefined;
}
