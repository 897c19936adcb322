// What the nouns ask the database by: statements, and transactions that join.
import type { QueryResultRow } from 'pg';

/** What answers statements. */
export interface Queries {
  /** The rows. Values are bound, never written into the text. */
  rows<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** The first row; undefined where there is none. */
  find<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row | undefined>;
}

/** One PostgreSQL, also behind PgBouncer in transaction mode: nothing depends on a session. */
export interface Database extends Queries {
  /**
   * Runs `work` in a transaction, which is rolled back where it throws: whatever it asks for, in whichever noun, is a part of it. Within a
   * transaction that is under way it is a part of that one.
   */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Runs `work` as one account, or as nobody: whatever its statements ask for, they see no row of another (D50). What is asked outside of it
   * sees all. `byIndexAlone`: each statement there finds its rows by an index whatever its values are, so that one that is asked often is planned
   * once. Throws within a transaction that is somebody else's.
   */
  as<T>(accountId: string | undefined, work: () => T, options?: { readonly byIndexAlone?: boolean }): T;
  /** Runs `work` as the program, which sees all: for what proves itself otherwise, as a signed link does. Throws within a transaction. */
  asProgram<T>(work: () => T): T;
  /** How many connections there are now, how many of them nobody uses, and how many are waited for. */
  connections(): { readonly open: number; readonly idle: number; readonly waiting: number };
  /** Runs `work` in a transaction of its own, also within one that is under way: what it writes stays where that one is rolled back. */
  apart<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
