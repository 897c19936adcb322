// Lists that page by the id of their last row (D6).
import { AppError, LIMITS } from '@weft/contract';
import type { SliceFrom } from '../datasets/slice.ts';

export interface CursorQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface CursorPage<Item> {
  readonly data: Item[];
  readonly count: number;
  readonly next_cursor?: string;
}

/** The page that `query` asks for, out of rows in the order of their ids. Throws AppError `bad_request` for a cursor that is none. */
export function pageByCursor<Row extends { readonly id: number }, Item>(
  query: CursorQuery,
  read: (afterId: number, limit: number) => readonly Row[],
  show: (row: Row) => Item,
): CursorPage<Item> {
  const limit = query.limit ?? LIMITS.listLimitDefault;
  const rows = read(parseCursor(query.cursor), limit + 1);
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { data: shown.map(show), count: shown.length, ...(last ? { next_cursor: String(last.id) } : {}) };
}

/** Where a list of records goes on that pages by their ids. Throws AppError `bad_request`. */
export function sliceFrom(query: CursorQuery): SliceFrom {
  return { afterId: parseCursor(query.cursor), limit: query.limit ?? LIMITS.listLimitDefault };
}

/** The id that a cursor stands for; 0 without one. Throws AppError `bad_request`. */
export function parseCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^[1-9]\d{0,14}$/.test(cursor))
    throw new AppError('bad_request', 'The cursor is not one that this list gave; leave it out to begin anew.');
  return Number(cursor);
}
