// What an extractor makes of the parts that a selector found: a value with the text that shows it, or why there is none.
import type { ExtractorSpec } from '@weft/contract';
import type { JsonValue } from '../../../html/loose-json.ts';
import type { FoundPart, ReadingTally } from '../parts.ts';
import type { LineFilter } from '../text-filter.ts';
import type { WatchedPage } from '../watched-page.ts';

/** A value, or why there is none. */
export type Outcome = Found | { readonly problem: string };

/** A value as it is kept, shown and compared. */
export interface Found {
  readonly value: JsonValue;
  /** In lines. */
  readonly text: string;
  /** Absent where it is the text. */
  readonly compared?: string;
}

/** What an extractor reads. */
export interface Reading {
  readonly spec: ExtractorSpec;
  /** At least one, in the order of the page; of those that are shown and those that are hidden the shown ones. */
  readonly parts: readonly FoundPart[];
  /** How many matches there are, and how many of them are too many to be read. */
  readonly matches: number;
  readonly unread: number;
  /** All of them are read, and the value is a list. */
  readonly many: boolean;
  readonly page: WatchedPage;
  readonly filter: LineFilter;
  readonly tally: ReadingTally;
}

/** Reads a text with no value of its own to show. */
export function found(value: JsonValue, text: string = String(value), compared?: string): Found {
  return { value, text, ...(compared === undefined ? {} : { compared }) };
}

/** The first 60 characters of what was read, for sentences about it. */
export function quoted(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return `"${line.length > 60 ? `${line.slice(0, 59)}…` : line}"`;
}
