// Finds the lists of objects in a JSON value, with the JSONPath that finds each again and that of each of its fields.
import type { JsonValue } from '../../html/loose-json.ts';
import { fieldsOfObjects, itemsOfObjects } from '../../records/json-fields.ts';
import type { FieldSpec, RecordItem } from '../../records/list.ts';

type JsonObject = Readonly<Record<string, JsonValue>>;

/** A list of objects of one kind. */
export interface JsonList {
  /** JSONPath (RFC 9535) of its objects. */
  readonly path: string;
  readonly rows: number;
  /** `path` of each is a JSONPath within an object. */
  readonly fields: readonly FieldSpec[];
  readonly items: readonly RecordItem[];
}

const NODES_MAX = 200_000;
const DEPTH_MAX = 12;
const ITEMS_MAX = 200;
const LISTS_MAX = 5;
/** Objects that lists wrap around their rows: a connection of GraphQL, the positions of an ItemList. */
const WRAPPING = ['node', 'item', '_source'];

/** The lists in `value` with at least two fields, those that say most first, at most five. An empty list is none. */
export function findJsonLists(value: JsonValue): readonly JsonList[] {
  const found: { readonly path: string; readonly objects: readonly JsonObject[]; readonly weight: number }[] = [];
  const pending: { readonly at: JsonValue; readonly path: string; readonly depth: number }[] = [{ at: value, path: '$', depth: 0 }];
  let nodes = 0;
  for (let next = pending.shift(); next && nodes < NODES_MAX; next = pending.shift()) {
    nodes++;
    const { at, path, depth } = next;
    if (Array.isArray(at)) {
      const list = listOf(at as readonly JsonValue[], path);
      if (list) found.push(list);
    }
    if (depth >= DEPTH_MAX || typeof at !== 'object' || at === null) continue;
    // Of the rows of a list the first ones show what lists they hold themselves.
    const inner = Array.isArray(at)
      ? (at as readonly JsonValue[]).slice(0, 3).map((item, i) => [`${path}[${i}]`, item] as const)
      : Object.entries(at as JsonObject).map(([name, item]) => [`${path}${memberStep(name)}`, item] as const);
    for (const [inside, item] of inner) pending.push({ at: item, path: inside, depth: depth + 1 });
  }
  return found
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, LISTS_MAX)
    .flatMap(({ path, objects }) => readList(path, objects));
}

/** The step of a JSONPath to the member `name`. */
export function memberStep(name: string): string {
  return `['${name.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}']`;
}

function listOf(values: readonly JsonValue[], path: string) {
  const objects = values.filter(isObject);
  if (objects.length === 0 || objects.length < values.length * 0.8) return undefined;
  const wrapping = WRAPPING.find((name) => objects.every((object) => isObject(object[name])));
  const rows = wrapping === undefined ? objects : objects.map((object) => object[wrapping] as JsonObject);
  const step = wrapping === undefined ? '' : memberStep(wrapping);
  const keys = Math.max(...rows.slice(0, 20).map((row) => Object.keys(row).length));
  if (keys < 2) return undefined;
  const chars = rows.slice(0, 20).reduce((sum, row) => sum + charsOf(row), 0) / Math.min(rows.length, 20);
  const weight = Math.log2(1 + rows.length) * Math.log2(1 + keys) * Math.sqrt(1 + Math.min(chars, 600)) * (path.includes('[0]') ? 0.2 : 1);
  return { path: `${path}[*]${step}`, objects: rows, weight };
}

function readList(path: string, objects: readonly JsonObject[]): readonly JsonList[] {
  const sample = objects.slice(0, ITEMS_MAX);
  const specs = fieldsOfObjects(sample, undefined, true);
  if (specs.length === 0) return [];
  const fields = specs.map((spec) => ({ ...spec, path: `$${spec.path.split('.').map(memberStep).join('')}` }));
  return [{ path, rows: objects.length, fields, items: itemsOfObjects(sample, specs) }];
}

/** Characters of texts directly in the object, addresses left out. */
function charsOf(object: JsonObject): number {
  let chars = 0;
  for (const value of Object.values(object)) if (typeof value === 'string' && !/^https?:/.test(value)) chars += value.length;
  return chars;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
