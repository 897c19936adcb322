// Rows of a page: the fields of one, and lists whose items are pointed at or found by themselves.
import type { AnyNode } from 'domhandler';
import type { FieldRule, Fields, ListWrapper, ReadFrom, Selectors } from '@weft/contract';
import type { JsonValue } from '../../html/loose-json.ts';
import type { RecordList } from '../../records/list.ts';
import { applyWrapper } from '../../records/wrapper.ts';
import { membersFrom } from '../value.ts';
import { findElements, findInJson, findValues, holderOf, jsonOf } from './find.ts';
import type { FoundValue, ReadPage } from './find.ts';
import { plainValue, typedValue } from './typed.ts';

/** One row: fields that were found; one that is missing is null. */
export type Row = Readonly<Record<string, JsonValue>>;

/** Rows, and what was missing in them. */
export interface RowsFound {
  readonly rows: readonly Row[];
  /** All that there were, those above a limit included. */
  readonly count: number;
  /** Required fields that a row has not, by name, with the number of such rows. */
  readonly missing: Readonly<Record<string, number>>;
}

/** How a list is asked for. */
export interface ListAsk {
  readonly from?: ReadFrom | undefined;
  readonly selectors?: Selectors | undefined;
  readonly path?: string | undefined;
  /** What was learnt of the list; it stands for selectors, path and fields. */
  readonly wrapper?: ListWrapper | undefined;
  readonly fields?: Fields | undefined;
  readonly limit?: number | undefined;
}

/** The one row that `fields` say of the whole page. */
export function readFields(from: ReadFrom | undefined, fields: Fields, page: ReadPage): RowsFound {
  const row = rowOf(
    fields,
    (rule, name) => {
      const isOfJson = from === 'json' || from === 'jsonld' || from === 'state' || from === 'xhr';
      const path = rule.path ?? (isOfJson ? `$[${JSON.stringify(name)}]` : undefined);
      const isElement = !isOfJson && rule.selectors !== undefined;
      return findValues({ from: isElement ? 'html' : from, selectors: rule.selectors, path }, page);
    },
    page,
  );
  return withMissing([row], 1, fields);
}

/** The rows of a list. Throws PageError. */
export function readList(ask: ListAsk, page: ReadPage): RowsFound {
  const { from = 'html', selectors, path, limit = Number.POSITIVE_INFINITY } = ask;
  if (ask.wrapper) return wrappedRows(ask.wrapper, limit, page);
  if (path !== undefined || from !== 'html') {
    const items = findInJson(path ?? '$[*]', jsonOf(from, page));
    return jsonRows(items.slice(0, limit), items.length, ask.fields, page);
  }
  if (selectors === undefined) return ownRows(ask, page);
  const { found } = findElements(selectors, page.document);
  const nodes = found.map(({ node }) => node).filter((node) => node !== undefined);
  return elementRows(nodes, found, ask, page);
}

/** The list that a wrapper remembers; none where nothing on the page resembles it. */
function wrappedRows({ fields, ...rest }: ListWrapper, limit: number, page: ReadPage): RowsFound {
  const wrapper = { ...rest, fields: fields.map(({ label, ...field }) => ({ ...field, label })) };
  const list = applyWrapper(wrapper, page.document.tree);
  return list ? listRows(list, limit) : { rows: [], count: 0, missing: {} };
}

/** The best list of the page, with all fields that its rows have. */
function ownRows(ask: ListAsk, page: ReadPage): RowsFound {
  const [list] = page.document.records;
  if (!list) return { rows: [], count: 0, missing: {} };
  const heads = list.nodes.flatMap(([head]) => (head ? [head as AnyNode] : []));
  if (ask.fields && heads.length > 0)
    return elementRows(
      heads,
      heads.map((node) => ({ node, value: '' })),
      ask,
      page,
    );
  return listRows(list, ask.limit);
}

/** The rows of a list with all its fields; one that an item lacks is null. */
function listRows(list: RecordList, limit: number | undefined): RowsFound {
  const rows = list.items
    .slice(0, limit)
    .map(({ fields }) =>
      membersFrom(
        list.fields.map(
          ({ name }) =>
            [name, Object.hasOwn(fields, name) ? plainValue(fields[name] as NonNullable<(typeof fields)[string]>) : null] as const,
        ),
      ),
    );
  return { rows, count: list.items.length, missing: {} };
}

/** A field is looked for once in the whole page; what was found belongs to the item that holds it. */
function elementRows(nodes: readonly AnyNode[], items: readonly FoundValue[], ask: ListAsk, page: ReadPage): RowsFound {
  const fields = ask.fields ?? { text: {} };
  const holders = new Set(nodes);
  const byField = new Map(
    Object.entries(fields).flatMap(([name, { selectors }]) =>
      selectors ? [[name, alternativesByItem(selectors, holders, page)] as const] : [],
    ),
  );
  const rows = nodes
    .slice(0, ask.limit)
    .map((node, place) =>
      rowOf(fields, (rule, name) => (rule.selectors ? (byField.get(name)?.get(node) ?? []) : [items[place] ?? { node, value: '' }]), page),
    );
  return withMissing(rows, nodes.length, fields);
}

/** For each item what its first alternative finds in it that finds anything there. */
function alternativesByItem(
  selectors: Selectors,
  holders: ReadonlySet<AnyNode>,
  page: ReadPage,
): ReadonlyMap<AnyNode, readonly FoundValue[]> {
  const byItem = new Map<AnyNode, FoundValue[]>();
  for (const selector of selectors) {
    const settled = new Set(byItem.keys());
    for (const value of findElements([selector], page.document).found) {
      const holder = value.node && holderOf(value.node, holders);
      if (!holder || settled.has(holder)) continue;
      const values = byItem.get(holder);
      if (values) values.push(value);
      else byItem.set(holder, [value]);
    }
  }
  return byItem;
}

function jsonRows(items: readonly JsonValue[], count: number, fields: Fields | undefined, page: ReadPage): RowsFound {
  if (!fields) return { rows: items.map((item) => (isRow(item) ? item : { value: item })), count, missing: {} };
  const rows = items.map((item) =>
    rowOf(fields, (rule, name) => findInJson(rule.path ?? `$[${JSON.stringify(name)}]`, [item]).map((value) => ({ value })), page),
  );
  return withMissing(rows, count, fields);
}

function rowOf(fields: Fields, find: (rule: FieldRule, name: string) => readonly FoundValue[], page: ReadPage): Row {
  const baseUrl = page.document.tree.baseUrl;
  return membersFrom(
    Object.entries(fields).map(([name, rule]) => {
      const values = find(rule, name);
      if (rule.many !== true) return [name, values[0] === undefined ? null : (typedValue(values[0], rule, baseUrl) ?? null)] as const;
      return [name, values.map((value) => typedValue(value, rule, baseUrl)).filter((value) => value !== undefined)] as const;
    }),
  );
}

function withMissing(rows: readonly Row[], count: number, fields: Fields): RowsFound {
  const required = Object.entries(fields).filter(([, { required: isRequired }]) => isRequired === true);
  const lacking = required
    .map(([name]) => [name, rows.filter((row) => isEmpty(row[name])).length] as const)
    .filter(([, rowsWithout]) => rowsWithout > 0);
  return { rows, count, missing: membersFrom(lacking) };
}

function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function isRow(value: JsonValue): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
