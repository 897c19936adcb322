// The text of an item as a reader sees it.
import type { AnyNode, Element } from 'domhandler';
import { isTag, isText } from 'domhandler';
import { isHidden } from '../html/hidden.ts';
import { isUnseen } from './survey.ts';

const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

/** Inline elements that pages use for values side by side; the space between them is drawn by the style. */
const VALUES = new Set(['span', 'a', 'label', 'time', 'data', 'small', 'strong', 'b']);

/** True for elements that stand within a line of text. */
export function isInline(name: string): boolean {
  return INLINE.has(name);
}

/** Visible text of `nodes`, in order, block elements apart by a space, runs of white space as one space. */
export function visibleText(nodes: readonly AnyNode[]): string {
  const parts: string[] = [];
  for (const node of nodes) collect(node, parts);
  return parts.join('').replace(/\s+/g, ' ').trim();
}

function collect(node: AnyNode, parts: string[]): void {
  if (isText(node) && !isHidden(node)) parts.push(node.data);
  if (!isTag(node) || isUnseen(node)) return;
  const apart = !INLINE.has(node.name);
  if (apart) parts.push(' ');
  for (const child of node.children) {
    const from = parts.length;
    collect(child, parts);
    if (isTag(child) && isValue(child) && child.prev && isTag(child.prev) && isValue(child.prev)) keepApart(parts, from);
  }
  if (apart) parts.push(' ');
}

/** True for an element that a page gave a class of its own: it holds a value rather than a part of a word. */
function isValue(element: Element): boolean {
  return VALUES.has(element.name) && element.attribs['class'] !== undefined;
}

/** A space before what begins at `from` where two words would touch; single letters and what punctuation parts stay together. */
function keepApart(parts: string[], from: number): void {
  const [before, after] = [parts[from - 1] ?? '', parts[from] ?? ''];
  if (/[\p{L}\p{N}]{2}$/u.test(before) && /^[\p{L}\p{N}]{2}/u.test(after)) parts.splice(from, 0, ' ');
}
