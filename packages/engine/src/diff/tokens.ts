// Cuts texts into what is compared: lines and words. The tokens of a text, put together, are the text.

/**
 * A number with its separators (`1,299.00`, `18:30`); letters and digits with the marks on them; one character of a script that
 * puts no spaces between words; else a run of white space, a line break, or one character.
 */
const WORD =
  /\r?\n|[^\S\r\n]+|\p{N}+(?:[.,:]\p{N}+)+|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]\p{M}*|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}])[\p{L}\p{M}\p{N}_])+|./gsu;
const IS_WORD = /[\p{L}\p{N}]/u;

/** The lines of a text, each with its line feed; the last has none where the text ends without one. An empty text has no lines. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Words, white space and signs, in order. */
export function wordsOf(text: string): string[] {
  return text.match(WORD) ?? [];
}

/** Whether a token says something: it holds a letter or a digit. */
export function isWord(token: string): boolean {
  return IS_WORD.test(token);
}
