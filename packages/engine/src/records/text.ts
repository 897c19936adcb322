// The text of an item as a reader sees it.
import type { AnyNode, Element } from 'domhandler';
import { isTag, isText } from 'domhandler';
import { isUnseen } from './survey.ts';

const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

/** Visible text of `elements`, in order, block elements apart by a space, runs of white space as one space. */
export function visibleText(elements: readonly Element[]): string {
  const parts: string[] = [];
  for (const element of elements) collect(element, parts);
  return parts.join('').replace(/\s+/g, ' ').trim();
}

function collect(element: Element, parts: string[]): void {
  if (isUnseen(element)) return;
  const apart = !INLINE.has(element.name);
  if (apart) parts.push(' ');
  for (const child of element.children as readonly AnyNode[]) {
    if (isText(child)) parts.push(child.data);
    else if (isTag(child)) collect(child, parts);
  }
  if (apart) parts.push(' ');
}
