// Walks and reads elements of a page tree without changing it.
import type { AnyNode, Document, Element, ParentNode } from 'domhandler';
import { isTag, isText } from 'domhandler';

/** Elements whose text is never shown as text. */
const UNREAD: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'svg', 'iframe', 'object']);

/** Every element below `root` in document order, `root` itself left out. Content of `<template>` and SVG included. */
export function* elementsIn(root: ParentNode): Generator<Element> {
  const pending: AnyNode[] = [...root.children].reverse();
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (isTag(node)) yield node;
    if (!('children' in node)) continue;
    for (let i = node.children.length - 1; i >= 0; i--) pending.push(node.children[i] as AnyNode);
  }
}

/** The raw text directly and indirectly inside `node`, scripts and styles left out, white space as written. */
export function textContentOf(node: ParentNode): string {
  let text = '';
  const pending: AnyNode[] = [...node.children].reverse();
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (isText(next)) text += next.data;
    else if ('children' in next && !(isTag(next) && UNREAD.has(next.name))) {
      for (let i = next.children.length - 1; i >= 0; i--) pending.push(next.children[i] as AnyNode);
    }
  }
  return text;
}

/** The text of a `<script>`, as written. */
export function scriptTextOf(script: Element): string {
  let text = '';
  for (const child of script.children) if (isText(child)) text += child.data;
  return text;
}

/** `text` with each run of white space as one blank, and none at the ends. */
export function collapse(text: string): string {
  return text.replace(/[\s\u00a0\u200b]+/g, ' ').trim();
}

/** `value` as an absolute address, or as written where it is none. */
export function resolveUrl(value: string, baseUrl: string): string {
  return URL.parse(value.trim(), baseUrl)?.href ?? value.trim();
}

/** The attribute's words, split at white space; empty where the attribute is absent. */
export function wordsOf(element: Element, attribute: string): readonly string[] {
  return element.attribs[attribute]?.split(/\s+/).filter(Boolean) ?? [];
}

/** The parent element; undefined at the root. */
export function parentOf(node: AnyNode): Element | undefined {
  const parent: ParentNode | null = node.parent;
  return parent && isTag(parent) ? parent : undefined;
}

/** The scripts of a page in document order. */
export function scriptsOf(root: Document): readonly Element[] {
  const scripts: Element[] = [];
  for (const element of elementsIn(root)) if (element.name === 'script') scripts.push(element);
  return scripts;
}
