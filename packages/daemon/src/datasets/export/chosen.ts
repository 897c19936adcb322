// Which rows and which of their members are written: a row for each item of a page's list, chosen columns.
import type { HeldTexts } from './held-texts.ts';
import { textInParts } from './held-texts.ts';
import type { LargeRow, Row, RowSource } from './row.ts';
import { parseRow } from './row.ts';

/** Everything as it is kept, unless said. */
export interface RowChoice {
  /** The members that are written, in this order. */
  readonly fields?: readonly string[] | undefined;
  /** `items`: of each record the items of the best list in its `records`, each a row; a record without a list gives none. */
  readonly rows?: 'records' | 'items' | undefined;
}

/** Where an item was found, unless it has such a field itself. */
const PAGE_URL = 'page_url';

/** The rows of `source` as they are chosen; each is worked out when it is taken. */
export function chooseRows(source: RowSource, { fields, rows }: RowChoice, held: HeldTexts): RowSource {
  if (fields === undefined && rows !== 'items') return source;
  const chosen = (row: Row) => (fields ? withOnly(row, fields) : row);
  if (rows === 'items')
    return {
      *rows() {
        for (const row of source.rows()) for (const item of itemsOf(parseRow(row))) yield JSON.stringify(chosen(item));
      },
    };
  const bodyOf = (row: string | LargeRow) => JSON.stringify(chosen(parseRow(row)));
  return {
    *rows() {
      for (const row of source.rows()) {
        const body = () => bodyOf(row);
        yield typeof row === 'string' ? body() : { body, parts: () => textInParts(body, held) };
      }
    },
  };
}

function withOnly(row: Row, fields: readonly string[]): Row {
  return Object.fromEntries(fields.filter((name) => Object.hasOwn(row, name)).map((name) => [name, row[name]]));
}

/** The best list of a page, an item a row: each value as the page says it, an address made absolute. */
function itemsOf({ records, url }: Row): readonly Row[] {
  const best: unknown = Array.isArray(records) ? records[0] : undefined;
  const items = memberOf(best, 'items');
  if (!Array.isArray(items)) return [];
  return items.map((item: unknown) => {
    const fields = memberOf(item, 'fields');
    const values = isObject(fields) ? Object.entries(fields).map(([name, value]) => [name, plainOf(value)]) : [];
    return { [PAGE_URL]: url, ...Object.fromEntries(values) } as Row;
  });
}

function plainOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainOf);
  return memberOf(value, 'url') ?? memberOf(value, 'raw') ?? value;
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null;
}
