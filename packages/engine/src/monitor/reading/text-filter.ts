// What of a text counts: phrases that are ignored or looked for, white space, the order of lines.
import type { TextFilter } from '@weft/contract';
import type { RE2JS } from 're2js';
import { foldSpace } from '../../html/text.ts';
import { sha256 } from '../../sha256.ts';
import { foldCase, parsePhrases } from './phrases.ts';
import type { Phrase } from './phrases.ts';
import { readSteps } from './text-steps.ts';
import type { TextForm } from './watched-page.ts';

/** Characters of one text that are kept and compared; of what is behind them only the hash is. */
export const COMPARED_CHARS_MAX = 1_000_000;

/** A filter, ready to be used. */
export class LineFilter {
  private readonly filter: TextFilter;
  private readonly ignore: readonly Phrase[];
  /** What the steps make of a text. */
  readonly made: (text: string) => string;

  /** Throws PageError `selector` for an expression that is none. */
  constructor(filter: TextFilter) {
    this.filter = filter;
    this.ignore = parsePhrases(filter.ignore ?? []);
    this.made = readSteps(filter.steps ?? []);
  }

  /** How the texts are read that are compared. */
  get form(): TextForm {
    return { links: this.filter.links === true, asWritten: this.filter.keep_whitespace === true };
  }

  /** `text` without what is ignored: first what expressions match, then the lines that hold a phrase. */
  strip(text: string): { readonly text: string; readonly ignored: number } {
    let kept = text;
    let ignored = 0;
    for (const phrase of this.ignore) {
      if (!('regex' in phrase)) continue;
      const cut = withoutMatches(kept, phrase.regex);
      kept = cut.text;
      ignored += cut.count;
    }
    const phrases = this.ignore.flatMap((phrase) => ('folded' in phrase ? [phrase.folded] : []));
    if (phrases.length === 0) return { text: kept, ignored };
    const lines = kept.split('\n');
    const counted = lines.filter((line) => !holdsOneOf(line, phrases));
    return { text: counted.join('\n'), ignored: ignored + lines.length - counted.length };
  }

  /** A text without what is ignored, as it is compared. */
  canonical(stripped: string): string {
    const keeps = this.filter.keep_whitespace === true;
    const lines = keeps ? stripped.split('\n') : stripped.split('\n').flatMap(foldedLine);
    return capped((this.filter.sort_lines === true ? lines.toSorted() : lines).join('\n').toWellFormed());
  }

  /** What equality of texts as they are compared is decided by. */
  digest(compared: string): string {
    return digestOf(this.filter.keep_whitespace === true ? compared : compared.replaceAll('\n', ' '));
  }
}

/** SHA-256 of a text, in hex. */
export function digestOf(text: string): string {
  return sha256(new TextEncoder().encode(text));
}

/** Whether each of `phrases` is in `text`; of a plain one neither case nor white space counts. */
export function findPhrases(phrases: readonly string[], text: string): readonly { readonly phrase: string; readonly found: boolean }[] {
  if (phrases.length === 0) return [];
  const folded = foldCase(text);
  return parsePhrases(phrases).map((phrase) => ({
    phrase: phrase.written,
    found: 'regex' in phrase ? phrase.regex.matcher(text).find() : folded.includes(phrase.folded),
  }));
}

/** At most COMPARED_CHARS_MAX characters, then a line with how many more there are and their hash. */
export function capped(text: string): string {
  if (text.length <= COMPARED_CHARS_MAX) return text;
  const rest = text.slice(COMPARED_CHARS_MAX);
  return `${text.slice(0, COMPARED_CHARS_MAX).toWellFormed()}\n[${rest.length} more characters, SHA-256 ${digestOf(rest)}]`;
}

/** A phrase of white space alone is in every line; it then means nothing. */
function holdsOneOf(line: string, phrases: readonly string[]): boolean {
  const folded = foldCase(line);
  return phrases.some((phrase) => phrase !== '' && folded.includes(phrase));
}

function foldedLine(line: string): readonly string[] {
  const folded = foldSpace(line.includes('\u200b') ? line.replaceAll('\u200b', ' ') : line).trim();
  return folded === '' ? [] : [folded];
}

function withoutMatches(text: string, regex: RE2JS): { readonly text: string; readonly count: number } {
  const matcher = regex.matcher(text);
  let kept = '';
  let from = 0;
  let count = 0;
  while (matcher.find()) {
    if (matcher.end() === matcher.start()) continue;
    kept += text.slice(from, matcher.start());
    from = matcher.end();
    count++;
  }
  return { text: count === 0 ? text : kept + text.slice(from), count };
}
