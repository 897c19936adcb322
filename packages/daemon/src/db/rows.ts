// Typed rows. SQLite knows no TypeScript: each store names the row type beside the statement whose columns it lists.
import type { SQLInputValue, StatementSync } from 'node:sqlite';

/** All rows of a statement. */
export function allRows<Row extends object>(statement: StatementSync, ...params: readonly SQLInputValue[]): readonly Row[] {
  // STRICT tables hold what their columns declare, and `Row` is written from those columns.
  return statement.all(...params) as unknown as readonly Row[];
}

/** All rows of a statement whose parameters have names. */
export function allRowsNamed<Row extends object>(
  statement: StatementSync,
  values: Readonly<Record<string, SQLInputValue>>,
): readonly Row[] {
  // As above.
  return statement.all(values) as unknown as readonly Row[];
}
