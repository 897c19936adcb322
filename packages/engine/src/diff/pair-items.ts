// Pairs the items of two lists: by a key that tells them apart, or else by what they hold and where they stand.
import type { JsonObject, JsonValue } from '../html/loose-json.ts';
import { isJsonObject } from '../html/loose-json.ts';
import { alignSequences } from './align.ts';
import { blocksOf } from './blocks.ts';
import { longestRise } from './rise.ts';
import type { Shapes } from './shapes.ts';

/** Two items that are the same one, by their places. */
export interface ItemPair {
  readonly old: number;
  readonly new: number;
  /** Whether it left the order that the others kept. */
  readonly isMoved: boolean;
}

export interface PairedItems {
  /** In the order of the new list. */
  readonly pairs: readonly ItemPair[];
  /** Places in the old list that have no partner, and in the new one; rising. */
  readonly gone: readonly number[];
  readonly added: readonly number[];
  /** The members that pairs were found by; null where there were none. */
  readonly key: readonly string[] | null;
  readonly exact: boolean;
}

/** Names that members have whose meaning is to tell items apart; of several that could, the first of these is taken. */
const KEY_NAMES = [
  'id',
  '_id',
  'uuid',
  'guid',
  '@id',
  'key',
  'sku',
  'gtin',
  'ean',
  'isbn',
  'asin',
  'url',
  'href',
  'link',
  'slug',
  'name',
  'title',
];

/**
 * Pairs items by `key`, the names of members that tell them apart together; where it is undefined, or no item has one of them, by a member
 * that is found to. Items with the same key are paired in their order.
 */
export function pairItems(
  old: readonly JsonValue[],
  fresh: readonly JsonValue[],
  shapes: Shapes,
  key: readonly string[] | undefined,
): PairedItems {
  const found = key && isIn(key, [...old, ...fresh]) ? key : findKey(old, fresh);
  return found ? pairByKey(old, fresh, shapes, found) : pairByPlace(old, fresh, shapes);
}

function isIn(key: readonly string[], items: readonly JsonValue[]): boolean {
  return items.some((item) => key.some((name) => memberOf(item, name) !== undefined));
}

/** The member whose values tell the items of either list apart, and most of which are in both lists; undefined where there is none. */
function findKey(old: readonly JsonValue[], fresh: readonly JsonValue[]): readonly string[] | undefined {
  const [first] = old;
  if (!isJsonObject(first) || ![...old, ...fresh].every(isJsonObject)) return undefined;
  const candidates = Object.keys(first).flatMap((name) => {
    const [inOld, inNew] = [distinctValues(old, name), distinctValues(fresh, name)];
    if (!inOld || !inNew) return [];
    const shared = [...inOld].filter((value) => inNew.has(value)).length;
    const isMost = 2 * shared >= Math.min(inOld.size, inNew.size) && shared > 0;
    const place = KEY_NAMES.indexOf(name.toLowerCase());
    return isMost ? [{ name, shared, place: place < 0 ? KEY_NAMES.length : place }] : [];
  });
  candidates.sort((a, b) => a.place - b.place || b.shared - a.shared);
  return candidates[0] && [candidates[0].name];
}

/** The values of a member, if each item has a text or a number of its own there. */
function distinctValues(items: readonly JsonValue[], name: string): ReadonlySet<JsonValue> | undefined {
  const values = new Set<JsonValue>();
  for (const item of items) {
    const value = memberOf(item, name);
    if ((typeof value !== 'string' && typeof value !== 'number') || values.has(value)) return undefined;
    values.add(value);
  }
  return values;
}

function memberOf(item: JsonValue, name: string): JsonValue | undefined {
  return isJsonObject(item) && Object.hasOwn(item, name) ? (item as JsonObject)[name] : undefined;
}

function pairByKey(old: readonly JsonValue[], fresh: readonly JsonValue[], shapes: Shapes, key: readonly string[]): PairedItems {
  // An item without any of the members is its own key: it is paired with one that is equal.
  const keyOf = (item: JsonValue) => {
    const values = key.map((name) => memberOf(item, name));
    return values.every((value) => value === undefined)
      ? `=${shapes.nameOf(item)}`
      : values.map((value) => (value === undefined ? '' : keyText(value, shapes))).join(' ');
  };
  const pairs = pairEqual(old.map(keyOf), fresh.map(keyOf));
  return { ...withMoves(pairs, old.length, fresh.length), key, exact: true };
}

/** Nearly every key is a text or a number. */
function keyText(value: JsonValue, shapes: Shapes): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' ? String(value) : `=${shapes.nameOf(value)}`;
}

/** Equal items that kept their order, then equal ones that did not, then those that stand in the same place between them. */
function pairByPlace(old: readonly JsonValue[], fresh: readonly JsonValue[], shapes: Shapes): PairedItems {
  const [oldNames, newNames] = [old.map((item) => shapes.nameOf(item)), fresh.map((item) => shapes.nameOf(item))];
  const { matches, exact } = alignSequences(oldNames, newNames);
  const partners = new Map<number, number>();
  for (const match of matches) for (let i = 0; i < match.count; i++) partners.set(match.new + i, match.old + i);
  const replaced = blocksOf(matches, old.length, fresh.length).filter(({ isSame }) => !isSame);
  const oldLeft = replaced.flatMap(({ oldStart, oldEnd }) => places(oldStart, oldEnd));
  const newLeft = replaced.flatMap(({ newStart, newEnd }) => places(newStart, newEnd));
  const moved = pairEqual(
    oldLeft.map((place) => oldNames[place] ?? -1),
    newLeft.map((place) => newNames[place] ?? -1),
  );
  for (const [i, j] of moved) partners.set(newLeft[j] ?? 0, oldLeft[i] ?? 0);
  const taken = new Set(partners.values());
  for (const block of replaced) {
    const oldFree = places(block.oldStart, block.oldEnd).filter((place) => !taken.has(place));
    const newFree = places(block.newStart, block.newEnd).filter((place) => !partners.has(place));
    newFree.slice(0, oldFree.length).forEach((place, i) => partners.set(place, oldFree[i] ?? 0));
  }
  return {
    ...withMoves(
      [...partners].map(([j, i]) => [i, j] as const),
      old.length,
      fresh.length,
    ),
    key: null,
    exact,
  };
}

/** Places of equal names, the first with the first. */
function pairEqual<Name>(old: readonly Name[], fresh: readonly Name[]): (readonly [old: number, fresh: number])[] {
  const waiting = new Map<Name, number[]>();
  old.forEach((name, i) => {
    const queue = waiting.get(name);
    if (queue) queue.push(i);
    else waiting.set(name, [i]);
  });
  for (const queue of waiting.values()) queue.reverse();
  return fresh.flatMap((name, j) => {
    const i = waiting.get(name)?.pop();
    return i === undefined ? [] : [[i, j] as const];
  });
}

function withMoves(
  found: readonly (readonly [old: number, fresh: number])[],
  oldCount: number,
  newCount: number,
): Pick<PairedItems, 'pairs' | 'gone' | 'added'> {
  const ordered = found.toSorted(([, a], [, b]) => a - b);
  const kept = new Set(longestRise(ordered.map(([old]) => old)));
  const pairs = ordered.map(([old, fresh], i) => ({ old, new: fresh, isMoved: !kept.has(i) }));
  const [oldPaired, newPaired] = [new Set(pairs.map((pair) => pair.old)), new Set(pairs.map((pair) => pair.new))];
  return {
    pairs,
    gone: places(0, oldCount).filter((place) => !oldPaired.has(place)),
    added: places(0, newCount).filter((place) => !newPaired.has(place)),
  };
}

function places(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, i) => start + i);
}
