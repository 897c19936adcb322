// Finds the address that a page sends its visitors on to: a `Refresh` header or a meta element, as static sites redirect.
import { decodeReferences } from '../crawl/links/character-references.ts';
import { decodeBody } from './encoding/decode.ts';
import { isPlainPage } from './signs/plain-page.ts';
import type { AnsweredPage } from './signs/plain-page.ts';

/** What a refresh says. */
export interface Refresh {
  readonly seconds: number;
  readonly address: string;
}

/** A page that stays for longer is there to be read. */
const SECONDS_MAX = 10;
/** Where such an element stands: pages that send on are short, others have it early in their head. */
const LOOKED_AT_BYTES = 4_096;
const MARK = /http-equiv\s*=\s*["']?\s*refresh/i;
/** Enough to see a mark of ASCII in any encoding of pages, and the fastest. */
const ASCII = new TextDecoder('utf-8');
/** What a browser with scripting does not read. */
const INERT = /<!--[\s\S]*?(?:-->|$)|<(noscript|script|style|template|textarea|title)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
const META = /<(?:meta|base)\b(?:[^>"']|"[^"]*"|'[^']*')*>/gi;

/**
 * Where the page at `url` sends a browser at once, or within ten seconds where it has nothing to read meanwhile; undefined for a page that
 * stays, and for one that only loads itself again.
 */
export function findRefreshTarget(url: string, page: AnsweredPage): string | undefined {
  if (page.status < 200 || page.status >= 300) return undefined;
  const header = parseRefresh(page.headers.find(([name]) => name === 'refresh')?.[1] ?? '');
  const found = header ?? readMeta(url, page);
  if (!found || found.seconds > SECONDS_MAX || (found.seconds > 0 && isPlainPage(page))) return undefined;
  const target = URL.parse(found.address, url);
  if (!target || !/^https?:$/.test(target.protocol)) return undefined;
  target.hash = '';
  return target.href === url.split('#', 1)[0] ? undefined : target.href;
}

/** The delay and address of `5; url='/next'`, in any of the forms that browsers take; undefined without an address (HTML, 4.2.5.3). */
export function parseRefresh(content: string): Refresh | undefined {
  const match = /^\s*(\d+|(?=\.))[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))/is.exec(content);
  const address = (match?.[2] ?? match?.[3] ?? match?.[4] ?? '').trim();
  return match && address !== '' ? { seconds: Number(match[1] ?? 0), address } : undefined;
}

/** Most pages have no such mark, which is cheap to see. */
function readMeta(url: string, { body, contentType }: AnsweredPage): Refresh | undefined {
  if (contentType !== undefined && !/html/i.test(contentType)) return undefined;
  const start = body.subarray(0, LOOKED_AT_BYTES);
  const bytes = ASCII.decode(start);
  if (!(bytes.includes('efresh') || bytes.includes('EFRESH')) || !MARK.test(bytes)) return undefined;
  let base: string | undefined;
  for (const [tag] of decodeBody(start, contentType).html.replace(INERT, ' ').matchAll(META)) {
    if (/^<base/i.test(tag)) base ??= attributeOf(tag, 'href');
    if (attributeOf(tag, 'http-equiv')?.trim().toLowerCase() !== 'refresh') continue;
    const refresh = parseRefresh(attributeOf(tag, 'content') ?? '');
    const from = URL.parse(base ?? '', url)?.href ?? url;
    if (refresh) return { ...refresh, address: URL.parse(refresh.address, from)?.href ?? '' };
  }
  return undefined;
}

function attributeOf(tag: string, name: string): string | undefined {
  const match = new RegExp(`[\\s"'/]${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]*))`, 'i').exec(tag);
  const value = match?.[1] ?? match?.[2] ?? match?.[3];
  return value === undefined ? undefined : decodeReferences(value);
}
