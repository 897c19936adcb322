// Refuses, before anything is parsed, markup that would cost the parser far more than its length.
import { PageError } from '../errors.ts';

/** Attributes of one element: the parser compares each with all before it. */
export const ATTRIBUTES_MAX = 1_000;
/** Elements cost memory from the moment they are parsed, so a page with too many is not parsed at all. */
export const START_TAGS_MAX = 2_000_000;

/** Elements whose content is text up to their own end tag (HTML Standard, 13.2.5.2 to 13.2.5.5). */
const RAW = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes']);

const GREATER_THAN = 0x3e;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;

/** Throws PageError `page_too_complex` for more start tags, or more attributes of one, than the limits. One pass; text is skipped over. */
export function requireBoundedMarkup(html: string): void {
  let tags = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    const code = html.charCodeAt(at + 1) | 0x20;
    if (code >= 0x61 && code <= 0x7a) {
      if (++tags > START_TAGS_MAX) throw new PageError('page_too_complex', `The page has more than ${START_TAGS_MAX} elements.`);
      at = afterTag(html, at + 1);
    } else at = html.startsWith('<!--', at) ? afterComment(html, at) : at + 1;
  }
}

function afterComment(html: string, at: number): number {
  const end = html.indexOf('-->', at + 2);
  return end < 0 ? html.length : end + 3;
}

/** Where the text behind the tag at `start` begins; behind its end tag where all that it holds is text. */
function afterTag(html: string, start: number): number {
  let at = start;
  while (at < html.length && !isNameEnd(html.charCodeAt(at))) at++;
  const nameEnd = at;
  let attributes = 0;
  while (at < html.length && html.charCodeAt(at) !== GREATER_THAN) {
    if (isNameEnd(html.charCodeAt(at))) {
      at++;
      continue;
    }
    if (++attributes > ATTRIBUTES_MAX)
      throw new PageError('page_too_complex', `An element of the page has more than ${ATTRIBUTES_MAX} attributes.`);
    at = afterAttribute(html, at);
  }
  const name = nameEnd - start > 8 ? '' : html.slice(start, nameEnd).toLowerCase();
  return RAW.has(name) ? endOfRaw(html, at, name) : at;
}

/** An equals sign at the start belongs to the name (HTML Standard, 13.2.5.32). */
function afterAttribute(html: string, start: number): number {
  let at = start + 1;
  while (at < html.length && !isNameEnd(html.charCodeAt(at)) && html.charCodeAt(at) !== EQUALS) at++;
  let equals = at;
  while (isSpace(html.charCodeAt(equals))) equals++;
  if (html.charCodeAt(equals) !== EQUALS) return at;
  at = equals + 1;
  while (isSpace(html.charCodeAt(at))) at++;
  const quote = html.charCodeAt(at);
  if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
    const end = html.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", at + 1);
    return end < 0 ? html.length : end + 1;
  }
  while (at < html.length && !isSpace(html.charCodeAt(at)) && html.charCodeAt(at) !== GREATER_THAN) at++;
  return at;
}

/** A raw element that never ends holds the rest of the page. */
function endOfRaw(html: string, from: number, name: string): number {
  for (let at = html.indexOf('</', from); at >= 0; at = html.indexOf('</', at + 2))
    if (html.slice(at + 2, at + 2 + name.length).toLowerCase() === name) return at;
  return html.length;
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

function isNameEnd(code: number): boolean {
  return code === GREATER_THAN || code === SLASH || isSpace(code);
}
