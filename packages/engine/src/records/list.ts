// What a found list of records is, whatever it was read from.
import type { Element } from 'domhandler';

/** Where a list was read from. */
export type ListSource = 'dom' | 'table' | 'jsonld' | 'state' | 'xhr' | 'microdata' | 'feed' | 'json' | 'xml';

/** What the values of a field are. */
export type FieldType = 'price' | 'date' | 'rating' | 'count' | 'url' | 'image' | 'boolean' | 'text';

/** One typed value; `raw` is the text it was read from. */
export type FieldScalar =
  /** `amount` is a decimal string such as `1299.00`, `amountMinor` the same in minor units; `currency` an ISO 4217 code where the text tells one. */
  | {
      readonly type: 'price';
      readonly amount: string;
      readonly amountMinor: number;
      readonly currency: string | undefined;
      readonly raw: string;
    }
  /** `iso` is an ISO 8601 date or date-time; a relative date ("3 days ago") has `secondsAgo` instead. */
  | { readonly type: 'date'; readonly iso: string | undefined; readonly secondsAgo: number | undefined; readonly raw: string }
  /** `best` is the top of the scale. */
  | { readonly type: 'rating'; readonly value: number; readonly best: number; readonly raw: string }
  | { readonly type: 'count'; readonly count: number; readonly raw: string }
  /** Absolute where it resolves. */
  | { readonly type: 'url'; readonly url: string; readonly raw: string }
  | { readonly type: 'image'; readonly url: string; readonly raw: string }
  | { readonly type: 'boolean'; readonly value: boolean; readonly raw: string }
  | { readonly type: 'text'; readonly raw: string };

/** A scalar, or all of them in order where the field repeats within a record. */
export type FieldValue = FieldScalar | readonly FieldScalar[];

/** A field that the records of a list share. */
export interface FieldSpec {
  /** Lower-case identifier, unique in the list. */
  readonly name: string;
  readonly type: FieldType;
  /** True when records hold several values of it. */
  readonly many: boolean;
  /** Where the value is within an item; `::date` and `::name` behind it are the date and the name within the text there. JSON: the key path. */
  readonly path: string;
  /** Constant text that stands before the value, without its colon. */
  readonly label: string | undefined;
  /** Share of items that have the field. */
  readonly filled: number;
  /** Share of values that are not of `type` and stay text. */
  readonly failed: number;
}

/** One record. */
export interface RecordItem {
  /** Visible text. */
  readonly text: string;
  /** By field name; a field that the item lacks is absent. */
  readonly fields: Readonly<Record<string, FieldValue>>;
}

/** A list of records. */
export interface RecordList {
  readonly source: ListSource;
  /** Higher is better; comparable among the lists of one page. */
  readonly score: number;
  /** CSS that finds the items, where one selector does; undefined for flat runs and lists that are not in the markup. */
  readonly selector: string | undefined;
  /** The elements of each item: one, or several for flat runs such as `dt` + `dd`. Empty for JSON. */
  readonly nodes: readonly (readonly Element[])[];
  /** The address that a script of the page asked for them, by GET. */
  readonly asked?: string | undefined;
  /** Computed when first read. */
  readonly items: readonly RecordItem[];
  /** Computed when first read. */
  readonly fields: readonly FieldSpec[];
}

/** A list without its elements, which can't leave the tree. */
export type PlainList = ReturnType<typeof plainList>;

/** The list as it leaves the tree. */
export function plainList(list: RecordList) {
  const { score, source, selector, items, fields } = list;
  return { score, source, ...(selector === undefined ? {} : { selector }), fields, items };
}
