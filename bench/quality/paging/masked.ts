// Makes truth for next links out of what pages declare: `rel=next` in the head or on a link, taken away before the page is read.
import { absoluteUrl } from '../../../packages/engine/src/html/address.ts';
import type { PageTree } from '../../../packages/engine/src/html/tree.ts';
import { parseTree } from '../../../packages/engine/src/html/tree.ts';
import { elementsBelow, textContentOf } from '../../../packages/engine/src/html/walk.ts';
import { hostKey } from '../dataset.ts';
import { foldOf } from '../folds.ts';
import type { RawPage } from '../raw-pages.ts';
import { loadRawPages } from '../raw-pages.ts';

/** A page whose next links are known. */
export interface PagingExample {
  readonly site: string;
  readonly id: string;
  readonly truth: 'hand' | 'masked';
  /** Absolute addresses; empty where the page has no next link. */
  readonly next: readonly string[];
  /** Parsed anew at each call. */
  read(): PageTree;
}

/** Pages about one thing: what they call next is another thing. */
const SINGLE_TYPES = new Set(['article', 'product', 'service']);
const LIST_TYPES = new Set(['listing', 'collection', 'forum', undefined]);
const NUMBERED = /pag[ei](?!_id)|[?&/]p(?:age)?[=/-]?\d|start|offset/i;
const PER_SITE_MAX = 3;
const NEXT = /(?:^|\s)next(?:\s|$)/i;
const DIRECTIONS = /(?:^|\s)(?:next|prev|previous|start|first|last)(?:\s|$)/i;

/** Pages of lists with what they declare, and pages about one thing, which have no next page. The paging set itself is left out. */
export function maskedPaging(): readonly PagingExample[] {
  const perSite = new Map<string, number>();
  return loadRawPages().flatMap((page) => {
    const site = hostKey(page.url);
    if (page.set === 'paging' || isLeftOut(page) || (perSite.get(site) ?? 0) >= PER_SITE_MAX) return [];
    const next = declaredNext(page);
    if (!next) return [];
    perSite.set(site, (perSite.get(site) ?? 0) + 1);
    return [{ site, id: `${page.set}/${page.id}`, truth: 'masked' as const, next, read: () => masked(page) }];
  });
}

/** Of the many pages about one thing two in five are enough. */
function isLeftOut({ type, url }: RawPage): boolean {
  return type !== undefined && SINGLE_TYPES.has(type) && foldOf(url, 0) >= 2;
}

/** The declared addresses that a link of the body leads to; undefined where the page says nothing either way. */
function declaredNext(page: RawPage): readonly string[] | undefined {
  const tree = parseTree(page.html(), page.url);
  const stated = [...elementsBelow(tree.head)].filter(({ name, attribs }) => name === 'link' && NEXT.test(attribs['rel'] ?? ''));
  const links = [...elementsBelow(tree.body)].filter(({ name }) => name === 'a');
  if (page.type !== undefined && SINGLE_TYPES.has(page.type)) return stated.length === 0 ? [] : undefined;
  if (!LIST_TYPES.has(page.type)) return undefined;
  const marked = links.filter(({ attribs }) => NEXT.test(attribs['rel'] ?? ''));
  const urls = [...stated, ...(stated.length > 0 ? [] : marked)].map(({ attribs }) => absoluteUrl(attribs['href'], tree));
  // A page number is a way on too, but not what a page calls its next page.
  const linked = new Set(
    links.filter((link) => !/^\s*\d+\s*$/.test(textContentOf(link))).map(({ attribs }) => absoluteUrl(attribs['href'], tree)),
  );
  const next = [...new Set(urls)].filter((url) => url !== undefined && url !== page.url && linked.has(url)) as string[];
  // Blogs state the neighbour of an article too; where nobody said what a page is, the address must say it numbers pages.
  const isStated = page.type !== undefined || next.every((url) => NUMBERED.test(url));
  return next.length > 0 && isStated ? next : undefined;
}

function masked(page: RawPage): PageTree {
  const tree = parseTree(page.html(), page.url);
  for (const { attribs } of elementsBelow(tree.root)) if (DIRECTIONS.test(attribs['rel'] ?? '')) delete attribs['rel'];
  return tree;
}
