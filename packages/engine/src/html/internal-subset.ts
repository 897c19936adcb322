// Reads the declarations that XHTML may carry inside of its DOCTYPE, which HTML parsers take for text.

/** A DOCTYPE that opens a subset, behind what may stand before it (XML 1.0, section 2.8). */
const OPENING =
  /^\ufeff?\s{0,200}(?:<\?xml[^<>]{0,500}\?>\s{0,200})?(?:<!--(?:(?!-->)[\s\S]){0,5000}-->\s{0,200}){0,10}<!DOCTYPE\s[^<>[]{0,1000}\[/i;
/** What a subset is made of, up to the bracket that ends it: literals, comments and instructions may hold brackets of their own. */
const PIECE = /"[^"]*"|'[^']*'|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|[^"'<\]]+|</y;
const CLOSING = /\]\s*>/y;
const ENTITY = /<!ENTITY\s+([A-Za-z_][\w.-]*)\s+(?:"([^"]*)"|'([^']*)')\s*>/g;
const SUBSET_MAX = 100_000;
/** An entity is a name for a character or a few words; names for more would blow up the page. */
const ADDED_MAX = 1_000_000;

/** `html` without the internal subset of its DOCTYPE, and with the entities that are declared there in their places. */
export function withoutInternalSubset(html: string): string {
  const opening = OPENING.exec(html)?.[0];
  if (opening === undefined) return html;
  const end = endOfSubset(html, opening.length);
  const closing = end === undefined ? undefined : matchAt(CLOSING, html, end);
  if (end === undefined || closing === undefined) return html;
  const entities = entitiesOf(html.slice(opening.length, end));
  return `${opening.slice(0, -1).trimEnd()}>${expand(html.slice(end + closing.length), entities)}`;
}

function endOfSubset(html: string, start: number): number | undefined {
  let at = start;
  while (at < html.length && at - start < SUBSET_MAX && html[at] !== ']') {
    const piece = matchAt(PIECE, html, at);
    if (piece === undefined) return undefined;
    at += piece.length;
  }
  return html[at] === ']' ? at : undefined;
}

function matchAt(sticky: RegExp, text: string, at: number): string | undefined {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0];
}

/** The first declaration of a name counts (XML 1.0, section 4.2). */
function entitiesOf(subset: string): ReadonlyMap<string, string> {
  const entities = new Map<string, string>();
  for (const [, name = '', double, single] of subset.replace(/<!--[\s\S]*?-->/g, '').matchAll(ENTITY))
    if (!entities.has(name)) entities.set(name, double ?? single ?? '');
  return entities;
}

function expand(markup: string, entities: ReadonlyMap<string, string>): string {
  if (entities.size === 0) return markup;
  let added = 0;
  return markup.replace(/&([A-Za-z_][\w.-]*);/g, (reference, name: string) => {
    const value = entities.get(name);
    if (value === undefined || (added += value.length) > ADDED_MAX) return reference;
    return value;
  });
}
