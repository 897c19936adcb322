// The bytes of markup and the few steps of the HTML tokenizer that the tag reader takes over them.

/** Bytes that markup is made of. */
export const TAB = 9;
export const SPACE = 32;
export const EXCLAMATION = 33;
export const DOUBLE_QUOTE = 34;
export const SINGLE_QUOTE = 39;
export const DASH = 45;
export const SLASH = 47;
export const LESS = 60;
export const EQUALS = 61;
export const GREATER = 62;
export const QUESTION = 63;

const NAME_END = new Uint8Array(256);
for (const c of [TAB, 10, 12, 13, SPACE, SLASH, GREATER]) NAME_END[c] = 1;

/** No element whose name matters has a longer one. */
export const NAME_LENGTH_MAX = 9;

/** From inside a tag to behind its end; a quote counts only behind an equals sign. */
export function tagEnd(bytes: Uint8Array, start: number): number {
  const end = bytes.length;
  let i = start;
  while (i < end) {
    const c = bytes[i++];
    if (c === GREATER) return i;
    if (c !== EQUALS) continue;
    while (isBlank(bytes[i])) i++;
    const quote = bytes[i];
    if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
      i++;
      while (i < end && bytes[i] !== quote) i++;
      i++;
    } else {
      while (i < end && bytes[i] !== GREATER && !isBlank(bytes[i])) i++;
    }
  }
  return end;
}

/** Behind the name that begins at `start`. */
export function nameEnd(bytes: Uint8Array, start: number): number {
  let i = start;
  while (i < bytes.length && !isNameEnd(bytes[i] as number)) i++;
  return i;
}

/** Where `byte` next is, or the end. */
export function indexOrEnd(bytes: Uint8Array, byte: number, start: number): number {
  const found = bytes.indexOf(byte, start);
  return found < 0 ? bytes.length : found;
}

/** Follows whether a comment is open inside a script: there, a script may hold another script. */
export class ScriptComments {
  private isOpen = false;
  private at: number;

  /** `start` is where the script's text begins. */
  constructor(start: number) {
    this.at = start;
  }

  /** Whether a comment is open at `to`; each call goes on from the last one, so that a script is read once. */
  isOpenAt(bytes: Uint8Array, to: number): boolean {
    let i = bytes.indexOf(DASH, this.at);
    for (; i >= 0 && i < to; i = bytes.indexOf(DASH, i + 1)) {
      if (bytes[i + 1] !== DASH) continue;
      if (!this.isOpen && bytes[i - 1] === EXCLAMATION && bytes[i - 2] === LESS) this.isOpen = true;
      else if (this.isOpen && bytes[i + 2] === GREATER) this.isOpen = false;
    }
    this.at = Math.max(this.at, i < 0 ? bytes.length : to);
    return this.isOpen;
  }
}

/** Whether a tag name that begins at `start` is `name`, which must be lower case. */
export function startsWithName(bytes: Uint8Array, start: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) if (((bytes[start + i] ?? 0) | 32) !== name.charCodeAt(i)) return false;
  return isNameEnd(bytes[start + name.length] ?? 0);
}

/** The lower-case name, or nothing where it is longer than any that matters. */
export function nameOf(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > NAME_LENGTH_MAX) return '';
  let name = '';
  for (let i = start; i < end; i++) name += String.fromCharCode((bytes[i] ?? 0) | 32);
  return name;
}

/** Whether a byte is an ASCII letter, which is what a tag name begins with. */
export function isLetter(c: number): boolean {
  const lower = c | 32;
  return lower >= 97 && lower <= 122;
}

/** Whether a byte is one of the five blanks of HTML. */
export function isBlank(c: number | undefined): boolean {
  return c === SPACE || (c !== undefined && c >= TAB && c <= 13 && c !== 11);
}

/** Whether a byte ends a tag name. */
export function isNameEnd(c: number): boolean {
  return NAME_END[c] === 1;
}
