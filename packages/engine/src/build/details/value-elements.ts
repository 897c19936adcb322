// The elements of a page that may each say one thing of what the page is about: lines of text, and the text itself.
import type { AnyNode, Element } from 'domhandler';
import { isTag, isText } from 'domhandler';
import { furnitureOf } from '../../extract/furniture.ts';
import { INLINE_ELEMENTS } from '../../html/elements.ts';
import type { PageTree } from '../../html/tree.ts';
import { isOnlyRow } from '../../records/align/tables.ts';
import { isUnseen } from '../../records/survey/survey.ts';
import { visibleText } from '../../records/survey/text.ts';

/** An element with what it is: a line, or prose of any length. */
export interface ValueElement {
  readonly element: Element;
  readonly isProse: boolean;
  /** Within the prose of the page. */
  readonly isInProse: boolean;
}

const ELEMENTS_MAX = 300;
/** What leads elsewhere, or is there to be filled in. */
const AROUND = new Set([
  'nav',
  'aside',
  'form',
  'button',
  'select',
  'textarea',
  'script',
  'style',
  'template',
  'noscript',
  'svg',
  'iframe',
]);
const AROUND_ROLES = new Set(['navigation', 'complementary', 'search', 'contentinfo', 'banner']);
/** Rows of a table with columns, and items, are lists of their own; one that is the only row of its table is not. */
const COLUMNS_MAX = 2;
const SHORT_LIST_CHARS = 120;
const PARAGRAPHS = new Set(['p', 'pre', 'blockquote', 'li', 'td', 'dd']);
const PARAGRAPH_CHARS_MIN = 40;
/** The text of a page is the innermost element that holds this share of its paragraphs. */
const PROSE_SHARE = 0.7;

/** In document order, the prose behind what stands before it; at most 300. */
export function valueElements(tree: PageTree): readonly ValueElement[] {
  const { nodes: furniture } = furnitureOf(tree);
  const isAround = (element: Element) =>
    AROUND.has(element.name) || AROUND_ROLES.has(element.attribs['role'] ?? '') || furniture.has(element) || isUnseen(element);
  const isApart = (element: Element) => element.name === 'pre' || isWideRow(element) || isLongList(element);
  const found: ValueElement[] = [];
  const prose = proseOf(tree.body, isAround);
  const visit = (element: Element, isInProse: boolean): void => {
    if (found.length >= ELEMENTS_MAX || isAround(element)) return;
    const isProse = element === prose;
    if (isProse) found.push({ element, isProse, isInProse });
    else if (isApart(element)) return;
    else if (isLine(element) || isList(element)) {
      for (const each of [element, ...linesWithin(element)]) found.push({ element: each, isProse, isInProse });
      return;
    }
    for (const child of element.children) if (isTag(child)) visit(child, isInProse || isProse);
  };
  visit(tree.body, false);
  return found.slice(0, ELEMENTS_MAX);
}

/** An element whose text stands in one line: nothing in it begins a block. */
function isLine(element: Element): boolean {
  return element.children.every(isInLine) && visibleText([element]) !== '';
}

function isList({ name }: Element): boolean {
  return name === 'ul' || name === 'ol';
}

function isLongList(element: Element): boolean {
  return isList(element) && visibleText([element]).length > SHORT_LIST_CHARS;
}

function isWideRow(element: Element): boolean {
  return element.name === 'tr' && element.children.filter(isTag).length > COLUMNS_MAX && !isOnlyRow(element);
}

function isInLine(node: AnyNode): boolean {
  return !isTag(node) || (INLINE_ELEMENTS.has(node.name) && node.children.every(isInLine));
}

/** Links, dates and marked words of a line that is more than one of them. */
function linesWithin(line: Element): readonly Element[] {
  return line.children.flatMap((child) => {
    if (!isTag(child) || isUnseen(child)) return [];
    return visibleText([child]) === '' ? [] : [child, ...linesWithin(child)];
  });
}

/** The innermost element that holds most of what is written in paragraphs; undefined where nothing is. */
function proseOf(body: Element, isAround: (element: Element) => boolean): Element | undefined {
  const chars = new Map<Element, number>();
  const count = (element: Element): number => {
    if (isAround(element)) return 0;
    const text = PARAGRAPHS.has(element.name) ? ownChars(element) : 0;
    const whole = text >= PARAGRAPH_CHARS_MIN ? text : element.children.reduce((sum, child) => sum + (isTag(child) ? count(child) : 0), 0);
    chars.set(element, whole);
    return whole;
  };
  const total = count(body);
  if (total === 0) return undefined;
  let innermost = body;
  for (;;) {
    const inner = innermost.children.find((child) => isTag(child) && (chars.get(child) ?? 0) >= total * PROSE_SHARE);
    if (!inner || !isTag(inner)) return innermost === body ? undefined : innermost;
    innermost = inner;
  }
}

/** Characters that stand in the element itself or in its lines. */
function ownChars(element: Element): number {
  return element.children.reduce((sum, child) => {
    if (isText(child)) return sum + child.data.trim().length;
    return sum + (isTag(child) && isInLine(child) ? visibleText([child]).length : 0);
  }, 0);
}
