// Finds what a step points at on a page, in its JSON, its text or its headers.
import type { AnyNode } from 'domhandler';
import type { PageValue, ReadFrom, Selectors } from '@weft/contract';
import type { JsonValue } from '../../html/loose-json.ts';
import { matchJsonPath, checkJsonPath, readEmbeddedJson } from '../../html/selectors/json.ts';
import { resolveSelector } from '../../html/selectors/resolve.ts';
import { parseSelector } from '../../html/selectors/selector.ts';
import { PageError } from '../../errors.ts';
import type { Document } from '../../page/document.ts';

/** One answer as steps read it. */
export interface ReadPage {
  readonly document: Document;
  /** Lower-case names. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** One thing that was found: a node of the page, or a value. */
export interface FoundValue {
  readonly node?: AnyNode;
  /** Of a node what it says, of JSON the value itself. */
  readonly value: JsonValue;
}

/** What the first of `selectors` finds that finds anything; which one it was, or the last where none does. */
export function findElements(
  selectors: Selectors,
  document: Document,
): { readonly found: readonly FoundValue[]; readonly alternative: number } {
  let alternative = 0;
  for (const selector of selectors) {
    const found = findOne(selector, document);
    if (found.length > 0) return { found, alternative };
    alternative++;
  }
  return { found: [], alternative: selectors.length - 1 };
}

/** A way through frames and shadow roots is gone part by part: a page that was read holds both in place, each within what holds it. */
function findOne(selector: string | readonly string[], document: Document): readonly FoundValue[] {
  const parts = typeof selector === 'string' ? [selector] : selector;
  let found: readonly FoundValue[] = [];
  parts.forEach((part, place) => {
    const matches = resolveSelector(parseSelector(part), document.tree).matches.map(({ node, value }) => ({
      ...(node ? { node } : {}),
      value,
    }));
    const holders = new Set(found.map(({ node }) => node));
    found = place === 0 ? matches : matches.filter(({ node }) => node && isWithin(node, holders));
  });
  return found;
}

/** True where `node` lies below one of `holders`. */
export function isWithin(node: AnyNode, holders: ReadonlySet<AnyNode | undefined>): boolean {
  return holderOf(node.parent, holders) !== undefined;
}

/** The nearest of `holders` that `node` is or lies in. */
export function holderOf(node: AnyNode | null, holders: ReadonlySet<AnyNode | undefined>): AnyNode | undefined {
  for (let at = node; at; at = at.parent) if (holders.has(at)) return at;
  return undefined;
}

/** The JSON values that `from` means, in which a path is looked for one after another. Throws PageError `page_unreadable`. */
export function jsonOf(from: ReadFrom | undefined, page: ReadPage): readonly JsonValue[] {
  const { structured, source } = page.document;
  if (from === 'jsonld') return [structured.jsonLd];
  if (from === 'state') return structured.states.map(({ value }) => value);
  // What a page fetched was parsed as JSON.
  if (from === 'xhr') return (source.xhr ?? []).map(({ json }) => json as JsonValue);
  if (from === 'json') return [parseJson(page)];
  return [...readEmbeddedJson(page.document.tree)].map(({ value }) => value);
}

function parseJson({ document }: ReadPage): JsonValue {
  try {
    // JSON.parse gives nothing but JSON.
    return JSON.parse(document.decoded.html.replace(/^\ufeff/, '')) as JsonValue;
  } catch (cause) {
    throw new PageError('page_unreadable', `${document.source.url} did not answer JSON.`, { url: document.source.url, cause });
  }
}

/** What `path` finds in the first of `values` in which it finds anything. Throws PageError `selector`. */
export function findInJson(path: string, values: readonly JsonValue[]): readonly JsonValue[] {
  checkJsonPath(path);
  for (const value of values) {
    const found = matchJsonPath(path, value);
    if (found.length > 0) return found;
  }
  return [];
}

/** What a step points at outside of lists. Throws PageError. */
export function findValues({ from = 'html', selectors, path }: PageValue, page: ReadPage): readonly FoundValue[] {
  if (from === 'headers') return page.headers.filter(([name]) => name === path?.toLowerCase()).map(([, value]) => ({ value }));
  if (from === 'text') return [{ value: page.document.text('page') }];
  if (selectors !== undefined && from === 'html') return findElements(selectors, page.document).found;
  if (path === undefined) return from === 'html' ? [] : jsonOf(from, page).map((value) => ({ value }));
  return findInJson(path, jsonOf(from, page)).map((value) => ({ value }));
}
