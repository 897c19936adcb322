// Reads the links of a page: where each leads, what it says, and whether it stays on the site.
import { getDomain } from 'tldts';
import type { Element } from 'domhandler';
import { textOf } from '../../html/selectors/text.ts';
import { collapse } from '../../html/text.ts';
import { absoluteUrl } from '../../html/address.ts';
import { attribute, elementsBelow } from '../../html/walk.ts';
import type { PageTree } from '../../html/tree.ts';

/** One address that a page links to. */
export interface Link {
  /** Absolute, http or https, with its fragment. */
  readonly url: string;
  /** What a person reads or hears: its text, else its picture's `alt`, `aria-label` or `title`; empty where there is none. */
  readonly text: string;
  /** The tokens of `rel`, lower case. */
  readonly rel: readonly string[];
  /** True for `rel` nofollow, ugc and sponsored, and on a page whose robots meta says nofollow. */
  readonly nofollow: boolean;
  /** `internal` on the page's registrable domain, or on its host where it has none. */
  readonly kind: 'internal' | 'external';
}

const TEXT_CHARACTERS_MAX = 500;
const UNFOLLOWED = new Set(['nofollow', 'ugc', 'sponsored']);

/** Links of `<a>` and `<area>` in document order; an address that repeats is listed once, with the first text that it has. */
export function readLinks(tree: PageTree): readonly Link[] {
  const site = siteOf(tree.url);
  const pageNofollow = saysNofollow(tree);
  const links = new Map<string, Link>();
  for (const element of elementsBelow(tree.body)) {
    if (element.name !== 'a' && element.name !== 'area') continue;
    const url = absoluteUrl(attribute(element, 'href'), tree);
    const known = url === undefined ? undefined : links.get(url);
    if (url === undefined || (known && known.text !== '')) continue;
    const rel = known?.rel ?? relOf(element);
    links.set(url, {
      url,
      text: nameOf(element),
      rel,
      nofollow: pageNofollow || rel.some((token) => UNFOLLOWED.has(token)),
      kind: siteOf(url) === site ? 'internal' : 'external',
    });
  }
  return [...links.values()];
}

function siteOf(url: string): string {
  const host = URL.parse(url)?.hostname ?? '';
  return getDomain(host) ?? host;
}

function saysNofollow(tree: PageTree): boolean {
  for (const element of elementsBelow(tree.head)) {
    const isRobots = element.name === 'meta' && element.attribs['name']?.toLowerCase() === 'robots';
    if (isRobots && /(?:^|[\s,])(?:nofollow|none)(?:[\s,]|$)/i.test(element.attribs['content'] ?? '')) return true;
  }
  return false;
}

function relOf(element: Element): readonly string[] {
  return (element.attribs['rel'] ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((token) => token !== '');
}

function nameOf(element: Element): string {
  const text = textOf(element, TEXT_CHARACTERS_MAX);
  if (text !== '') return text;
  for (const below of elementsBelow(element)) {
    const alt = below.name === 'img' ? attribute(below, 'alt') : undefined;
    if (alt !== undefined) return collapse(alt).slice(0, TEXT_CHARACTERS_MAX);
  }
  const said = attribute(element, 'aria-label') ?? attribute(element, 'title') ?? attribute(element, 'alt') ?? '';
  return collapse(said).slice(0, TEXT_CHARACTERS_MAX);
}
