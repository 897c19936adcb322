// The lists of a page as a model is shown them, and as rows for whoever asked.
import type { FieldScalar, FieldValue, RecordList } from '../../records/list.ts';
import { plainLine } from '../../model/untrusted.ts';

/** A list that can be read. */
export interface SeenList {
  /** `l1`, `l2`, ...; the best first. */
  readonly ref: string;
  readonly fields: readonly string[];
  /** Texts of its first items. */
  readonly samples: readonly string[];
  /** How many items it has. */
  readonly count: number;
  /** At most ROWS_MAX of them, by the names of their fields; what an item lacks is null. */
  readonly rows: readonly Readonly<Record<string, string | null>>[];
}

const LISTS_MAX = 5;
const SAMPLES_MAX = 2;
const SAMPLE_CHARS = 160;
const FIELDS_MAX = 30;
const ROWS_MAX = 500;
const VALUE_CHARS = 4_000;

/** The best lists of a page. */
export function listsOf(lists: readonly RecordList[]): readonly SeenList[] {
  return lists.slice(0, LISTS_MAX).map(({ items, fields }, at) => {
    const names = fields.slice(0, FIELDS_MAX).map(({ name }) => name);
    return {
      ref: `l${at + 1}`,
      fields: names,
      samples: items.slice(0, SAMPLES_MAX).map(({ text }) => plainLine(text, SAMPLE_CHARS)),
      count: items.length,
      rows: items.slice(0, ROWS_MAX).map((item) => Object.fromEntries(names.map((name) => [name, valueOf(item.fields[name])]))),
    };
  });
}

function valueOf(value: FieldValue | undefined): string | null {
  if (value === undefined) return null;
  const all: readonly FieldScalar[] = 'type' in value ? [value] : value;
  return all.map(textOf).join(', ').slice(0, VALUE_CHARS);
}

function textOf(value: FieldScalar): string {
  return value.type === 'url' || value.type === 'image' ? value.url : value.raw;
}
