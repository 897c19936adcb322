// Tells the lists of other products (carousels, accessories) from the product itself by their build: like items that link elsewhere.
import type { Element } from 'domhandler';
import { isTag } from 'domhandler';
import { parentOf } from '../../html/walk.ts';
import { ancestorsOf } from './page-text.ts';

/** Lists of at least three like items that link elsewhere, each known by the element that holds its items. */
export class LinkedLists {
  private readonly main: ReadonlySet<Element>;
  private readonly twins = new Map<Element, ReadonlyMap<string, number>>();
  private readonly counts = new Map<Element, number>();

  /** An element around `heading` is the product itself, never an item. */
  constructor(heading: Element | undefined) {
    this.main = new Set(heading ? ancestorsOf(heading) : []);
  }

  /** Counts one more element of a kind in the list that `element` stands in. */
  count(element: Element): void {
    const list = this.listOf(element);
    if (list) this.counts.set(list, (this.counts.get(list) ?? 0) + 1);
  }

  /** True where at least `least` elements were counted in the list around `element`. */
  has(element: Element, least: number): boolean {
    const list = this.listOf(element);
    return list !== undefined && (this.counts.get(list) ?? 0) >= least;
  }

  private listOf(element: Element): Element | undefined {
    let height = 0;
    for (const at of ancestorsOf(element)) {
      const parent = parentOf(at);
      if (!parent || ++height > 8 || this.main.has(at)) return undefined;
      if (isItem(at) && (this.twinsIn(parent).get(likenessKey(at)) ?? 0) >= 3 && hasLink(at, 12)) return parent;
    }
    return undefined;
  }

  private twinsIn(parent: Element): ReadonlyMap<string, number> {
    const known = this.twins.get(parent);
    if (known) return known;
    const counts = new Map<string, number>();
    for (const child of parent.children) if (isTag(child)) counts.set(likenessKey(child), (counts.get(likenessKey(child)) ?? 0) + 1);
    this.twins.set(parent, counts);
    return counts;
  }
}

/** Plain `div`s without a class are sections of a page as often as items. */
function isItem(element: Element): boolean {
  return element.attribs['class'] !== undefined || /^(?:li|article|tr|td|a)$/.test(element.name);
}

function likenessKey(element: Element): string {
  return `${element.name} ${element.attribs['class'] ?? ''}`;
}

function hasLink(element: Element, depth: number): boolean {
  if (element.name === 'a' && isAway(element.attribs['href'])) return true;
  return depth > 0 && element.children.some((child) => isTag(child) && hasLink(child, depth - 1));
}

function isAway(href: string | undefined): boolean {
  return href !== undefined && !/^(?:#|javascript:|$)/i.test(href);
}
