// Rows as arrays, one for each column: a statement takes thousands of them in one round trip.

/** Name, type in PostgreSQL, and value of a column. */
export type Column<Row> = readonly [name: string, type: string, value: (row: Row) => unknown];

/** `unnest(...) AS new(...)` for a FROM, and its values, which are bound from `$first` on. Undefined is written as null. */
export function unnest<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  first: number,
): { readonly from: string; readonly values: readonly (readonly unknown[])[] } {
  const arrays = columns.map(([, type], i) => `$${first + i}::${type}[]`).join(', ');
  const names = columns.map(([name]) => name).join(', ');
  return {
    from: `unnest(${arrays}) WITH ORDINALITY AS new(${names}, place)`,
    values: columns.map(([, , value]) => rows.map((row) => plain(value(row)) ?? null)),
  };
}

/** A value as PostgreSQL takes it: its texts know no NUL. */
export function plain(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u{fffd}') : value;
}
