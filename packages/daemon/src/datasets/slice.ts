// A part of a list of records, bounded in number and in bytes; the records themselves are read when the caller takes them.
import type { RecordSize } from './store.ts';

/** Records in order, the oldest first. */
export interface RecordSlice {
  readonly ids: readonly number[];
  /** The id behind which the list goes on; undefined at its end. */
  readonly lastId: number | undefined;
}

/** Where a slice begins, and how many records it has at most. */
export interface SliceFrom {
  readonly afterId: number;
  readonly limit: number;
}

/** A slice ends early at this size, but holds one record at least: five hundred pages can be a gigabyte. */
const SLICE_BYTES_MAX = 16_000_000;

/** Up to `limit` records behind `afterId`, fewer where they are large. `sizes` reads the ids that follow. */
export function takeSlice(sizes: (afterId: number, limit: number) => readonly RecordSize[], { afterId, limit }: SliceFrom): RecordSlice {
  const following = sizes(afterId, limit + 1);
  const ids: number[] = [];
  let bytes = 0;
  for (const next of following) {
    bytes += next.bytes;
    if (ids.length >= limit || (ids.length > 0 && bytes > SLICE_BYTES_MAX)) break;
    ids.push(next.id);
  }
  return { ids, lastId: ids.length < following.length ? ids.at(-1) : undefined };
}

/** What `find` gives for each id, found as it is taken; may be gone through again. A record that was deleted meanwhile is left out. */
export function eachFound<Item>(ids: readonly number[], find: (id: number) => Item | undefined): Iterable<Item> {
  return { [Symbol.iterator]: () => found(ids, find) };
}

function* found<Item>(ids: readonly number[], find: (id: number) => Item | undefined): Generator<Item> {
  for (const id of ids) {
    const item = find(id);
    if (item !== undefined) yield item;
  }
}
