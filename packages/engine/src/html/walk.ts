// Reads a page tree without recursion: elements in document order, attributes, raw text.
import type { AnyNode, Element, ParentNode } from 'domhandler';
import { isDocument, isTag, isText } from 'domhandler';
import { isHidden } from './hidden.ts';

/** Elements whose text is never shown as text. */
const UNREAD: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'svg', 'iframe', 'object']);

/** Every element below `top`, in document order; `top` itself and what `<template>` holds left out. */
export function* elementsBelow(top: ParentNode): Generator<Element> {
  for (let node: AnyNode | null = top.children[0] ?? null; node; node = nodeAfter(node, top)) if (isTag(node)) yield node;
}

/** As `elementsBelow`, what the page hides left out. */
export function* shownElementsBelow(top: ParentNode): Generator<Element> {
  for (let node: AnyNode | null = top.children[0] ?? null; node;) {
    const isShown = !isHidden(node);
    if (isShown && isTag(node)) yield node;
    node = isShown ? nodeAfter(node, top) : nodeAfterSubtree(node, top);
  }
}

/** As `elementsBelow`, with what `<template>` holds. */
export function* elementsWithTemplates(top: ParentNode): Generator<Element> {
  for (let node: AnyNode | null = top.children[0] ?? null; node; node = nodeAfterWithTemplates(node, top)) if (isTag(node)) yield node;
}

/** True for what can hold nodes; asked of every node of a page, for which `in` is slow. */
export function isParent(node: AnyNode): node is ParentNode {
  return isTag(node) || isDocument(node);
}

/** The node after `node` in document order, inside `top`; null at its end. */
export function nodeAfter(node: AnyNode, top: AnyNode): AnyNode | null {
  // What is inside <template> is not in the document.
  const isEntered = isTag(node) ? node.name !== 'template' : isDocument(node);
  return (isEntered ? (node as ParentNode).children[0] : undefined) ?? nodeAfterSubtree(node, top);
}

/** As `nodeAfter`, with what `<template>` holds. */
export function nodeAfterWithTemplates(node: AnyNode, top: AnyNode): AnyNode | null {
  return (isParent(node) ? node.children[0] : undefined) ?? nodeAfterSubtree(node, top);
}

/** The node after `node` and all that it contains, inside `top`; null at its end. */
export function nodeAfterSubtree(node: AnyNode, top: AnyNode): AnyNode | null {
  for (let at: AnyNode | null = node; at && at !== top; at = at.parent) if (at.next) return at.next;
  return null;
}

/** The nearest ancestor element of one of these names; undefined when there is none. */
export function ancestorNamed(node: AnyNode, names: readonly string[]): Element | undefined {
  for (let at = node.parent; at; at = at.parent) if (isTag(at) && names.includes(at.name)) return at;
  return undefined;
}

/** The value of an attribute, trimmed; undefined when absent or empty. */
export function attribute(element: Element, name: string): string | undefined {
  const value = element.attribs[name]?.trim();
  return value === '' ? undefined : value;
}

/** The tokens of an attribute such as `class`, as written; empty where it is absent. */
export function tokensOf(element: Element, name: string): readonly string[] {
  return element.attribs[name]?.split(/\s+/).filter((token) => token !== '') ?? [];
}

/** The parent element; undefined at the root. */
export function parentOf(node: AnyNode): Element | undefined {
  const { parent } = node;
  return parent && isTag(parent) ? parent : undefined;
}

/** The raw text directly and indirectly inside `top`, scripts and styles left out, white space as written. */
export function textContentOf(top: ParentNode): string {
  let text = '';
  let node: AnyNode | null = top.children[0] ?? null;
  while (node) {
    if (isText(node)) text += node.data;
    node = isTag(node) && UNREAD.has(node.name) ? nodeAfterSubtree(node, top) : nodeAfter(node, top);
  }
  return text;
}

/** The text of a `<script>`, as written. */
export function scriptTextOf(script: Element): string {
  let text = '';
  for (const child of script.children) if (isText(child)) text += child.data;
  return text;
}
