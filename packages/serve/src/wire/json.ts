// Reads a JSON request body strictly (RFC 8259), and refuses what would be silently changed or could exhaust the process.
import { AppError, LIMITS } from '@weft/contract';
import { printable } from '../kernel/validate.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The value of a UTF-8 JSON text. Throws AppError `bad_request` for anything else, and for a byte order mark, nesting deeper than
 * LIMITS.jsonDepthMax, an object with more than LIMITS.jsonMembersMax members, a name that stands twice in one object, `__proto__`, a lone surrogate, and numbers that a double can't hold.
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  const value = parse(text);
  checkTokens(text);
  return value;
}

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new AppError('bad_request', 'The body is not valid UTF-8.');
  }
  if (text.startsWith('\uFEFF')) throw new AppError('bad_request', 'The body begins with a byte order mark; send JSON without one.');
  return text;
}

function parse(text: string): unknown {
  if (text.trim() === '') throw new AppError('bad_request', 'The body is empty; send a JSON object.');
  checkDepth(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('bad_request', `The body is not valid JSON: ${printable(faultOf(error as Error), 200)}.`);
  }
}

/** What V8 says is wrong, without the piece of the body that it quotes: that may be a secret. */
function faultOf({ message }: Error): string {
  return message.replace(/^"[^]*" is not valid JSON$/, 'this is no value').replace(/,? (\.\.\.)?"[^]*$/, '');
}

/** Before JSON.parse, so that deep nesting costs one scan and no stack. */
function checkDepth(text: string): void {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) i = endOfString(text, i);
    else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      if (++depth > LIMITS.jsonDepthMax) throw new AppError('bad_request', `The body is nested deeper than ${LIMITS.jsonDepthMax} levels.`);
    } else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) depth--;
  }
}

const BLANK = 32;
const QUOTE = 34;
const COLON = 58;
const BACKSLASH = 92;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

/** Index of the closing quote of the string that opens at `start`; the text's end where it never closes. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === BACKSLASH) i++;
    else if (c === QUOTE) return i;
  }
  return text.length;
}

/** Walks the tokens of a text that JSON.parse accepted, for what it accepts without a word. */
function checkTokens(text: string): void {
  const names: Set<string>[] = [];
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === OPEN_BRACE) names.push(new Set());
    else if (c === CLOSE_BRACE) names.pop();
    else if (c === QUOTE) {
      const end = endOfString(text, i);
      const raw = text.slice(i + 1, end);
      const string = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
      if (!string.isWellFormed()) throw new AppError('bad_request', 'The body holds half of a surrogate pair; send valid Unicode text.');
      if (isName(text, end)) checkName(string, names.at(-1));
      i = end;
    } else if (isNumberStart(c)) {
      const end = endOfNumber(text, i);
      checkNumber(text.slice(i, end));
      i = end - 1;
    }
  }
}

function isName(text: string, closingQuote: number): boolean {
  let i = closingQuote + 1;
  // JSON's four white spaces are the only characters up to the blank that JSON.parse lets stand here.
  while (text.charCodeAt(i) <= BLANK) i++;
  return text.charCodeAt(i) === COLON;
}

function checkName(name: string, names: Set<string> | undefined): void {
  if (name === '__proto__') throw new AppError('bad_request', 'The body uses the name "__proto__", which is not accepted.');
  if (names?.has(name)) throw new AppError('bad_request', `The body has "${printable(name)}" twice in one object.`);
  if (names && names.size >= LIMITS.jsonMembersMax)
    throw new AppError('bad_request', `An object of the body has more than ${LIMITS.jsonMembersMax} members; send less at once.`);
  names?.add(name);
}

function isNumberStart(c: number): boolean {
  return c === 45 || (c >= 48 && c <= 57);
}

function endOfNumber(text: string, start: number): number {
  let i = start;
  while (i < text.length && /[-+.eE0-9]/.test(text[i] as string)) i++;
  return i;
}

function checkNumber(literal: string): void {
  const value = Number(literal);
  if (!Number.isFinite(value)) throw new AppError('bad_request', `The number ${literal.slice(0, 40)} is too large for a double.`);
  if (/^-?\d+$/.test(literal) && !Number.isSafeInteger(value))
    throw new AppError('bad_request', `The integer ${literal.slice(0, 40)} can't be held exactly; send it as a string.`);
}
