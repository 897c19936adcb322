// Tells by a first look at its bytes that an answer is a page and nothing else: most are, and a full look costs as much as loading them.

/** What of an answer is looked at. */
export interface AnsweredPage {
  readonly status: number;
  readonly contentType: string | undefined;
  /** Lower-case names. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** More letters than any bot check, wall or shell shows. */
const ENOUGH = 1_501;
/** A character reference such as `&nbsp;` is one blank. */
const REFERENCE_BYTES = 6;
const HOLES_MAX = 3;
/** Eighty letters, which can take four bytes each. */
const HOLE_BYTES_MAX = 320;
/** Headers by which bot checks say what they are. */
const CHECK_HEADERS: ReadonlySet<string> = new Set(['cf-mitigated', 'x-amzn-waf-action', 'x-datadome']);
/** What stands between the tags of these is not for readers; names by `nameKey`. */
const HIDDEN = new Map(
  ['script', 'style', 'template', 'textarea', 'select', 'svg', 'title', 'iframe'].map((name) => [
    nameKey(name.charCodeAt(0), name.charCodeAt(2)),
    { start: new TextEncoder().encode(name), end: new TextEncoder().encode(`</${name}`) },
  ]),
);
/** By `nameKey`, whether a tag may begin something hidden: a look at this is cheaper than at the map, and most tags begin nothing of the kind. */
const MAY_HIDE = new Uint8Array(0x10000);
for (const key of HIDDEN.keys()) MAY_HIDE[key] = 1;
const COMMENT_START = new TextEncoder().encode('<!--');
const COMMENT_END = new TextEncoder().encode('-->');

const EXCLAMATION = 33;
const AMPERSAND = 38;
const BLANK = 32;
const GREATER = 62;
const LESS = 60;
const BRACE = 123;
const CLOSING_BRACE = 125;
const LINE_FEED = 10;

/**
 * True for HTML with more visible text than stands before anything: `decideLane` would keep it. False says nothing. Reads no further than
 * it must.
 */
export function isPlainPage({ status, contentType, headers, body }: AnsweredPage): boolean {
  if (status < 200 || status >= 300 || contentType === undefined) return false;
  return (
    /html/i.test(contentType) &&
    !isWide(contentType, body) &&
    !hasHoles(body) &&
    showsText(body, /utf-?8/i.test(contentType)) &&
    !announcesCheck(headers)
  );
}

/** Whether a letter takes two bytes whatever it is. */
function isWide(contentType: string, body: Uint8Array): boolean {
  return /utf-?(?:16|32)/i.test(contentType) || body[0] === 0xfe || body[0] === 0xff;
}

/** Whether there are holes of a template that scripts would fill, such as `{{ name }}`: as many as `decideLane` asks for. */
function hasHoles(body: Uint8Array): boolean {
  let holes = 0;
  for (let at = body.indexOf(BRACE); at >= 0; at = body.indexOf(BRACE, at + 1)) {
    if (body[at + 1] === BRACE && isHole(body, at + 2) && ++holes >= HOLES_MAX) return true;
  }
  return false;
}

function isHole(body: Uint8Array, start: number): boolean {
  let at = start;
  while (at < start + HOLE_BYTES_MAX && at < body.length && body[at] !== BRACE && body[at] !== CLOSING_BRACE && body[at] !== LINE_FEED)
    at++;
  return at > start && body[at] === CLOSING_BRACE && body[at + 1] === CLOSING_BRACE;
}

function announcesCheck(headers: AnsweredPage['headers']): boolean {
  return headers.some(([name]) => CHECK_HEADERS.has(name));
}

/** Letters beyond ASCII count in UTF-8 only, once each: elsewhere two bytes can be one letter. */
function showsText(body: Uint8Array, isUtf8: boolean): boolean {
  const firstBeyond = isUtf8 ? 0xc0 : 0x100;
  const end = body.length;
  let shown = 0;
  for (let at = 0; at < end; at++) {
    const c = body[at] as number;
    if (c === LESS) {
      const first = body[at + 1] as number;
      const mayHide = first === EXCLAMATION || MAY_HIDE[nameKey(first, body[at + 3] as number)] === 1;
      const hidden = mayHide ? endOfHidden(body, at) : 0;
      if (hidden > at) at = hidden;
      // Most tags are short: a loop finds their end before a search has begun.
      else while (at < end && body[at] !== GREATER) at++;
    } else if (c === AMPERSAND) shown -= REFERENCE_BYTES;
    else if (c > BLANK && (c < 0x80 || c >= firstBeyond) && ++shown >= ENOUGH) return true;
  }
  return false;
}

/** Where what begins with the `<` at `open` and is hidden has its last byte, its end tag left out; 0 where nothing hidden begins. */
function endOfHidden(body: Uint8Array, open: number): number {
  const first = body[open + 1] as number;
  if (first === EXCLAMATION) return startsWith(body, open, COMMENT_START) ? find(body, COMMENT_END, open + COMMENT_START.length) + 2 : 0;
  const name = HIDDEN.get(nameKey(first, body[open + 3] as number));
  return name && startsWith(body, open + 1, name.start) ? find(body, name.end, Math.max(body.indexOf(GREATER, open), open)) - 1 : 0;
}

/** Where the lower-case `mark` next is, or the end. */
function find(body: Uint8Array, mark: Uint8Array, start: number): number {
  const first = mark[0] as number;
  for (let at = body.indexOf(first, start); at >= 0; at = body.indexOf(first, at + 1)) if (startsWith(body, at, mark)) return at;
  return body.length;
}

function startsWith(body: Uint8Array, at: number, mark: Uint8Array): boolean {
  for (let i = 0; i < mark.length; i++) if (((body[at + i] ?? 0) | 32) !== ((mark[i] as number) | 32)) return false;
  return true;
}

/** The first and third letter tell the hidden elements apart. */
function nameKey(first: number, third: number): number {
  return ((first | 32) << 8) | (third | 32);
}
