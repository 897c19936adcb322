// Reads typed fields out of JSON objects of one kind.
import { priceOf } from '../extract/price/price.ts';
import { wordsOf } from './survey/classes.ts';
import type { FieldScalar, FieldSpec, FieldType, FieldValue, RecordItem } from './list.ts';
import { identifier } from './name/naming.ts';
import { share } from './group/shares.ts';
import { priceScalar, readValue, typeOfTexts } from './name/values.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** A scalar with the object that it stands in: its neighbours tell the currency and the scale. */
interface Cell {
  readonly value: string | number | boolean;
  readonly owner: JsonObject;
}

const DEPTH_MAX = 3;
const FIELDS_MAX = 60;
const FILLED_MIN = 0.3;
const IMAGE_WORDS = new Set(['image', 'images', 'img', 'photo', 'photos', 'picture', 'thumbnail', 'thumb', 'logo', 'avatar', 'poster']);
const PRICE_WORDS = new Set(['price', 'amount', 'cost', 'salary', 'fee']);

/**
 * The fields that at least this share of `objects` have, three in ten unless said; names come from the keys. With `isSchema`, what most objects
 * have a key for is a field however many of them have a value there: the keys of an API are its schema.
 */
export function fieldsOfObjects(objects: readonly JsonObject[], filledMin = FILLED_MIN, isSchema = false): FieldSpec[] {
  const flat = objects.map((object) => flatten(object, isSchema));
  const kept = frequentPaths(flat, filledMin).map((path) => [path, flat.map((cells) => cells.get(path) ?? [])] as const);
  const names = namesOf(kept.map(([path]) => path));
  return kept.map(([path, column], i) => {
    const cells = column.flat();
    const type = typeOf(path, cells);
    const failed = share(cells, (cell) => scalarOf(cell, type).type !== type);
    return {
      name: names[i] as string,
      type,
      many: column.some((one) => one.length > 1),
      path,
      label: undefined,
      filled: filledOf(column),
      failed,
    };
  });
}

function frequentPaths(flat: readonly ReadonlyMap<string, readonly Cell[]>[], filledMin: number): string[] {
  const counts = new Map<string, number>();
  for (const cells of flat) for (const path of cells.keys()) counts.set(path, (counts.get(path) ?? 0) + 1);
  // What some objects have inside is read there.
  const isOuter = (path: string) =>
    flat.every((cells) => (cells.get(path) ?? []).length === 0) && [...counts.keys()].some((each) => each.startsWith(`${path}.`));
  const frequent = [...counts].filter(([path, count]) => count >= flat.length * filledMin && !isOuter(path));
  return frequent.slice(0, FIELDS_MAX).map(([path]) => path);
}

/** Reads `fields` from each object; `text` is its strings and numbers in order. */
export function itemsOfObjects(objects: readonly JsonObject[], fields: readonly FieldSpec[]): RecordItem[] {
  return objects.map((object) => {
    const cells = flatten(object);
    const values: Record<string, FieldValue> = {};
    for (const field of fields) {
      const scalars = (cells.get(field.path) ?? []).map((cell) => scalarOf(cell, field.type));
      if (field.many && scalars.length > 0) values[field.name] = scalars;
      else if (scalars[0]) values[field.name] = scalars[0];
    }
    const texts = [...cells.values()].flat().filter(({ value }) => typeof value !== 'boolean' && !isAddress(String(value)));
    return { text: texts.map(({ value }) => String(value)).join(' '), fields: values };
  });
}

/**
 * Scalars by key path, `offers.price`; arrays of scalars keep all, arrays of objects what names each of them. With `isSchema`, a key without a
 * value has no cells.
 */
function flatten(object: JsonObject, isSchema = false, above = '', depth = 0, cells = new Map<string, Cell[]>()): Map<string, Cell[]> {
  for (const [key, value] of Object.entries(object)) {
    if (key.startsWith('@') || key === '__typename') continue;
    const path = above === '' ? key : `${above}.${key}`;
    if (isSchema && (value === null || value === '')) cells.set(path, []);
    else if (isScalar(value)) cells.set(path, [{ value, owner: object }]);
    else if (Array.isArray(value)) addArray(value, path, object, cells);
    else if (isObject(value) && depth < DEPTH_MAX) flatten(value, isSchema, path, depth + 1, cells);
  }
  return cells;
}

function addArray(values: readonly unknown[], path: string, owner: JsonObject, cells: Map<string, Cell[]>): void {
  const scalars = values
    .map((value) => (isObject(value) ? (value['name'] ?? value['title'] ?? value['url'] ?? value['value']) : value))
    .filter(isScalar);
  if (scalars.length > 0)
    cells.set(
      path,
      scalars.map((value) => ({ value, owner })),
    );
}

function typeOf(path: string, cells: readonly Cell[]): FieldType {
  const words = wordsOf(path.slice(path.lastIndexOf('.') + 1));
  const texts = cells.map(({ value }) => String(value));
  if (cells.length === 0) return 'text';
  if (cells.every(({ value }) => typeof value === 'boolean')) return 'boolean';
  if (texts.every(isAddress))
    return words.some((word) => IMAGE_WORDS.has(word)) || texts.every((text) => /\.(?:jpe?g|png|gif|webp|avif|svg)(?:\?|$)/i.test(text))
      ? 'image'
      : 'url';
  const numeric = texts.every((text) => /^-?\d+(?:\.\d+)?$/.test(text));
  if (numeric && words.some((word) => PRICE_WORDS.has(word))) return 'price';
  if (numeric && words.includes('rating')) return 'rating';
  if (numeric)
    return cells.every(({ value }) => typeof value === 'number' && Number.isInteger(value) && value >= 0) && !words.includes('id')
      ? 'count'
      : 'text';
  return typeOfTexts(texts);
}

function scalarOf({ value, owner }: Cell, type: FieldType): FieldScalar {
  const raw = String(value);
  if (type === 'price' && /^\d+(?:\.\d+)?$/.test(raw)) {
    const price = priceOf(raw, currencyOf(owner), raw);
    if (price) return priceScalar(price, raw);
  }
  if (type === 'rating' && Number.isFinite(Number(raw))) return { type, value: Number(raw), best: Number(owner['bestRating'] ?? 5), raw };
  if (type === 'boolean' && typeof value === 'boolean') return { type, value, raw };
  return readValue(raw, type) ?? { type: 'text', raw };
}

function currencyOf(owner: JsonObject): string | undefined {
  const code = ['priceCurrency', 'currency', 'currencyCode', 'currency_code']
    .map((key) => owner[key])
    .find((value) => typeof value === 'string');
  return typeof code === 'string' && /^[A-Z]{3}$/.test(code) ? code : undefined;
}

/** The last key, unless two paths end in the same one: then the whole path. */
function namesOf(paths: readonly string[]): string[] {
  const last = (path: string) => identifier(path.slice(path.lastIndexOf('.') + 1)) ?? 'value';
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(last(path), (counts.get(last(path)) ?? 0) + 1);
  const used = new Set<string>();
  return paths.map((path) => {
    const base = counts.get(last(path)) === 1 ? last(path) : (identifier(path) ?? 'value');
    let name = base;
    for (let n = 2; used.has(name); n++) name = `${base}_${n}`;
    used.add(name);
    return name;
  });
}

function filledOf(column: readonly (readonly Cell[])[]): number {
  return share(column, (cells) => cells.length > 0);
}

function isAddress(text: string): boolean {
  return /^(?:https?:)?\/\/\S+$/.test(text) || /^\/[\w-]+\/\S*$/.test(text);
}

function isScalar(value: unknown): value is string | number | boolean {
  // A picture that is written out says nothing.
  return (
    (typeof value === 'string' && value !== '' && !value.startsWith('data:')) || typeof value === 'number' || typeof value === 'boolean'
  );
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
