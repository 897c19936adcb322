// Which fields of a function its rows no longer have. Pure.
import type { Row } from '../../run/reading/rows.ts';

/** Those of `required` that no row has; none where there are no rows. A field that some rows lack is not gone: that comes with what they are of. */
export function goneFields(required: readonly string[], rows: readonly Row[]): readonly string[] {
  return rows.length === 0 ? [] : required.filter((name) => rows.every((row) => isEmpty(row[name])));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
