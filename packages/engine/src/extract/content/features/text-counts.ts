// Counts what a text is made of, in one pass.

/** Counts over one text; words are parted by blanks. */
export interface TextCounts {
  readonly words: number;
  readonly commas: number;
  /** Marks that end a sentence, before a blank or at the end. */
  readonly sentences: number;
  /** ASCII digits. */
  readonly digits: number;
  /** Words that begin with a capital. */
  readonly capitals: number;
  /** Characters that are neither letters, numbers, blanks nor the marks of plain prose. */
  readonly symbols: number;
}

const BLANK = 1;
const COMMA = 2;
const STOP = 4;
const DIGIT = 8;
const CAPITAL = 16;
const SYMBOL = 32;
/** Set for a character that was looked at, so that 0 means unknown. */
const KNOWN = 64;

const BLANK_CODE = 0x20;
/** The kinds of UTF-16 code units that are characters, learnt as they come. */
const KINDS = new Uint8Array(0x10000);

/** The counts of `text`, whose white space is folded and trimmed; a character outside the basic plane counts once. */
export function countText(text: string): TextCounts {
  let [words, commas, sentences, digits, capitals, symbols] = [1, 0, 0, 0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const kind = kindAt(text, at);
    if (kind === KNOWN) continue;
    if ((kind & BLANK) !== 0) words++;
    if ((kind & COMMA) !== 0) commas++;
    if ((kind & STOP) !== 0 && (at + 1 === text.length || text.charCodeAt(at + 1) === BLANK_CODE)) sentences++;
    if ((kind & DIGIT) !== 0) digits++;
    if ((kind & CAPITAL) !== 0 && (at === 0 || text.charCodeAt(at - 1) === BLANK_CODE)) capitals++;
    if ((kind & SYMBOL) !== 0) symbols++;
  }
  return { words, commas, sentences, digits, capitals, symbols };
}

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (isSurrogate(code)) return kindOfSurrogate(text, at);
  const known = KINDS[code] as number;
  return known === 0 ? (KINDS[code] = kindOf(text.charAt(at))) : known;
}

/** The first half of a pair stands for the whole character. */
function kindOfSurrogate(text: string, at: number): number {
  const isSecondHalf = at > 0 && (text.codePointAt(at - 1) as number) > 0xffff;
  return isSecondHalf ? KNOWN : kindOf(String.fromCodePoint(text.codePointAt(at) as number));
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xe000;
}

function kindOf(character: string): number {
  return (
    KNOWN |
    (character === ' ' ? BLANK : 0) |
    (/[,，、]/.test(character) ? COMMA : 0) |
    (/[.!?。！？]/.test(character) ? STOP : 0) |
    (/\d/.test(character) ? DIGIT : 0) |
    (/\p{Lu}/u.test(character) ? CAPITAL : 0) |
    (/[^\p{L}\p{N}\s.,'’"“”-]/u.test(character) ? SYMBOL : 0)
  );
}
