// Reads a list: items with the key that tells each from the others, whatever their order.
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import type { ExtractorSpec } from '@weft/contract';
import { absoluteUrl } from '../../../html/address.ts';
import { isWithinHidden } from '../../../html/hidden.ts';
import type { JsonValue } from '../../../html/loose-json.ts';
import { isJsonObject } from '../../../html/loose-json.ts';
import { findNodes, ownValueOf } from '../../../html/selectors/resolve.ts';
import { parseSelector } from '../../../html/selectors/selector.ts';
import { elementsBelow } from '../../../html/walk.ts';
import { dedupeKey } from '../../../url/dedupe-key.ts';
import { canonicalLine } from '../canonical-json.ts';
import { digestOf } from '../text-filter.ts';
import type { WatchedPage } from '../watched-page.ts';
import { found } from './outcome.ts';
import type { Outcome, Reading } from './outcome.ts';

/** One item: what is kept of it, by what it is compared, and what may tell it from the others. */
interface Item {
  readonly fields: Readonly<Record<string, JsonValue>>;
  /** What is compared, on one line. */
  readonly compared: string;
  /** Addresses and numbers that may be its own, the likeliest kind first; undefined where it has none of that kind. */
  readonly keys: readonly (string | undefined)[];
}

/** More items are not read. */
const ITEMS_MAX = 5_000;
/** Characters of one item that are compared. */
const ITEM_CHARS_MAX = 10_000;
/** Attributes in which pages keep the number of what an item shows. */
const NUMBERS = ['data-id', 'data-item-id', 'data-product-id', 'data-sku', 'data-asin', 'data-key', 'id'];
/** A longer key is cut, and ends in its hash. */
const KEY_CHARS_MAX = 300;

/** The items of what was found: each match is one where there are many, else those within the one match. */
export function readList(reading: Reading): Outcome {
  const { spec, parts } = reading;
  const values = parts.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const items = values.length > 0 ? itemsOfJson(values) : itemsOfElements(reading);
  const counted = items.slice(0, ITEMS_MAX).flatMap((item) => countedItem(item, reading));
  if (counted.length === 0 && items.length === 0 && !reading.many)
    return { problem: 'There are no items in what the selector finds; let it find each item, and set `many`.' };
  const keyed = withKeys(counted, spec);
  if (typeof keyed === 'string') return { problem: keyed };
  const value = keyed.map(({ key, item }) => ({ key, item: item.fields }));
  const rest = items.length > ITEMS_MAX ? [`[${items.length - ITEMS_MAX} more items, which are not read]`] : [];
  const text = keyed.map(({ item }) => item.compared).join('\n');
  const lines = keyed.map(({ key, item }) => (item.compared.startsWith(key) ? item.compared : `${key}\t${item.compared}`));
  return found(value, [text, ...rest].join('\n'), [...lines.toSorted(), ...rest].join('\n'));
}

/** An item without what is ignored of it; none where nothing of it is left. */
function countedItem(item: Item, { filter, tally }: Reading): readonly Item[] {
  const { text, ignored } = filter.strip(item.compared);
  tally.ignored += ignored;
  return item.compared !== '' && text.trim() === '' ? [] : [{ ...item, compared: text.slice(0, ITEM_CHARS_MAX) }];
}

function itemsOfJson(values: readonly JsonValue[]): readonly Item[] {
  const [only] = values;
  const list = values.length === 1 && Array.isArray(only) ? (only as readonly JsonValue[]) : values;
  return list.map((value) => {
    const fields = isJsonObject(value) ? value : { value };
    const keys = ['url', 'link', 'href', 'id', 'key', 'sku', 'guid', 'uuid'].map((name) => scalarText(fields[name]));
    return { fields, compared: canonicalLine(value), keys };
  });
}

function scalarText(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function itemsOfElements(reading: Reading): readonly Item[] {
  const elements = reading.parts.flatMap(({ element }) => element ?? []);
  const nodes = (
    reading.many || elements.length !== 1 ? elements : elements.flatMap((element) => itemsWithin(element, reading.page))
  ).filter((node) => !isWithinHidden(node));
  return reading.spec.fields ? itemsByFields(nodes, reading.spec.fields, reading) : nodes.map((node) => ownItem(node, reading));
}

/** The items of a list in a page: of a list or table its rows, of other elements those of the best list that was recognised in it, else its children. */
function itemsWithin(element: Element, page: WatchedPage): readonly Element[] {
  const rows = [...elementsBelow(element)].filter(({ name, parent }) => name === 'tr' && parent && tableOf(parent) === element);
  if (rows.length > 0) return rows.filter((row) => row.children.some((child) => isTag(child) && child.name === 'td'));
  const children = element.children.filter(isTag);
  if (element.name === 'ul' || element.name === 'ol') return children;
  const list = page.document.records.find(
    ({ nodes }) => nodes.length > 1 && nodes.every(([head]) => head !== undefined && isBelow(head, element)),
  );
  return list ? list.nodes.flatMap(([head]) => head ?? []) : children;
}

function tableOf(node: AnyNode): AnyNode | null {
  return isTag(node) && /^t(?:body|head|foot)$/.test(node.name) ? node.parent : node;
}

function isBelow(node: AnyNode, holder: AnyNode): boolean {
  for (let at = node.parent; at; at = at.parent) if (at === holder) return true;
  return false;
}

/** Compared by its text: fields that are found by themselves may be found otherwise another time. */
function ownItem(node: Element, { page, filter, tally }: Reading): Item {
  const text = tally.take(() => page.textOf(node, filter.form)).replaceAll('\n', ' ');
  if (text === '' && tally.isUsedUp) return { fields: { text }, compared: text, keys: [] };
  const url = addressIn(node, page);
  const image = [node, ...elementsBelow(node)].find(({ name }) => name === 'img');
  const picture = image && absoluteUrl(image.attribs['src'] ?? image.attribs['data-src'], page.tree);
  const fields = { text, ...(url === undefined ? {} : { url }), ...(picture === undefined ? {} : { image: picture }) };
  return { fields, compared: text, keys: ownKeysOf(node, page) };
}

function ownKeysOf(node: Element, page: WatchedPage): Item['keys'] {
  const url = addressIn(node, page);
  return [url && addressKey(url), numberOf(node)];
}

/** An address without what differs from visit to visit. */
function addressKey(url: string): string {
  const key = dedupeKey(url);
  return key.startsWith('//') ? `${new URL(url).protocol}${key}` : key;
}

function addressIn(node: Element, page: WatchedPage): string | undefined {
  const link = [node, ...elementsBelow(node)].find(({ name, attribs }) => name === 'a' && attribs['href'] !== undefined);
  return link && absoluteUrl(link.attribs['href'], page.tree);
}

function numberOf({ attribs }: Element): string | undefined {
  return NUMBERS.map((name) => attribs[name]).find((value) => value !== undefined && value !== '');
}

/** Each field is looked for once in the whole page; what was found belongs to the item that holds it. */
function itemsByFields(nodes: readonly Element[], fields: Readonly<Record<string, string>>, reading: Reading): readonly Item[] {
  const holders = new Set<AnyNode>(nodes);
  const byField = Object.entries(fields).map(([name, written]) => [name, valuesByItem(written, holders, reading)] as const);
  return nodes.map((node) => {
    const entries = byField.map(([name, values]) => [name, values.get(node) ?? null] as const);
    const members: Readonly<Record<string, JsonValue>> = Object.fromEntries(entries);
    return { fields: members, compared: canonicalLine(members), keys: ownKeysOf(node, reading.page) };
  });
}

/** The first value that a selector finds in each item; with `@name` at its end that attribute, absolute where it is an address. */
function valuesByItem(written: string, holders: ReadonlySet<AnyNode>, { page, filter, tally }: Reading): ReadonlyMap<AnyNode, string> {
  const [, selector = '', name] = /^(.*?)(?:@([\w:-]+))?$/s.exec(written.trim()) ?? [];
  const nodes = selector.trim() === '' ? holders : findNodes(parseSelector(selector), page.tree);
  const values = new Map<AnyNode, string>();
  for (const node of nodes) {
    const holder = isTag(node) ? holderOf(node, holders) : undefined;
    if (!isTag(node) || !holder || values.has(holder)) continue;
    const value =
      name === undefined ? (ownValueOf(node) ?? tally.take(() => page.textOf(node, filter.form))) : attributeOf(node, name, page);
    if (value !== undefined) values.set(holder, value);
  }
  return values;
}

function attributeOf(node: Element, name: string, page: WatchedPage): string | undefined {
  const value = node.attribs[page.isXml ? name : name.toLowerCase()];
  return value !== undefined && (name === 'href' || name === 'src') ? (absoluteUrl(value, page.tree) ?? value) : value;
}

function holderOf(node: AnyNode, holders: ReadonlySet<AnyNode>): AnyNode | undefined {
  for (let at: AnyNode | null = node; at; at = at.parent) if (holders.has(at)) return at;
  return undefined;
}

interface Keyed {
  readonly key: string;
  readonly item: Item;
}

/** Items by the field that was named, else by the first kind of key that each has one of its own of, else by what is compared. A sentence where none has the field. */
function withKeys(items: readonly Item[], { item_key: name }: ExtractorSpec): readonly Keyed[] | string {
  if (name === undefined) return numbered(items, ownKeys(items));
  const keys = items.map(({ fields }) => (Object.hasOwn(fields, name) ? scalarText(fields[name]) : undefined));
  if (items.length > 0 && keys.every((key) => key === undefined)) {
    const names = [...new Set(items.slice(0, 20).flatMap(({ fields }) => Object.keys(fields)))].slice(0, 20);
    return `No item has the field ${name} that \`item_key\` names; there are ${names.join(', ')}.`;
  }
  return numbered(
    items,
    keys.map((key, place) => key ?? items[place]?.compared ?? ''),
  );
}

function ownKeys(items: readonly Item[]): readonly string[] {
  const kinds = Math.max(0, ...items.slice(0, 1).map(({ keys }) => keys.length));
  for (let kind = 0; kind < kinds; kind++) {
    const keys = items.map((item) => item.keys[kind]);
    const known = keys.filter((key) => key !== undefined && key !== '');
    if (known.length === items.length && new Set(known).size === items.length) return known as string[];
  }
  return items.map(({ compared }) => compared);
}

/** A key that comes again is numbered from its second place on. */
function numbered(items: readonly Item[], keys: readonly string[]): readonly Keyed[] {
  const times = new Map<string, number>();
  return items.map((item, place) => {
    const written = shortened(keys[place] ?? '');
    const time = (times.get(written) ?? 0) + 1;
    times.set(written, time);
    return { key: time === 1 ? written : `${written} #${time}`, item };
  });
}

function shortened(key: string): string {
  return key.length <= KEY_CHARS_MAX ? key : `${key.slice(0, KEY_CHARS_MAX - 17).toWellFormed()} ${digestOf(key).slice(0, 16)}`;
}
