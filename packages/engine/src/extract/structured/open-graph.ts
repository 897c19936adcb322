// Reads OpenGraph and its product properties: https://ogp.me/
import type { Document } from 'domhandler';
import { collapse } from '../../html/text.ts';
import { elementsWithTemplates } from '../../html/walk.ts';

/** Further values are left out. */
export const OPEN_GRAPH_VALUES_MAX = 1_000;
/** Prefixes of properties that are read; `twitter:` and plain names are not OpenGraph. */
const PREFIX = /^(og|product|article|book|profile|music|video|fb):/;

/** Values of each `<meta property>` (or `name`, as many pages write it) in document order; names in lower case. */
export function readOpenGraph(root: Document): Readonly<Record<string, readonly string[]>> {
  const values: Record<string, string[]> = Object.create(null);
  let count = 0;
  for (const element of elementsWithTemplates(root)) {
    if (element.name !== 'meta' || element.attribs['content'] === undefined) continue;
    const name = (element.attribs['property'] ?? element.attribs['name'] ?? '').trim().toLowerCase();
    if (!PREFIX.test(name) || count++ >= OPEN_GRAPH_VALUES_MAX) continue;
    (values[name] ??= []).push(collapse(element.attribs['content']));
  }
  return values;
}
