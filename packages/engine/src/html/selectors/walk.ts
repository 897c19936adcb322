// Reading a page tree without recursion: elements in document order, text as a person would read it, addresses made absolute.
import type { AnyNode, Element, ParentNode } from 'domhandler';
import { isTag } from 'domhandler';
import type { PageTree } from '../tree.ts';

/** Elements whose text is not content. */
const SILENT = new Set(['script', 'style', 'template', 'title', 'head']);
/** Elements that stand on lines of their own, so that the words around them never join. */
const BREAKING = new Set(
  'address article aside blockquote br button caption center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr legend li main nav ol optgroup option p pre section select summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);

/** Whether the text of an element is no content: scripts, styles, templates. */
export function isSilent(element: Element): boolean {
  return SILENT.has(element.name);
}

/** Whether an element stands on lines of its own. */
export function isBreaking(element: Element): boolean {
  return BREAKING.has(element.name);
}

/** Every element below `top`, in document order; `top` itself and what `<template>` holds left out. */
export function* elementsBelow(top: ParentNode): Generator<Element> {
  for (let node = firstOf(top) ?? null; node; node = following(node, top)) if (isTag(node)) yield node;
}

function firstOf(parent: ParentNode): AnyNode | undefined {
  return parent.children[0];
}

/** The node after `node` in document order, inside `top`. */
function following(node: AnyNode, top: ParentNode): AnyNode | null {
  if ('children' in node && node.children[0] && !isTemplate(node)) return node.children[0];
  return followingSkipping(node, top);
}

/** What is inside `<template>` is not in the document. */
function isTemplate(node: AnyNode): boolean {
  return isTag(node) && node.name === 'template';
}

/** The node after `node` and all that it contains, inside `top`. */
function followingSkipping(node: AnyNode, top: ParentNode): AnyNode | null {
  for (let at: AnyNode | null = node; at && at !== top; at = at.parent) if (at.next) return at.next;
  return null;
}

/**
 * The text of `node` with white space collapsed; scripts, styles and templates left out, blocks kept apart by a space.
 * Stops after `charactersMax` characters.
 */
export function textOf(node: AnyNode, charactersMax = Number.POSITIVE_INFINITY): string {
  return collapse(readText(node, charactersMax, ' ')).slice(0, charactersMax);
}

/** Text with `separator` where a block begins or ends. */
function readText(node: AnyNode, charactersMax: number, separator: string): string {
  if (node.type === 'text') return joined('', node.data);
  if (!('children' in node)) return '';
  let text = '';
  let at: AnyNode | null = node.children[0] ?? null;
  while (at && text.length < charactersMax) {
    if (at.type === 'text') text = joined(text, at.data);
    else if (isTag(at) && BREAKING.has(at.name)) text = separated(text, isCell(at) ? ' ' : separator);
    const next: AnyNode | null = isTag(at) && SILENT.has(at.name) ? followingSkipping(at, node) : following(at, node);
    const left = blockLeft(at, next);
    if (left) text = separated(text, isCell(left) ? ' ' : separator);
    at = next;
  }
  return text;
}

/** White space is collapsed as it comes, so that a limit counts characters that a person sees. */
function joined(text: string, data: string): string {
  const piece = data.replace(/\s+/g, ' ');
  return piece.startsWith(' ') && (text === '' || /\s$/.test(text)) ? text + piece.slice(1) : text + piece;
}

function separated(text: string, separator: string): string {
  return text === '' || text.endsWith(separator) ? text : text + separator;
}

/** Cells of a row are read along the line. */
function isCell({ name }: Element): boolean {
  return name === 'td' || name === 'th';
}

/** The outermost block element that ends on the way from `from` to `to`. */
function blockLeft(from: AnyNode, to: AnyNode | null): Element | undefined {
  if (to && to.parent === from) return undefined;
  let left: Element | undefined;
  for (let at: AnyNode | null = from; at && at !== to?.parent; at = at.parent) if (isTag(at) && BREAKING.has(at.name)) left = at;
  return left;
}

/** One line of text: runs of white space as one space, none at the ends. */
export function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The value of an attribute, trimmed; undefined when absent or empty. */
export function attribute(element: Element, name: string): string | undefined {
  const value = element.attribs[name]?.trim();
  return value === '' ? undefined : value;
}

/** The class names of an element, as written. */
export function classesOf(element: Element): readonly string[] {
  return (element.attribs['class'] ?? '').split(/\s+/).filter((name) => name !== '');
}

/** `href` made absolute against the page; undefined unless it is a valid http(s) address. */
export function absoluteUrl(href: string | undefined, tree: PageTree): string | undefined {
  if (href === undefined) return undefined;
  const url = URL.parse(href, tree.baseUrl);
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : undefined;
}

/** The nearest ancestor element of one of these names; undefined when there is none. */
export function ancestorNamed(node: AnyNode, names: readonly string[]): Element | undefined {
  for (let at = node.parent; at; at = at.parent) if (isTag(at) && names.includes(at.name)) return at;
  return undefined;
}

/** The text of `node` as lines: one for each block, `<br>` included, without empty ones. */
export function linesOf(node: AnyNode, charactersMax = Number.POSITIVE_INFINITY): string {
  return readText(node, charactersMax, '\n')
    .split('\n')
    .map(collapse)
    .filter((line) => line !== '')
    .join('\n');
}
