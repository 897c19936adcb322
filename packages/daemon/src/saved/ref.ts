// What is saved is found by its id or its slug (D7).
import { AppError } from '@weft/contract';

/** The part of a store of saved things that finds them. */
export interface SavedRows<Row> {
  findById(id: number): Row | undefined;
  findBySlug(slug: string): Row | undefined;
}

/** A slug has at most so many characters. */
const SLUG_MAX = 63;

/** The row that `ref` means; `noun` names its kind in the refusal. Throws AppError `not_found`. */
export function requireByRef<Row>(ref: string, rows: SavedRows<Row>, noun: string): Row {
  const row = /^\d/.test(ref) ? rows.findById(Number(ref)) : rows.findBySlug(ref);
  if (!row) throw new AppError('not_found', `There is no ${noun} "${ref}".`);
  return row;
}

/** `slug`, which nobody else has. Throws AppError `conflict`. */
export function requireFreeSlug<Row extends { readonly id: number }>(slug: string, rows: SavedRows<Row>, noun: string): string {
  const holder = rows.findBySlug(slug);
  if (holder) throw new AppError('conflict', `The slug "${slug}" belongs to ${noun} ${holder.id}; choose another one.`);
  return slug;
}

/** A slug made of `name`, with a number behind it where it is taken; `fallback` stands for a name without a letter. */
export function freeSlug<Row>(name: string, rows: SavedRows<Row>, fallback: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '');
  const stem = words === '' ? fallback : words;
  for (let number = 1; ; number++) {
    const ending = number === 1 ? '' : `-${number}`;
    const slug = stem.slice(0, SLUG_MAX - ending.length) + ending;
    if (!rows.findBySlug(slug)) return slug;
  }
}
