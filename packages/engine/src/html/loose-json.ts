// Reads JSON the way pages really write it: JavaScript literals, comments, stray commas, raw line breaks. Nothing is executed.

/** Any value of JSON. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
/** An object of JSON; its members may be absent. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Containers nested deeper than this make the value unreadable. */
export const JSON_DEPTH_MAX = 200;

const NAMED: Readonly<Record<string, JsonValue>> = {
  true: true,
  false: false,
  null: null,
  undefined: null,
  NaN: null,
  '!0': true,
  '!1': false,
};
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0', '\n': '' };
/** What a string holds up to its end or the next escape, by quote. */
const PLAIN: Readonly<Record<string, RegExp>> = { '"': /[^"\\]+/y, "'": /[^'\\]+/y, '`': /[^`\\]+/y };

/** True for a JSON object: neither array nor null. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every value found one after another in `text`; what can't be read ends the list. Strict JSON takes the fast way. */
export function parseLooseJson(text: string): readonly JsonValue[] {
  const strict = parseJson(text);
  if (strict !== undefined) return [strict];
  const values: JsonValue[] = [];
  let at = nextContainer(text, 0);
  while (at >= 0) {
    const read = readLooseValue(text, at);
    if (read.value === undefined) break;
    values.push(read.value);
    at = nextContainer(text, read.end);
  }
  return values;
}

/** The value that starts at `start` (after blanks and comments), undefined where none can be read, and the offset where reading ended. */
export function readLooseValue(text: string, start: number): { readonly value: JsonValue | undefined; readonly end: number } {
  const reader = new LooseReader(text, start);
  try {
    return { value: reader.value(0), end: reader.at };
  } catch (error) {
    if (error instanceof Unreadable) return { value: undefined, end: reader.at };
    throw error;
  }
}

/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    // JSON.parse gives nothing but JSON.
    return JSON.parse(text.replace(/^\ufeff/, '')) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Offset of the next `{` or `[` outside comments, -1 without one; passes over wrappers such as `<!--` and `//<![CDATA[`. */
function nextContainer(text: string, from: number): number {
  const pattern = /\/\*[^]*?\*\/|\/\/\s*<?!?\[CDATA\[|<!\[CDATA\[|\/\/[^\n]*|[{[]/g;
  pattern.lastIndex = from;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    if (match[0] === '{' || match[0] === '[') return match.index;
  }
  return -1;
}

class Unreadable extends Error {}

class LooseReader {
  readonly text: string;
  at: number;

  constructor(text: string, at: number) {
    this.text = text;
    this.at = at;
  }

  value(depth: number): JsonValue {
    if (depth > JSON_DEPTH_MAX) throw new Unreadable('depth');
    this.skipBlank();
    const char = this.text[this.at];
    if (char === '{') return this.object(depth);
    if (char === '[') return this.array(depth);
    if (char === '"' || char === "'" || char === '`') return this.string(char);
    return this.word();
  }

  private object(depth: number): JsonObject {
    const entries: [string, JsonValue][] = [];
    this.at++;
    for (;;) {
      this.skipCommas();
      if (this.take('}')) return Object.fromEntries(entries);
      const key = this.key();
      this.skipBlank();
      if (!this.take(':')) throw new Unreadable('colon');
      entries.push([key, this.value(depth + 1)]);
    }
  }

  private array(depth: number): readonly JsonValue[] {
    const items: JsonValue[] = [];
    this.at++;
    for (;;) {
      this.skipCommas();
      if (this.take(']')) return items;
      items.push(this.value(depth + 1));
    }
  }

  private key(): string {
    const char = this.text[this.at];
    if (char === '"' || char === "'") return this.string(char);
    return this.match(/[\w$@.-]+/y) ?? fail('key');
  }

  /** Raw control characters stay in the string; an escape that JSON doesn't know means its own character. */
  private string(quote: string): string {
    let value = '';
    this.at++;
    while (this.at < this.text.length) {
      value += this.match(PLAIN[quote] as RegExp) ?? '';
      if (this.take(quote)) return value;
      if (this.text[this.at] === '\\') value += this.escape();
    }
    return fail('string');
  }

  private escape(): string {
    const char = this.text[this.at + 1] ?? '';
    this.at += 2;
    const digits = char === 'u' ? 4 : char === 'x' ? 2 : 0;
    const code = this.text.slice(this.at, this.at + digits);
    if (digits && code.length === digits && /^[0-9a-f]+$/i.test(code)) {
      this.at += digits;
      return String.fromCharCode(Number.parseInt(code, 16));
    }
    return ESCAPES[char] ?? char;
  }

  private word(): JsonValue {
    const number = this.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?(?![\w$])/iy);
    if (number !== undefined) return Number(number);
    const name = this.match(/!?\w+/y) ?? fail('word');
    return Object.hasOwn(NAMED, name) ? (NAMED[name] as JsonValue) : fail('name');
  }

  private skipBlank(): void {
    this.match(/(?:\s|\ufeff|\/\*[^]*?\*\/|\/\/[^\n]*|<!--|-->)+/y);
  }

  private skipCommas(): void {
    this.skipBlank();
    while (this.take(',')) this.skipBlank();
  }

  private take(char: string): boolean {
    if (this.text[this.at] !== char) return false;
    this.at++;
    return true;
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }
}

function fail(what: string): never {
  throw new Unreadable(what);
}
