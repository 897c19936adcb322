// Typed rows. SQLite knows no TypeScript: each store names the row type beside the statement whose columns it lists.
import type { SQLInputValue, StatementSync } from 'node:sqlite';

/** All rows of a statement. */
export function allRows<Row extends object>(statement: StatementSync, ...params: readonly SQLInputValue[]): readonly Row[] {
  // STRICT tables hold what their columns declare, and `Row` is written from those columns.
  return statement.all(...params) as unknown as readonly Row[];
}
