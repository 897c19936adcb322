// Writes CSS that finds the items of a list again: by class, by landmark, by structure.
import { selectAll } from 'css-select';
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import type { PageTree } from '../html/tree.ts';
import { stableClass } from './survey/classes.ts';

/** CSS for the first element of each item, and what it holds on to. */
export interface ItemSelector {
  readonly kind: 'class' | 'landmark' | 'structure';
  readonly css: string;
}

/** A selector is kept when it finds this share of the items, and as little else. */
const AGREE_MIN = 0.8;
const LANDMARKS = new Set(['main', 'article', 'section', 'nav', 'aside', 'form', 'table', 'ol', 'ul', 'dl']);

/** At most one selector of each kind, those that find the items best first; empty when none does. `items` is one element per item. */
export function selectorsOf(tree: PageTree, items: readonly Element[]): ItemSelector[] {
  const found: { selector: ItemSelector; agreement: number }[] = [];
  for (const kind of ['class', 'landmark', 'structure'] as const) {
    const options = writersOf[kind](items).map((css) => ({ selector: { kind, css }, agreement: agreementOf(tree, css, items) }));
    const best = options.toSorted((a, b) => b.agreement - a.agreement)[0];
    if (best && best.agreement >= AGREE_MIN) found.push(best);
  }
  return found.toSorted((a, b) => b.agreement - a.agreement).map(({ selector }) => selector);
}

/** The elements that `css` finds, in document order; none for a selector that is not valid. */
export function findItems(tree: PageTree, css: string): Element[] {
  try {
    return selectAll<AnyNode, Element>(css, tree.root);
  } catch {
    return [];
  }
}

function agreementOf(tree: PageTree, css: string, items: readonly Element[]): number {
  const found = new Set(findItems(tree, css));
  const shared = items.filter((item) => found.has(item)).length;
  return shared / (found.size + items.length - shared || 1);
}

const writersOf: Readonly<Record<ItemSelector['kind'], (items: readonly Element[]) => string[]>> = {
  class: classSelectors,
  landmark: landmarkSelectors,
  structure: structureSelectors,
};

function classSelectors(items: readonly Element[]): string[] {
  const own = commonStep(items);
  const parents = items.map((item) => item.parent).filter((parent): parent is Element => parent !== null && isTag(parent));
  const options = own.includes('.') ? [own] : [];
  if (parents.length === items.length) {
    const above = commonStep(parents);
    if (above.includes('.')) options.push(`${above} > ${own}`);
  }
  const scope = ancestorsOf(items[0]).find((element) => scopeOf(element) !== undefined && items.every((item) => isWithin(item, element)));
  return scope ? [...options, ...options.map((option) => `${scopeOf(scope)} ${option}`)] : options;
}

/** From the nearest shared ancestor with an id, or else the nearest landmark, down by tags. */
function landmarkSelectors(items: readonly Element[]): string[] {
  const shared = ancestorsOf(items[0]).filter((element) => items.every((item) => isWithin(item, element)));
  const anchor = shared.find((element) => stableId(element) !== undefined) ?? shared.find((element) => LANDMARKS.has(element.name));
  if (!anchor) return [];
  const start = stableId(anchor) ?? anchor.name;
  const path = sharedPath(anchor, items);
  const own = commonStep(items);
  return [...(path ? [`${start} > ${path}`] : []), `${start} ${own}`];
}

/** Tags from the body down; numbered among their kind where all items share the step. */
function structureSelectors(items: readonly Element[]): string[] {
  const chains = items.map((item) => [...ancestorsOf(item).toReversed(), item].slice(1));
  const depth = chains[0]?.length ?? 0;
  if (chains.some((chain) => chain.length !== depth)) return [];
  const steps: string[] = [];
  for (let level = 0; level < depth; level++) {
    const column = chains.map((chain) => chain[level] as Element);
    const [first] = column as [Element];
    if (column.some((element) => element.name !== first.name)) return [];
    steps.push(column.every((element) => element === first) ? `${first.name}:nth-of-type(${nthOfType(first)})` : first.name);
  }
  return [`body > ${steps.join(' > ')}`];
}

function sharedPath(anchor: Element, items: readonly Element[]): string | undefined {
  const paths = new Set<string>();
  for (const item of items) {
    const steps = [item.name];
    for (let at = item.parent; at && at !== anchor && isTag(at); at = at.parent) steps.unshift(at.name);
    paths.add(steps.join(' > '));
  }
  return paths.size === 1 ? [...paths][0] : undefined;
}

/** Tag and the stable classes that all `elements` have as they are written. */
function commonStep(elements: readonly Element[]): string {
  const [first] = elements;
  if (!first) return '*';
  const tokens = (first.attribs['class'] ?? '').split(/\s+/).filter((token) => token !== '' && stableClass(token) === token);
  const common = tokens.filter((token) =>
    elements.every((element) => ` ${element.attribs['class'] ?? ''} `.replace(/\s/g, ' ').includes(` ${token} `)),
  );
  const name = elements.every((element) => element.name === first.name) ? first.name : '*';
  return [name, ...[...new Set(common)].slice(0, 4).map(escapeName)].join('.');
}

function scopeOf(element: Element): string | undefined {
  return stableId(element) ?? (LANDMARKS.has(element.name) && ['main', 'table', 'form'].includes(element.name) ? element.name : undefined);
}

function stableId(element: Element): string | undefined {
  const id = element.attribs['id'];
  return id !== undefined && /^[A-Za-z][\w-]*$/.test(id) && !/\d.*\d/.test(id) ? `#${id}` : undefined;
}

/** Nearest first, from the parent up to the body. */
function ancestorsOf(element: Element | undefined): Element[] {
  const ancestors: Element[] = [];
  for (let at = element?.parent; at && isTag(at) && at.name !== 'html'; at = at.parent) ancestors.push(at);
  return ancestors;
}

function isWithin(element: Element, ancestor: Element): boolean {
  for (let at = element.parent; at; at = at.parent) if (at === ancestor) return true;
  return false;
}

function nthOfType(element: Element): number {
  let position = 1;
  for (let at = element.prev; at; at = at.prev) if (isTag(at) && at.name === element.name) position++;
  return position;
}

function escapeName(name: string): string {
  return name
    .replace(/[^\w\u00a0-\uffff-]/g, (character) => `\\${character}`)
    .replace(/^(-?)(\d)/, (_, dash: string, digit: string) => `${dash}\\3${digit} `);
}
