// Which class names say what an element is, and which only say what state it is in or which build made it.

/** Splits a class, id or key into lower-case words: `searchResult-item_2` -> `search result item 2`. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

const STATE =
  /^(?:is|has|js)[-_]|(?:^|[-_])(?:odd|even)(?:[-_]|$)|(?:^|[-_])(?:active|inactive|current|selected|alt|first|last|hover|focus|open|opened|closed|collapsed|expanded|visible|hidden|loaded|loading|lazy|lazyload|lazyloaded|disabled|enabled|clearfix|cf|ng|animated|fade|in|show)(?:[-_](?:child|item|row))?$/i;

/** The first and the last column are columns; the first and the last row are in a state. */
const COLUMN = /^col(?:umn)?[-_](?:first|last)$/i;

/** Longer names are generated. */
const TOKEN_CHARS_MAX = 100;

/** A class name without its per-item and per-build parts; undefined when nothing stable is left of it. */
export function stableClass(token: string): string | undefined {
  if (token.length > TOKEN_CHARS_MAX) return undefined;
  const base = token.replace(/(?:__|--|_)(?=[\w-]*[A-Z\d])(?=[\w-]*[a-z])[A-Za-z\d+-]{5,8}$/, '');
  if (/\d.*\d/.test(base) || /\d[a-zA-Z]/.test(base) || (STATE.test(base) && !COLUMN.test(base))) return undefined;
  const stem = base.replace(/[-_]?\d$/, '');
  return stem.length < 2 ? undefined : stem;
}

const cache = new Map<string, readonly string[]>();
const CACHE_MAX = 20_000;

/** The stable class names of a `class` attribute, sorted, each once. */
export function stableClasses(attribute: string | undefined): readonly string[] {
  if (attribute === undefined || attribute === '') return [];
  const known = cache.get(attribute);
  if (known) return known;
  const names = new Set<string>();
  for (const token of attribute.split(/\s+/)) {
    const name = token === '' ? undefined : stableClass(token);
    if (name !== undefined) names.add(name);
  }
  const sorted = [...names].toSorted();
  if (cache.size >= CACHE_MAX) cache.clear();
  cache.set(attribute, sorted);
  return sorted;
}

/** Tag and stable classes: `li.result`. */
export function stepOf(element: { readonly name: string; readonly attribs: Readonly<Record<string, string>> }): string {
  return [element.name, ...stableClasses(element.attribs['class'])].join('.');
}
