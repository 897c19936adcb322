// Redesigns a page by chance, seeded: what a release, a new theme or another framework does to markup that says the same.
import type { AnyNode, ChildNode, ParentNode } from 'domhandler';
import { Element, Text, isTag, isText } from 'domhandler';
import type { PageTree } from '../../../packages/engine/src/html/tree.ts';
import { elementsBelow } from '../../../packages/engine/src/html/walk.ts';

/** How much of a page a redesign touches: chances from 0 to 1. */
export interface Redesign {
  readonly name: 'light' | 'medium' | 'heavy';
  readonly renamedClass: number;
  readonly renamedId: number;
  readonly droppedAttribute: number;
  readonly wrapped: number;
  readonly unwrapped: number;
  readonly swappedTag: number;
  readonly reordered: number;
  readonly inserted: number;
  readonly moved: number;
  readonly removedBlock: number;
  readonly changedNumber: number;
  readonly changedWord: number;
}

export const REDESIGNS: readonly Redesign[] = [
  {
    name: 'light',
    renamedClass: 0.3,
    renamedId: 0.1,
    droppedAttribute: 0.05,
    wrapped: 0.01,
    unwrapped: 0,
    swappedTag: 0,
    reordered: 0,
    inserted: 0.02,
    moved: 0,
    removedBlock: 0.01,
    changedNumber: 0.2,
    changedWord: 0.02,
  },
  {
    name: 'medium',
    renamedClass: 1,
    renamedId: 0.5,
    droppedAttribute: 0.3,
    wrapped: 0.05,
    unwrapped: 0.05,
    swappedTag: 0.1,
    reordered: 0.05,
    inserted: 0.04,
    moved: 0.3,
    removedBlock: 0.03,
    changedNumber: 0.4,
    changedWord: 0.05,
  },
  {
    name: 'heavy',
    renamedClass: 1,
    renamedId: 1,
    droppedAttribute: 0.7,
    wrapped: 0.15,
    unwrapped: 0.15,
    swappedTag: 0.4,
    reordered: 0.15,
    inserted: 0.08,
    moved: 0.7,
    removedBlock: 0.06,
    changedNumber: 0.6,
    changedWord: 0.12,
  },
];

export type Random = () => number;

/** Other names for what an element may be as well. */
const SWAPS: Readonly<Record<string, readonly string[]>> = {
  div: ['section', 'div', 'article'],
  section: ['div'],
  article: ['div', 'section'],
  span: ['div', 'b', 'em'],
  b: ['strong', 'span'],
  strong: ['b', 'span'],
  i: ['em'],
  em: ['i', 'span'],
  p: ['div', 'span'],
  h1: ['h2', 'div'],
  h2: ['h3', 'h1', 'div'],
  h3: ['h2', 'h4', 'div'],
  h4: ['h3', 'h5', 'p'],
  h5: ['h4', 'p'],
  ul: ['ol', 'div'],
  ol: ['ul'],
  dl: ['div'],
  dt: ['span', 'div'],
  dd: ['span', 'div'],
  header: ['div'],
  footer: ['div'],
  nav: ['div'],
  main: ['div'],
  aside: ['div'],
  button: ['a'],
};
/** Redesigns leave these where they are. */
const RIGID: ReadonlySet<string> = new Set([
  'table',
  'tbody',
  'thead',
  'tfoot',
  'tr',
  'select',
  'optgroup',
  'option',
  'svg',
  'script',
  'style',
  'iframe',
  'object',
  'math',
]);
const BLOCKS: ReadonlySet<string> = new Set(['div', 'section', 'article', 'ul', 'ol', 'dl', 'p', 'table', 'aside', 'nav', 'form', 'li']);
/** Blocks that are moved or taken out as one hold at most this part of a page's elements. */
const BLOCK_SHARE_MAX = 0.2;
const NOTICES = [
  'Sale ends soon',
  'New',
  'Advertisement',
  'Join our newsletter for more',
  'Read more',
  '4 people are looking at this',
  'Sponsored',
  'Free delivery over 40',
];

/** Redesigns the page in place; `kept` stay on it, with what holds them, wherever they go. */
export function redesign(tree: PageTree, how: Redesign, kept: ReadonlySet<AnyNode>, random: Random): void {
  const elements = [...elementsBelow(tree.body)].filter((element) => !isInRigidPart(element));
  const holders = holdersOf(kept);
  const sizes = new Map(elements.map((element) => [element, countBelow(element)]));
  const isBlock = (element: Element) => BLOCKS.has(element.name) && (sizes.get(element) ?? 0) < elements.length * BLOCK_SHARE_MAX;
  for (const element of elements)
    if (isBlock(element) && random() < how.removedBlock / 4 && !holders.has(element) && !isWithinAny(element, kept)) detach(element);
  moveBlocks(elements.filter(isBlock), how, random);
  for (const element of elements) {
    if (!isAttached(element, tree.body)) continue;
    if (random() < how.reordered && canReorder(element) && !kept.has(element)) shuffle(element, random);
    if (random() < how.inserted && !(element.parent && kept.has(element.parent))) insertBefore(element, random);
    if (random() < how.wrapped) wrap(element, random);
    if (random() < how.unwrapped && !kept.has(element)) unwrap(element);
    const swaps = SWAPS[element.name];
    if (swaps && random() < how.swappedTag) element.name = swaps[Math.floor(random() * swaps.length)] as string;
  }
  changeTexts(tree, how, kept, random);
  rename(tree, how, random);
}

function isInRigidPart(element: Element): boolean {
  for (let at: ParentNode | null = element.parent; at && isTag(at); at = at.parent)
    if (RIGID.has(at.name) && !/^t|select|option/.test(at.name)) return true;
  return false;
}

function holdersOf(kept: ReadonlySet<AnyNode>): ReadonlySet<AnyNode> {
  const holders = new Set<AnyNode>();
  for (const node of kept) for (let at: AnyNode | null = node; at; at = at.parent) holders.add(at);
  return holders;
}

function isWithinAny(node: AnyNode, nodes: ReadonlySet<AnyNode>): boolean {
  for (let at: AnyNode | null = node; at; at = at.parent) if (nodes.has(at)) return true;
  return false;
}

function countBelow(element: Element): number {
  let count = 0;
  for (const _ of elementsBelow(element)) count++;
  return count;
}

function isAttached(node: AnyNode, top: AnyNode): boolean {
  for (let at: AnyNode | null = node; at; at = at.parent) if (at === top) return true;
  return false;
}

/** Moves a few blocks to other places beside blocks. */
function moveBlocks(blocks: readonly Element[], how: Redesign, random: Random): void {
  const outer = blocks.filter(({ parent }) => parent && isTag(parent) && !RIGID.has(parent.name) && !/^(?:ul|ol|dl|p)$/.test(parent.name));
  for (let moves = 0; moves < 6; moves++) {
    if (random() >= how.moved || outer.length < 2) continue;
    const [block, beside] = [pick(outer, random), pick(outer, random)];
    if (block === beside || isWithinAny(beside, new Set([block])) || isWithinAny(block, new Set([beside]))) continue;
    detach(block);
    insertAt(beside, block);
  }
}

function canReorder({ name, children }: Element): boolean {
  return /^(?:div|ul|dl|section|main|nav|header|footer|ol)$/.test(name) && children.filter(isTag).length > 1 && name !== 'dl';
}

/** Two neighbours change places. */
function shuffle(parent: Element, random: Random): void {
  const elements = parent.children.filter(isTag);
  const at = Math.floor(random() * (elements.length - 1));
  const [first, second] = [elements[at] as Element, elements[at + 1] as Element];
  detach(second);
  insertAt(first, second);
}

function insertBefore(element: Element, random: Random): void {
  const { parent } = element;
  if (!parent || !isTag(parent) || /^(?:table|tbody|thead|tr|ul|ol|dl|select|html)$/.test(parent.name)) return;
  const notice = new Element(pick(['div', 'span', 'p'], random), { class: hashedName(random) }, [new Text(pick(NOTICES, random))]);
  insertAt(element, notice);
}

function wrap(element: Element, random: Random): void {
  const { parent } = element;
  if (
    !parent ||
    !isTag(parent) ||
    /^(?:table|tbody|thead|tr|ul|ol|dl|select|html)$/.test(parent.name) ||
    /^(?:body|td|th|tr|li|dd|dt|tbody|thead)$/.test(element.name)
  )
    return;
  const box = new Element(
    /^(?:a|span|b|strong|em|i|small|time|img)$/.test(element.name) ? 'span' : 'div',
    { class: hashedName(random) },
    [],
  );
  insertAt(element, box);
  detach(element);
  append(box, element);
}

function unwrap(element: Element): void {
  if (!/^(?:div|span|section|article)$/.test(element.name) || !element.parent) return;
  while (element.children[0]) {
    const [child] = element.children;
    detach(child);
    insertAt(element, child);
  }
  detach(element);
}

function changeTexts(tree: PageTree, how: Redesign, kept: ReadonlySet<AnyNode>, random: Random): void {
  const pending: AnyNode[] = [tree.body];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (kept.has(node)) continue;
    if (isText(node)) {
      node.data = node.data.replace(/\d+|\p{L}{4,}/gu, (word) =>
        /\d/.test(word)
          ? random() < how.changedNumber
            ? changeDigits(word, random)
            : word
          : random() < how.changedWord
            ? pick(OTHER_WORDS, random)
            : word,
      );
    } else if ('children' in node && !(isTag(node) && /^(?:script|style)$/.test(node.name))) pending.push(...node.children);
  }
}

const OTHER_WORDS = [
  'updated',
  'discover',
  'latest',
  'official',
  'online',
  'quality',
  'details',
  'members',
  'special',
  'today',
  'overview',
  'select',
];

/** The same number of digits, others. */
export function changeDigits(digits: string, random: Random): string {
  return digits.replace(/\d/g, (digit, at: number) =>
    String(at === 0 && digits.length > 1 ? 1 + Math.floor(random() * 9) : digit === '' ? 0 : Math.floor(random() * 10)),
  );
}

/** Each name has one new name on the whole page, as a build step gives it; the fold of names that are not renamed stays. */
function rename(tree: PageTree, how: Redesign, random: Random): void {
  const names = new Map<string, string>();
  const renamed = (name: string, chance: number) => {
    const known =
      names.get(name) ??
      (random() < chance ? (random() < 0.5 ? hashedName(random) : pick(NEW_NAMES, random) + '-' + pick(NEW_NAMES, random)) : name);
    names.set(name, known);
    return known;
  };
  for (const element of elementsBelow(tree.body)) {
    const { attribs } = element;
    if (attribs['class'] !== undefined)
      attribs['class'] = attribs['class']
        .split(/\s+/)
        .filter((name) => name !== '')
        .map((name) => renamed(`.${name}`, how.renamedClass).replace(/^\./, ''))
        .join(' ');
    if (attribs['id'] !== undefined) attribs['id'] = renamed(`#${attribs['id']}`, how.renamedId).replace(/^#/, '');
    if (attribs['for'] !== undefined) attribs['for'] = renamed(`#${attribs['for']}`, how.renamedId).replace(/^#/, '');
    for (const name of Object.keys(attribs))
      if (
        !/^(?:class|id|for|href|src|alt|type|content|colspan|rowspan)$/.test(name) &&
        !name.startsWith('data-heal') &&
        random() < how.droppedAttribute
      )
        delete attribs[name];
  }
}

const NEW_NAMES = [
  'card',
  'hero',
  'item',
  'meta',
  'body',
  'title',
  'block',
  'entry',
  'panel',
  'value',
  'media',
  'grid',
  'stack',
  'label',
  'group',
  'detail',
];

function hashedName(random: Random): string {
  return `css-${Math.floor(random() * 2 ** 30).toString(36)}`;
}

export function pick<T>(items: readonly T[], random: Random): T {
  return items[Math.floor(random() * items.length)] as T;
}

/** Takes a node off the page. */
export function detach(node: ChildNode): void {
  const { parent, prev, next } = node;
  if (prev) prev.next = next;
  if (next) next.prev = prev;
  if (parent) parent.children.splice(parent.children.indexOf(node), 1);
  node.parent = node.prev = node.next = null;
}

/** Puts `node` in front of `before`. */
function insertAt(before: ChildNode, node: ChildNode): void {
  const { parent } = before;
  if (!parent) return;
  parent.children.splice(parent.children.indexOf(before), 0, node);
  node.parent = parent;
  node.prev = before.prev;
  node.next = before;
  if (before.prev) before.prev.next = node;
  before.prev = node;
}

function append(parent: Element, node: ChildNode): void {
  const last = parent.children.at(-1) ?? null;
  parent.children.push(node);
  node.parent = parent;
  node.prev = last;
  node.next = null;
  if (last) last.next = node;
}
