// Phrases that people look for in texts: plain ones, in which neither case nor white space counts, and expressions of RE2.
import type { RE2JS } from 're2js';
import { compileRegex } from '../../html/selectors/regex.ts';
import { foldSpace } from '../../html/text.ts';

/** One phrase, ready to be looked for. */
export type Phrase = { readonly written: string } & ({ readonly folded: string } | { readonly regex: RE2JS });

/** Throws PageError `selector` for an expression that is none. */
export function parsePhrases(written: readonly string[]): readonly Phrase[] {
  return written.map((phrase) =>
    /^\/.+\/[a-z]*$/s.test(phrase) ? { written: phrase, regex: compileRegex(phrase) } : { written: phrase, folded: foldCase(phrase) },
  );
}

/** Whether `text` holds it; one of white space alone is in every text. */
export function isHeld(phrase: Phrase, text: string): boolean {
  return 'regex' in phrase ? phrase.regex.matcher(text).find() : foldCase(text).includes(phrase.folded);
}

export function foldCase(text: string): string {
  return foldSpace(text).trim().toLowerCase();
}
