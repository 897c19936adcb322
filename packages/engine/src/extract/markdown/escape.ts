// Writes text so that a Markdown reader sees the same characters: a backslash only where the literal would mean something.
import { classOf, isAsciiPunctuation, isDigit, isHtmlBlank } from './characters.ts';

/** What stands around the text, as far as it decides what must be escaped. */
export interface TextPlace {
  /** The code point written before the text on this line; -1 at its start. */
  readonly before: number;
  readonly inLink: boolean;
  readonly inStrike: boolean;
  readonly inCell: boolean;
  readonly inHeading: boolean;
}

const BLANK = 1;
const SPECIAL = 2;
const CLASS = new Uint8Array(128);
for (const char of '\t\n\f\r ') CLASS[char.charCodeAt(0)] = BLANK;
for (const char of '\\`*_~[]<&|#(:') CLASS[char.charCodeAt(0)] = SPECIAL;

/** The longest word that is looked at to find out whether it is an address. */
const ADDRESS_LOOKBACK = 200;
const ENTITY = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/y;
const ADDRESS = /(?:https?:\/\/|www\.)[^\s<]*$/i;

/** Appends `text` from `start` to `end` to `parts`: white space folded to one blank, literals escaped. */
export function pushText(parts: string[], text: string, start: number, end: number, place: TextPlace): void {
  let from = start;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    const kind = code < 128 ? CLASS[code] : 0;
    if (kind === 0) continue;
    if (kind === BLANK) {
      if (code === 32 && !isHtmlBlank(text.charCodeAt(i + 1))) continue;
      parts.push(`${text.slice(from, i)} `);
      while (i + 1 < end && isHtmlBlank(text.charCodeAt(i + 1))) i++;
      from = i + 1;
      continue;
    }
    const run = runLength(text, i, end, code);
    if (needsEscape(text, i, run, start, end, place)) {
      parts.push(`${text.slice(from, i)}${escapeRun(text, i, run)}`);
      from = i + run;
    }
    i += run - 1;
  }
  if (from < end) parts.push(from === 0 && end === text.length ? text : text.slice(from, end));
}

/** Emphasis marks are judged as a run, since Markdown reads them so; other characters one by one. */
function runLength(text: string, start: number, end: number, code: number): number {
  if (code !== 0x2a && code !== 0x5f && code !== 0x7e && code !== 0x60) return 1;
  let length = 1;
  while (start + length < end && text.charCodeAt(start + length) === code) length++;
  return length;
}

function escapeRun(text: string, start: number, length: number): string {
  return `\\${text[start]}`.repeat(length);
}

function needsEscape(text: string, at: number, run: number, start: number, end: number, place: TextPlace): boolean {
  const before = at > start ? text.charCodeAt(at - 1) : place.before;
  const atEnd = at + run >= end;
  const after = atEnd ? -1 : text.charCodeAt(at + run);
  switch (text.charCodeAt(at)) {
    case 0x5c: // \
      return atEnd || isAsciiPunctuation(after);
    case 0x60: // `
      return true;
    case 0x2a: // *
      return !(isEdge(before) && after !== -1 && isEdge(after)) && !isInAddress(text, at, start, after);
    case 0x5f: // _
      return !isBetweenWords(before, after) && !(isEdge(before) && after !== -1 && isEdge(after)) && !isInAddress(text, at, start, after);
    case 0x7e: // ~
      return (
        (run <= 2 || before === -1) &&
        (place.inStrike || !(after !== -1 && isLoneTilde(text, at, run, start, before))) &&
        !isInAddress(text, at, start, after)
      );
    case 0x5b: // [
    case 0x5d: // ]
      return place.inLink;
    case 0x28: // (
    case 0x3a: // :
      return before === 0x5d;
    case 0x3c: // <
      return atEnd || after === 0x2f || after === 0x21 || after === 0x3f || isLetter(after);
    case 0x26: // &
      ENTITY.lastIndex = at;
      return ENTITY.test(text);
    case 0x7c: // |
      return place.inCell;
    default:
      return place.inHeading && isEdge(before);
  }
}

function isEdge(code: number): boolean {
  return code === -1 || isHtmlBlank(code);
}

/** `snake_case` can't open or close emphasis. */
function isBetweenWords(before: number, after: number): boolean {
  return before !== -1 && after !== -1 && classOf(before) === 'word' && classOf(after) === 'word';
}

/** The first single tilde of a text strikes nothing through, as nothing opened before it. */
function isLoneTilde(text: string, at: number, run: number, start: number, before: number): boolean {
  return run === 1 && isEdge(before) && text.lastIndexOf('~', at - 1) < start;
}

/** Readers take a bare address as it is written, backslashes included; what ends it is not part of it. */
function isInAddress(text: string, at: number, start: number, after: number): boolean {
  if (after === -1 || classOf(after) !== 'word') return false;
  return ADDRESS.test(text.slice(Math.max(start, at - ADDRESS_LOOKBACK), at));
}

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** How many characters from `start` must go behind what `escapeLineStart` returns. */
export interface LineStart {
  readonly written: string;
  readonly next: number;
}

/**
 * The escaped form of what would open a block at the start of a line (list, heading, quote, underline, table, fence), and where
 * the rest of the text begins; undefined when the text is harmless there.
 */
export function escapeLineStart(text: string, start: number, end: number): LineStart | undefined {
  const code = text.charCodeAt(start);
  if (isDigit(code)) return escapeNumber(text, start, end);
  if (code > 0x7e || !opensBlock(text, start, end)) return undefined;
  return { written: `\\${text[start]}`, next: start + 1 };
}

function opensBlock(text: string, start: number, end: number): boolean {
  const after = start + 1 < end ? text[start + 1] : '';
  const isAlone = after === '' || isHtmlBlank(text.charCodeAt(start + 1));
  switch (text[start]) {
    case '>':
    case '|':
    case '=':
      return true;
    case '#':
      return isAlone || after === '#';
    case '-':
      return isAlone || after === '-' || after === '|' || after === ':';
    case '+':
    case '*':
      return isAlone;
    case ':':
      return after === '-' || isAlone;
    case '~':
      return after === '~' || after === '';
    case '[':
      return isTaskMark(text, start, end);
    default:
      return false;
  }
}

/** `[ ]` or `[x]` would make the item a task. */
function isTaskMark(text: string, start: number, end: number): boolean {
  return end - start >= 3 && /[ xX\t\n]/.test(text[start + 1] ?? '') && text[start + 2] === ']';
}

function escapeNumber(text: string, start: number, end: number): LineStart | undefined {
  let at = start;
  while (at < end && at - start < 10 && isDigit(text.charCodeAt(at))) at++;
  if (at >= end || !isNumberMark(text, at, end)) return undefined;
  return { written: `${text.slice(start, at)}\\${text[at]}`, next: at + 1 };
}

/** True when `text` goes on with the dot or parenthesis that would make digits before it a list number. */
export function isNumberMark(text: string, at: number, end: number): boolean {
  const mark = text[at];
  return (mark === '.' || mark === ')') && (at + 1 >= end || isHtmlBlank(text.charCodeAt(at + 1)));
}
