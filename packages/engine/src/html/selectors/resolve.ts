// Finds what a selector points at on one page, as values with the nodes that they come from.
import { serializeOuter } from 'parse5';
import { adapter } from 'parse5-htmlparser2-tree-adapter';
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import type { JsonValue } from '../loose-json.ts';
import type { PageTree } from '../tree.ts';
import { cssPathOf, readUniqueIds } from './css-path.ts';
import { matchCss } from './css.ts';
import { matchJsonPath, readEmbeddedJson } from './json.ts';
import { compileRegex, matchRegex } from './regex.ts';
import type { Selector, SelectorKind } from './selector.ts';
import { pierceCss } from './roots.ts';
import { attributeValue, takeFrom } from './take.ts';
import type { Take } from './take.ts';
import { linesOf } from './text.ts';
import { collapse } from '../text.ts';
import { elementsBelow } from '../walk.ts';
import { findByAria, findByLabel, findByRole, findByText, parseAria, parsePhrase, parseRole } from './words.ts';
import { matchXPath } from './xpath.ts';

/** One thing that a selector points at. */
export interface SelectorMatch {
  /** The node that matched, or that owns the attribute that did; absent for values from JSON, patterns and computations. */
  readonly node?: AnyNode;
  /** Text in lines; the value of a control, an attribute or a JSON string; other JSON as JSON text. */
  readonly value: string;
  /** The element as HTML, for the first HTML_MATCHES_MAX matches. */
  readonly html?: string;
}

/** All that a selector points at on one page. */
export interface SelectorResult {
  /** In the order of the page; at most MATCHES_MAX. */
  readonly matches: readonly SelectorMatch[];
  /** How many there are, those above MATCHES_MAX included; patterns stop counting there. */
  readonly count: number;
  readonly evidence: SelectorEvidence;
}

/** How the result was found, for people who wonder about it. */
export interface SelectorEvidence {
  readonly kind: SelectorKind;
  /** Where it was looked for: `tree`, `text`, or the JSON that matched (`document`, `script#id`, a variable's name). */
  readonly place: string;
  /** CSS that names the first matching element by its place. */
  readonly path?: string;
  /** True where matches, values or HTML were left out because of a limit. */
  readonly truncated: boolean;
}

/** More matches are counted but not returned. */
export const MATCHES_MAX = 10_000;
/** Matches further down carry no HTML. */
export const HTML_MATCHES_MAX = 100;
const VALUE_CHARACTERS_MAX = 100_000;
/** An element with more elements in it is returned without HTML. */
const HTML_ELEMENTS_MAX = 2_000;
/** All values of one result together, and all HTML. */
const TOTAL_CHARACTERS_MAX = 5_000_000;

/** What is found before values are read: a node, a value, or both. */
interface Found {
  readonly node?: AnyNode;
  readonly value?: string;
  /** The element of an attribute. */
  readonly owner?: Element;
}

/** The nodes that a selector finds on the page; values that belong to no node are left out. Throws PageError `selector` where running it fails. */
export function findNodes({ kind, expression }: Selector, tree: PageTree): readonly AnyNode[] {
  if (kind === 'jsonpath' || kind === 'regex') return [];
  return FINDERS[kind](expression, tree).flatMap(({ node, owner = node }) => (owner && !isInTemplate(owner) ? [owner] : []));
}

/**
 * What `selector` points at, as addresses that can be asked for where it points at attributes that hold some; `take` is what is read of the
 * elements that CSS finds. Throws PageError `selector` where running it fails.
 */
export function resolveValues(selector: Selector, take: Take | undefined, tree: PageTree): SelectorResult {
  const { kind, expression } = selector;
  if (kind === 'css' && take) {
    const elements = matchCss(expression, tree).filter((node) => !isInTemplate(node));
    return writeResult(kind, 'tree', takeFrom(elements, take, tree), tree);
  }
  if (kind !== 'xpath') return resolveSelector(selector, tree);
  const found = matchXPath(expression, tree).map((match) =>
    'attribute' in match ? { ...match, value: attributeValue(match.attribute, match.value, tree) } : match,
  );
  return writeResult(
    kind,
    'tree',
    found.filter((match) => !('node' in match) || !isInTemplate(match.node)),
    tree,
  );
}

/** What `selector` points at on the page; no match is an empty result. Throws PageError `selector` where running it fails. */
export function resolveSelector(selector: Selector, tree: PageTree): SelectorResult {
  if (selector.kind === 'jsonpath') return resolveInTree(selector, tree);
  const found = FINDERS[selector.kind](selector.expression, tree).filter(({ node }) => !node || !isInTemplate(node));
  return writeResult(selector.kind, selector.kind === 'regex' ? 'text' : 'tree', found, tree);
}

/** What a JSONPath selector points at in a JSON answer. Throws PageError `selector` where running it fails. */
export function resolveInJson(selector: Selector, value: JsonValue): SelectorResult {
  const found = matchJsonPath(selector.expression, value).map((item) => ({ value: writeJson(item) }));
  return writeResult('jsonpath', 'document', found, undefined);
}

/** The first JSON of the page in which the path finds something. */
function resolveInTree({ expression }: Selector, tree: PageTree): SelectorResult {
  for (const { place, value } of readEmbeddedJson(tree)) {
    const found = matchJsonPath(expression, value);
    if (found.length > 0)
      return writeResult(
        'jsonpath',
        place,
        found.map((item) => ({ value: writeJson(item) })),
        tree,
      );
  }
  return writeResult('jsonpath', 'tree', [], tree);
}

const FINDERS: Readonly<Record<Exclude<SelectorKind, 'jsonpath'>, (expression: string, tree: PageTree) => readonly Found[]>> = {
  css: (expression, tree) => matchCss(expression, tree).map((node) => ({ node })),
  xpath: (expression, tree) => matchXPath(expression, tree),
  regex: (expression, tree) => matchRegex(compileRegex(expression), tree, MATCHES_MAX).map((value) => ({ value })),
  text: (expression, tree) => findByText(parsePhrase(expression, expression), tree).map((node) => ({ node })),
  role: (expression, tree) => findByRole(parseRole(expression, expression), tree).map((node) => ({ node })),
  label: (expression, tree) => findByLabel(parsePhrase(expression, expression), tree).map((node) => ({ node })),
  aria: (expression, tree) => findByAria(parseAria(expression, expression), tree).map((node) => ({ node })),
  pierce: (expression, tree) => pierceCss(expression, tree).map((node) => ({ node })),
};

function writeResult(kind: SelectorKind, place: string, found: readonly Found[], tree: PageTree | undefined): SelectorResult {
  const matches: SelectorMatch[] = [];
  let characters = 0;
  for (const item of found) {
    if (matches.length >= MATCHES_MAX || characters >= TOTAL_CHARACTERS_MAX) break;
    const match = writeMatch(item, matches.length < HTML_MATCHES_MAX);
    characters += match.value.length + (match.html?.length ?? 0);
    matches.push(match);
  }
  const first = matches[0]?.node;
  const path = tree && first && isTag(first) ? cssPathOf(first, readUniqueIds(elementsBelow(tree.root))) : undefined;
  const evidence = { kind, place, ...(path === undefined ? {} : { path }), truncated: matches.length < found.length };
  return { matches, count: found.length, evidence };
}

function writeMatch({ node, value }: Found, withHtml: boolean): SelectorMatch {
  const text = (value ?? (node ? valueOf(node) : '')).slice(0, VALUE_CHARACTERS_MAX);
  const html = withHtml && node && isTag(node) && isSmall(node) ? serializeOuter(node, { treeAdapter: adapter }) : undefined;
  const kept = html !== undefined && html.length <= VALUE_CHARACTERS_MAX ? { html } : {};
  return { ...(node ? { node } : {}), value: text, ...kept };
}

/** Checked before writing HTML, which costs as much as what is in the element. */
function isSmall(element: Element): boolean {
  let count = 0;
  for (const _ of elementsBelow(element)) if (++count > HTML_ELEMENTS_MAX) return false;
  return true;
}

/** What a person would read off a node: a control's value, a picture's text, a meta element's content, else its lines of text. At most `charactersMax` of those. */
export function valueOf(node: AnyNode, charactersMax = VALUE_CHARACTERS_MAX): string {
  if (!isTag(node)) return 'data' in node ? collapse(node.data) : linesOf(node, charactersMax);
  if (node.name === 'img') return node.attribs['alt'] || (node.attribs['src'] ?? '');
  return ownValueOf(node) ?? linesOf(node, charactersMax);
}

/** What an element says other than by the text that it shows: a control, a meta element, a script; undefined for all others. */
export function ownValueOf(element: Element): string | undefined {
  const { name, attribs } = element;
  if (name === 'input') return attribs['value'] ?? '';
  if (name === 'select') return selectedValue(element);
  if (name === 'meta') return attribs['content'] ?? '';
  if (name !== 'script' && name !== 'style' && name !== 'title') return undefined;
  return element.children
    .map((child) => ('data' in child ? child.data : ''))
    .join('')
    .trim();
}

function selectedValue(select: Element): string {
  let first: Element | undefined;
  for (const element of elementsBelow(select)) {
    if (element.name !== 'option') continue;
    if ('selected' in element.attribs) return linesOf(element);
    first ??= element;
  }
  return first ? linesOf(first) : '';
}

function writeJson(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What `<template>` holds is not in the document, and no browser would match it. */
function isInTemplate(node: AnyNode): boolean {
  for (let at = node.parent; at; at = at.parent) if (isTag(at) && at.name === 'template') return true;
  return false;
}
