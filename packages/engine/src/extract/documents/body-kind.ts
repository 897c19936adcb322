// Tells by the first bytes of a body and its type whether it is a page, a document or neither.
import { isArchive } from './archive.ts';

/** Tags that a page without `<html>` begins with (MIME Sniffing Standard, section 7.1). */
const HTML_START = /^<(?:!--|(?:head|body|title|style|script|iframe|table|div|font|br|h1|p|a|b)[\s/>])/i;

/** Whether `body` is a page of HTML: what its bytes say counts first, then its type; without a type, any tag of HTML at its start. */
export function isHtmlBody(body: Uint8Array, contentType: string | undefined): boolean {
  if (isPdf(body) || isArchive(body) || isBinary(body)) return false;
  const type = typeOf(contentType);
  const start = new TextDecoder('latin1').decode(body.subarray(0, 1024)).replace(/^(?:ï»¿)?\s+|^ï»¿/, '');
  return isHtml(start, type) || (type === '' && HTML_START.test(start));
}

/** The media type of a Content-Type header, in lower case; '' without one. */
export function typeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** True for a PDF. The mark may stand behind other bytes, within the first 1024 (PDF 1.7, appendix H), but a page that names it is no PDF. */
export function isPdf(body: Uint8Array): boolean {
  const start = new TextDecoder('latin1').decode(body.subarray(0, 1024));
  return start.includes('%PDF-') && !/^[^]{0,3}\s*</.test(start);
}

/** True for what is no text. A NUL byte is in none, unless a byte order mark says UTF-16. */
export function isBinary(body: Uint8Array): boolean {
  const isUtf16 = (body[0] === 0xfe && body[1] === 0xff) || (body[0] === 0xff && body[1] === 0xfe);
  return !isUtf16 && body.subarray(0, 1024).includes(0);
}

/**
 * True for a page, by how it begins and its media type. HTML in all but its type counts as HTML, but not what is sent as plain text, which
 * browsers show as its source (MIME Sniffing Standard, section 7); a feed that is sent as HTML does not.
 */
export function isHtml(start: string, type: string): boolean {
  if (type === 'text/plain') return false;
  if (/^(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)*<(?:!doctype html|html)\b/i.test(start)) return true;
  return /^(?:text\/html|application\/xhtml\+xml)$/.test(type) && !/^(?:<\?xml|<rss\b|<feed\b)/.test(start);
}
