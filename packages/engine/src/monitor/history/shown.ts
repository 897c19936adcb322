// Series as calls show them.
import type { SeriesBucket } from '@weft/contract';
import type { ValueBucket } from './series.ts';

/** A bucket; what it has none of is absent. */
export function shownBucket({ atMs, points, first, last, numbers, currency }: ValueBucket): SeriesBucket {
  return {
    at: new Date(atMs).toISOString(),
    points,
    ...(first === undefined ? {} : { first }),
    ...(last === undefined ? {} : { last }),
    ...numbers,
    ...(currency === undefined ? {} : { currency }),
  };
}

/** Characters of a text that a point shows; the snapshot of its check has all of it. */
const TEXT_CHARS_MAX = 10_000;

/** What a point of a series shows of the record of its value. */
export function shownRecord({ value, text = '' }: { readonly value?: unknown; readonly text?: string | undefined }): {
  readonly value?: unknown;
  readonly text: string;
} {
  const shown = typeof value === 'string' ? value.slice(0, TEXT_CHARS_MAX) : value;
  return { ...(shown === undefined ? {} : { value: shown }), text: text.slice(0, TEXT_CHARS_MAX) };
}
