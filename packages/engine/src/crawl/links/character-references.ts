// Decodes the character references of an attribute value as HTML does: `&copy=` in an address stays as it is.
import { parseFragment } from 'parse5';

const COMMON: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const REFERENCE = /&(?:#(\d{1,7}|[xX][0-9a-fA-F]{1,6});?|(amp|lt|gt|quot|apos);|([A-Za-z][A-Za-z0-9]*)(;?)([=A-Za-z0-9]?))/g;

/** `text` with its references replaced. The five common names and numbers are done here, the other two thousand by the HTML parser. */
export function decodeReferences(text: string): string {
  return text.replace(REFERENCE, (whole, number?: string, common?: string, name?: string, semicolon?: string, next?: string) => {
    if (number !== undefined) return characterOf(number) ?? parsed(whole);
    if (common !== undefined) return COMMON[common] ?? whole;
    // Without its semicolon a name that goes on is no reference (HTML, named character reference state).
    if (name === undefined || (semicolon === '' && next !== '')) return whole;
    return parsed(`&${name}${semicolon}`) + (next ?? '');
  });
}

/** Undefined for numbers that HTML maps to something else: controls, surrogates, too large. */
function characterOf(number: string): string | undefined {
  const code = /^x/i.test(number) ? Number.parseInt(number.slice(1), 16) : Number(number);
  const isPlain = (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code < 0xd800) || (code >= 0xe000 && code <= 0x10ffff);
  return isPlain ? String.fromCodePoint(code) : undefined;
}

/** What the HTML parser made of names so far. A page that makes names up keeps the rest as written: parsing each would stall it. */
const known = new Map<string, string>();
const KNOWN_MAX = 4_000;

function parsed(reference: string): string {
  const before = known.get(reference);
  if (before !== undefined || known.size >= KNOWN_MAX) return before ?? reference;
  const node = parseFragment(`<a href="${reference}">`).childNodes[0];
  const text = (node && 'attrs' in node ? node.attrs[0]?.value : undefined) ?? reference;
  known.set(reference, text);
  return text;
}
