// How the index compares text: without case and accents. Pure; each character stays at its place.

const PLAIN = /^[\0-\x7f]*$/;
/** Latin, Greek and Cyrillic letters that carry marks; other scripts are compared as they are written. */
const MARKED = /[\u00c0-\u024f\u0370-\u03ff\u0400-\u052f\u1e00-\u1fff]/g;
const SCRIPTS_WITHOUT_SPACES = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}]';
/** What the index takes for a part of a word (its tokenizer, unicode61). */
const WORD_CHARACTER = '[\\p{L}\\p{N}\\p{Co}\\p{M}]';
const IS_WORD_CHARACTER = new RegExp(`^${WORD_CHARACTER}`, 'u');
const IS_UNSPACED = new RegExp(`^${SCRIPTS_WITHOUT_SPACES}`, 'u');
const BETWEEN_UNSPACED = new RegExp(`(?<=${SCRIPTS_WITHOUT_SPACES})(?=${SCRIPTS_WITHOUT_SPACES})`, 'gu');
/** The blocks of those scripts: most texts have none of them, and this is the cheap way to know. */
const MAY_BE_UNSPACED = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\ud840-\ud888]/;

/** A word of the index. */
export const WORD = new RegExp(`${WORD_CHARACTER}+`, 'gu');

/** `text` in lower case and without accents, as long as it was; it should be in the composed form (NFC). */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  const lower = text.toLowerCase();
  // A few capitals become two letters in lower case.
  const even = lower.length === text.length ? lower : text.replaceAll(/\p{Lu}/gu, lowerOfOneLength);
  return even.replaceAll(MARKED, baseOf);
}

/** Each character of a script without spaces as a word of its own, so that a part of a sentence is found. Other text stays as it is. */
export function separateWords(text: string): string {
  return MAY_BE_UNSPACED.test(text) ? text.replaceAll(BETWEEN_UNSPACED, ' ') : text;
}

/** True where no word goes on from before `at` to behind it; true at both ends of a text. */
export function isWordEdge(text: string, at: number): boolean {
  const before = characterBefore(text, at);
  const behind = text.slice(at, at + 2);
  if (!isWordCharacter(before) || !isWordCharacter(behind)) return true;
  return IS_UNSPACED.test(before) && IS_UNSPACED.test(behind);
}

/** True where `text` begins with a part of a word. */
export function isWordCharacter(text: string): boolean {
  const code = text.charCodeAt(0);
  // Digits, capitals and small letters; nothing in an empty text.
  if (!(code > 0x7f)) return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  return IS_WORD_CHARACTER.test(text);
}

function characterBefore(text: string, at: number): string {
  const code = text.charCodeAt(at - 1);
  return text.slice(Math.max(0, code >= 0xdc00 && code <= 0xdfff ? at - 2 : at - 1), at);
}

function lowerOfOneLength(capital: string): string {
  const lower = capital.toLowerCase();
  return lower.length === capital.length ? lower : (lower[0] ?? capital);
}

function baseOf(letter: string): string {
  return letter.normalize('NFD')[0] ?? letter;
}
