// Finds the list of records in JSON: structured data, an embedded state, an answer that the page fetched.
import type { FieldSpec, ListSource, RecordItem, RecordList } from './list.ts';
import { mean } from './group/shares.ts';
import { fieldsOfObjects, itemsOfObjects } from './json-fields.ts';

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

const NODES_MAX = 200_000;
const DEPTH_MAX = 14;
const ITEMS_MIN = 2;
const SAMPLE_MAX = 20;
/** Objects of one list share this part of their keys. */
const ALIKE_MIN = 0.5;
/** What a list in markup scores for links, headings and place, which JSON has no counterpart for. */
const SCORE_BASE = 4;

/**
 * The largest array of objects of one kind in `value`, as a list: also the values of a map, and the members of an `@graph` of one type.
 * Undefined where nothing of two or more items repeats. At most 200,000 nodes and 14 levels are looked at.
 */
export function recordListFromJson(value: unknown, source: Exclude<ListSource, 'dom' | 'table'>, asked?: string): RecordList | undefined {
  const best = largest(groupsIn(value));
  return best && new JsonList(best, source, { asked });
}

/** `objects` as a list with every field that any of them has: the rows of a sheet, the entries of a feed. */
export function recordListOf(objects: readonly JsonObject[], source: ListSource): RecordList {
  return new JsonList(objects, source, { filledMin: 0 });
}

class JsonList implements RecordList {
  readonly source: ListSource;
  readonly score: number;
  readonly selector = undefined;
  readonly nodes = [];
  readonly asked: string | undefined;
  private readonly objects: readonly JsonObject[];
  private readonly filledMin: number | undefined;
  private known: { fields?: readonly FieldSpec[]; items?: readonly RecordItem[] } = {};

  constructor(
    objects: readonly JsonObject[],
    source: ListSource,
    known: { readonly filledMin?: number; readonly asked?: string | undefined },
  ) {
    this.objects = objects;
    this.filledMin = known.filledMin;
    this.asked = known.asked;
    this.source = source;
    const chars = mean(objects, charsOf);
    const keys = sharedKeys(objects).length;
    this.score = SCORE_BASE + 0.7 * Math.log2(1 + objects.length) + 0.4 * Math.log2(1 + Math.min(chars, 600)) + 0.6 * Math.log2(2 + keys);
  }

  get fields(): readonly FieldSpec[] {
    return (this.known.fields ??= fieldsOfObjects(this.objects, this.filledMin));
  }

  get items(): readonly RecordItem[] {
    return (this.known.items ??= itemsOfObjects(this.objects, this.fields));
  }
}

/** Every array, map and typed group of objects below `value`. */
function groupsIn(value: unknown): JsonObject[][] {
  const groups: JsonObject[][] = [];
  const pending: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  let nodes = 0;
  for (let next = pending.pop(); next && nodes < NODES_MAX; next = pending.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    nodes++;
    if (isObject(next.value) && typeOf(next.value) === 'BreadcrumbList') continue;
    const children = Object.values(next.value);
    groups.push(...kindsOf(children.filter(isObject).map(unwrapItem)));
    if (next.depth < DEPTH_MAX) for (const child of children) pending.push({ value: child, depth: next.depth + 1 });
  }
  return groups;
}

/** Splits objects by their declared type; without one they stay together. */
function kindsOf(objects: readonly JsonObject[]): JsonObject[][] {
  const kinds = Map.groupBy(objects, typeOf);
  return [...kinds.values()].filter((group) => group.length >= ITEMS_MIN && group.every((object) => Object.keys(object).length > 1));
}

/** `{position, item: {...}}` of an ItemList, `{node: {...}}` and `{cursor, node}` of a connection, stand for what they hold. */
function unwrapItem(object: JsonObject): JsonObject {
  for (const key of ['item', 'node']) {
    const inner = object[key];
    if (isObject(inner) && Object.keys(object).length <= 4) return inner;
  }
  return object;
}

function typeOf(object: JsonObject): string {
  const type = object['@type'] ?? object['__typename'];
  return typeof type === 'string' ? type : Array.isArray(type) ? String(type[0]) : '';
}

function largest(groups: readonly JsonObject[][]): JsonObject[] | undefined {
  let best: JsonObject[] | undefined;
  let bestWeight = 0;
  for (const group of groups) {
    const weight = weightOf(group);
    if (weight <= bestWeight) continue;
    best = group;
    bestWeight = weight;
  }
  return best;
}

/** Items times shared keys times text, all damped; 0 when the objects are of different kinds. */
function weightOf(group: readonly JsonObject[]): number {
  const shared = sharedKeys(group);
  const keys = mean(group, (object) => Object.keys(object).length);
  if (shared.length < keys * ALIKE_MIN || shared.length < 2) return 0;
  const chars = mean(group.slice(0, SAMPLE_MAX), charsOf);
  return Math.log2(1 + group.length) * Math.log2(1 + shared.length) * Math.sqrt(Math.min(chars, 600));
}

function sharedKeys(objects: readonly JsonObject[]): string[] {
  const counts = new Map<string, number>();
  for (const object of objects) for (const key of Object.keys(object)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= objects.length / 2).map(([key]) => key);
}

/** Characters of text directly in the object, addresses left out. */
function charsOf(object: JsonObject): number {
  let chars = 0;
  for (const value of Object.values(object)) if (typeof value === 'string' && !/^(?:https?:)?\/\//.test(value)) chars += value.length;
  return chars;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
