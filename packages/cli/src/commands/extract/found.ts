// What an extraction found, as lines for people and as rows for tables.
import type { ExtraTable, ReplyOf } from '@weft/contract';

export type Extracted = ReplyOf<ExtraTable['extract']['run']>['body'];

/** Whether all of it is lines or documents that no table is asked for: everything but lists. */
export function isBare(found: readonly Extracted[]): boolean {
  return found.every(({ lists }) => lists === undefined);
}

/** Matches one a line, items one JSON object a line, a product or forms as a document. */
export function linesOf(found: Extracted): readonly string[] {
  const { matches, lists, product, forms } = found;
  if (matches) return matches.map(({ value }) => value);
  if (lists) return rowsOf(found, false).map((row) => JSON.stringify(row));
  return product === null || forms?.length === 0 ? [] : [JSON.stringify(forms ?? product, null, 2)];
}

/** A row for each match, item, product or form; `withAddress` says in `page_url` where it was found. */
export function rowsOf({ url, matches, lists, product, forms }: Extracted, withAddress: boolean): readonly object[] {
  const rows =
    matches?.map(({ value }) => ({ value })) ??
    (lists && itemsOf(lists[0])) ??
    (forms as readonly object[] | undefined) ??
    (product ? [product] : []);
  return withAddress ? rows.map((row) => ({ page_url: url, ...row })) : rows;
}

/** The columns of `rows` in the order of the lists' fields, which the first item may lack. */
export function columnsOf(rows: readonly object[], found: readonly Extracted[]): readonly string[] {
  const named = found.flatMap(({ lists }) => fieldsOf(lists?.[0]).map(({ name }) => name));
  const held = new Set(rows.flatMap((row) => Object.keys(row)));
  const first = held.has('page_url') && !named.includes('page_url') ? ['page_url'] : [];
  return [...new Set([...first, ...named.filter((name) => held.has(name)), ...held])];
}

/** The items of a list as plain objects, in the order of its fields: name to text, an address made absolute, several where a field repeats. */
function itemsOf(list: unknown): readonly object[] {
  // As the engine describes a list.
  const { items = [] } = (list ?? {}) as { readonly items?: readonly { readonly fields: Readonly<Record<string, unknown>> }[] };
  const specs = fieldsOf(list);
  return items.map(({ fields }) => {
    const names = specs.map(({ name }) => name).filter((name) => fields[name] !== undefined);
    return Object.fromEntries(names.map((name) => [name, plainOf(fields[name])]));
  });
}

function fieldsOf(list: unknown): readonly { readonly name: string }[] {
  // As the engine describes a list.
  return (list as { readonly fields?: readonly { readonly name: string }[] } | undefined)?.fields ?? [];
}

function plainOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainOf);
  const { url, raw } = value as { readonly url?: string; readonly raw: string };
  return url ?? raw;
}
