// Masks the values in use in whatever a site sent back (D34), in every form that a site would send them in.
import type { Range, Units } from './automaton.ts';
import { createAutomaton } from './automaton.ts';
import { encodingsOf } from './encodings.ts';

/** What stands in the place of a value. */
export const MASK = '[masked]';

/** Masks in one pass, whatever the number of values. What holds none of them comes back as it is. */
export interface Masker {
  text(text: string): string;
  /** A JSON value with every text, name and number in it masked; a number that holds a value becomes a text. */
  json<Value>(value: Value): Value | string;
  /** UTF-8, or any other bytes. */
  bytes(bytes: Uint8Array): Uint8Array;
}

/** A shorter value stands in words that have nothing to do with it: it is masked only where it stands by itself. */
const CHARS_MIN = 4;

const encoder = new TextEncoder();

/**
 * A masker of these values. A value of fewer than four characters is masked only as a word of its own and only as it is.
 */
export function createMasker(values: Iterable<string>): Masker {
  const given = [...new Set(values)].filter((value) => value !== '');
  const forms = given.filter((value) => value.length >= CHARS_MIN).flatMap((value) => [...encodingsOf(value)]);
  const short = wordsPattern(given.filter((value) => value.length < CHARS_MIN));
  const inText = createAutomaton(forms.map(unitsOf));
  const inBytes = createAutomaton(forms.map((form) => bytesOf(encoder.encode(form))));
  const text = (whole: string) => {
    const masked = masking(whole, inText(unitsOf(whole)));
    return short ? masked.replace(short, MASK) : masked;
  };
  return {
    text,
    // The shape is that of the value but for its texts, and for numbers that hold a value.
    json: <Value>(value: Value) => maskJson(value, text) as Value | string,
    bytes: (bytes) => maskBytes(bytes, inBytes(bytesOf(bytes))),
  };
}

function unitsOf(text: string): Units {
  return { length: text.length, at: (index) => text.charCodeAt(index) };
}

function bytesOf(bytes: Uint8Array): Units {
  return { length: bytes.length, at: (index) => bytes[index] ?? 0 };
}

function wordsPattern(words: readonly string[]): RegExp | undefined {
  if (words.length === 0) return undefined;
  const alternatives = words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|');
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])`, 'gu');
}

function masking(text: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return text;
  let masked = '';
  let from = 0;
  for (const { start, end } of ranges) {
    masked += text.slice(from, start) + MASK;
    from = end;
  }
  return masked + text.slice(from);
}

function maskBytes(bytes: Uint8Array, ranges: readonly Range[]): Uint8Array {
  if (ranges.length === 0) return bytes;
  const mask = encoder.encode(MASK);
  const hidden = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
  const masked = new Uint8Array(bytes.length - hidden + ranges.length * mask.length);
  let from = 0;
  let to = 0;
  const put = (part: Uint8Array) => {
    masked.set(part, to);
    to += part.length;
  };
  for (const { start, end } of ranges) {
    put(bytes.subarray(from, start));
    put(mask);
    from = end;
  }
  put(bytes.subarray(from));
  return masked;
}

function maskJson(value: unknown, text: (whole: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') return text(String(value)) === String(value) ? value : MASK;
  if (Array.isArray(value)) return value.map((item) => maskJson(item, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [text(name), maskJson(member, text)]));
}
