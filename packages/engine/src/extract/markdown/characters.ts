// Classes of characters as CommonMark 0.31 (section 2.1) counts them.

/** `either`: symbols outside ASCII, which readers before CommonMark 0.31, or those that see code units, take for letters. */
export type CharacterClass = 'blank' | 'punctuation' | 'word' | 'either';

const INVISIBLE = /^[\s\u00ad\u200b-\u200d\u2060\ufeff]+$/;
const INVISIBLE_MAX = 8;
const UNICODE_BLANK = /^[\p{Zs}\t\n\f\r]$/u;
const UNICODE_PUNCTUATION = /^\p{P}$/u;
const UNICODE_SYMBOL = /^\p{S}$/u;

/** The class of a code point; -1, the edge of a line, is blank. */
export function classOf(code: number): CharacterClass {
  if (code < 128) {
    if (code <= 32) return 'blank';
    return isAsciiPunctuation(code) ? 'punctuation' : 'word';
  }
  const char = String.fromCodePoint(code);
  if (UNICODE_BLANK.test(char)) return 'blank';
  if (code > 0xffff || UNICODE_SYMBOL.test(char)) return 'either';
  return UNICODE_PUNCTUATION.test(char) ? 'punctuation' : 'word';
}

/** True when Markdown may read the character as part of a word. */
export function mayBeWord(code: number): boolean {
  const kind = classOf(code);
  return kind === 'word' || kind === 'either';
}

/** ASCII punctuation, which a backslash can escape (CommonMark 2.4). */
export function isAsciiPunctuation(code: number): boolean {
  return (code >= 33 && code <= 47) || (code >= 58 && code <= 64) || (code >= 91 && code <= 96) || (code >= 123 && code <= 126);
}

/** HTML's white space: tab, line feed, form feed, carriage return, blank. */
export function isHtmlBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13 && code !== 11);
}

/** True for an ASCII digit. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** True for what pages put into empty paragraphs to keep them open: a few no-break spaces and characters without width. */
export function isInvisible(text: string, start: number, end: number): boolean {
  return end - start <= INVISIBLE_MAX && INVISIBLE.test(text.slice(start, end));
}

/** The code point that ends `text`; -1 for the empty string. */
export function lastCodePoint(text: string): number {
  if (text.length === 0) return -1;
  const code = text.charCodeAt(text.length - 1);
  return code >= 0xdc00 && code <= 0xdfff ? (text.codePointAt(text.length - 2) ?? code) : code;
}
