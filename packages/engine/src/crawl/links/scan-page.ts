// Reads the links of a fetched page, whatever kind of document it is.
import type { Page } from '../../ports.ts';
import { placeOn } from '../../url/route.ts';
import type { PageLink, PageLinks } from './page-links.ts';
import type { LinkMemo } from './link-memo.ts';
import { scanLinks } from './scan-links.ts';
import { TagReader } from './tag-reader.ts';

const HTML_TYPE = /^\s*(?:text\/html|application\/xhtml\+xml|application\/xml|text\/xml)\b/i;
/** Types that text can be read from; anything else is skipped by its type. */
const READABLE_TYPE =
  /^\s*(?:text\/|application\/(?:xhtml\+xml|xml|json|ld\+json|rss\+xml|atom\+xml|pdf|msword|rtf|vnd\.(?:openxmlformats|oasis|ms-)[\w.-]*|javascript)|$)/i;

/** What pages are made with rather than of. */
const PART_TYPE = /^\s*(?:text|application)\/(?:css|(?:x-)?(?:java|ecma)script)\b/i;

/** Whether a page can be made of this content type; a missing type is taken for HTML. Scripts and styles are none, unless asked for by name. */
export function isPageType(contentType: string | undefined, isNamed: boolean): boolean {
  return contentType === undefined || (READABLE_TYPE.test(contentType) && (isNamed || !PART_TYPE.test(contentType)));
}

/** Whether an answer of this type is text as it was written, without markup. */
export function isPlainText(contentType: string | undefined): boolean {
  return contentType !== undefined && /^\s*text\/(?!html|xml)/i.test(contentType);
}

/**
 * The links and content hash of a page. Documents that are not HTML have no links and are hashed as they are. `memo` serves all pages of a
 * crawl; `texts` gets a number for each text between two tags.
 */
export function scanPage(page: Page, memo?: LinkMemo, texts?: number[]): PageLinks {
  const { contentType, url, body } = page;
  if (contentType !== undefined && !HTML_TYPE.test(contentType))
    return { ...emptyLinks(url), contentHash: hashAll(body), textBytes: body.length };
  const charset = page.lane === 'browser' ? 'utf-8' : /charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType ?? '')?.[1];
  const isRendered = page.lane === 'browser';
  const scanned = scanLinks(body, url, { charset, hashRoutes: isRendered, memo, texts });
  const links = isRendered ? { ...scanned, links: withoutOwnPlaces(scanned.links, page) } : scanned;
  const header = robotsHeader(page);
  const robots = header === undefined || links.robots === undefined ? (header ?? links.robots) : `${links.robots}, ${header}`;
  // A page without text is told apart by its markup.
  if (links.textBytes < 64) return { ...links, robots, contentHash: hashAll(body), sketch: '' };
  return header === undefined ? links : { ...links, robots };
}

/** Without places of the page itself, which applications write as its route with the id of an element. A browser writes ids in double quotes. */
function withoutOwnPlaces(links: readonly PageLink[], { url, body }: Page): readonly PageLink[] {
  const places = links.map((link) => placeOn(url, link.url));
  if (places.every((place) => place === undefined)) return links;
  const markup = new TextDecoder().decode(body);
  return links.filter((_link, i) => places[i] === undefined || !markup.includes(`id="${places[i]}"`));
}

/** What the header of that name says to all robots; lines for one of them begin with its name and a colon. */
function robotsHeader({ headers }: Page): string | undefined {
  const lines = headers.filter(([name, value]) => name === 'x-robots-tag' && !/^[\w-]+:/.test(value));
  return lines.length > 0 ? lines.map(([, value]) => value).join(', ') : undefined;
}

function emptyLinks(url: string): PageLinks {
  return { baseUrl: url, links: [], canonical: undefined, robots: undefined, contentHash: '', textBytes: 0, sketch: '' };
}

function hashAll(body: Uint8Array): string {
  const reader = new TagReader(body, new Set());
  reader.hashBytes(0, body.length);
  return reader.textHash(0);
}
