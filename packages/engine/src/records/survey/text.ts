// The text of an item as a reader sees it.
import type { AnyNode } from 'domhandler';
import { isTag, isText } from 'domhandler';
import { INLINE_ELEMENTS } from '../../html/elements.ts';
import { isHidden } from '../../html/hidden.ts';
import { isDrawnApart } from '../../html/text.ts';
import { isUnseen } from './survey.ts';

/** True for elements that stand within a line of text. */
export function isInline(name: string): boolean {
  return INLINE_ELEMENTS.has(name);
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
  const apart = !INLINE_ELEMENTS.has(node.name);
  if (apart) parts.push(' ');
  for (const child of node.children) {
    if (isTag(child) && isDrawnApart(child)) parts.push(' ');
    collect(child, parts);
  }
  if (apart) parts.push(' ');
}
