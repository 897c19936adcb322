// Reads a page tree without recursion: elements in document order, attributes, addresses made absolute.
import type { AnyNode, Element, ParentNode } from 'domhandler';
import { isTag } from 'domhandler';
import type { PageTree } from '../tree.ts';

/** Every element below `top`, in document order; `top` itself and what `<template>` holds left out. */
export function* elementsBelow(top: ParentNode): Generator<Element> {
  for (let node: AnyNode | null = top.children[0] ?? null; node; node = nodeAfter(node, top)) if (isTag(node)) yield node;
}

/** The node after `node` in document order, inside `top`; null at its end. */
export function nodeAfter(node: AnyNode, top: AnyNode): AnyNode | null {
  // What is inside <template> is not in the document.
  const isEntered = 'children' in node && !(isTag(node) && node.name === 'template');
  return (isEntered ? node.children[0] : undefined) ?? nodeAfterSubtree(node, top);
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

/** The tokens of `class` or `rel`, as written. */
export function tokensOf(element: Element, name: 'class' | 'rel'): readonly string[] {
  return (element.attribs[name] ?? '').split(/\s+/).filter((token) => token !== '');
}

/** `href` made absolute against the page; undefined unless it is a valid http(s) address. */
export function absoluteUrl(href: string | undefined, tree: PageTree): string | undefined {
  if (href === undefined) return undefined;
  const url = URL.parse(href, tree.baseUrl);
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : undefined;
}
