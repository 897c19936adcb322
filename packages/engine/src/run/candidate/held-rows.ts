// Rows of a run, held until it is known whether they count, or noted to be compared with those of another.
import type { WorkflowPorts } from '../ports.ts';
import { RunFault } from '../fault.ts';

type Rows = Parameters<WorkflowPorts['keepRows']>[0];

/** Rows that a comparison holds in memory; a run with more is not compared. A choice: some megabytes of text. */
const ROWS_MAX = 10_000;

/** What a run kept, in order. */
export class NotedRows {
  private readonly texts: string[] = [];
  isWhole = true;

  add(rows: Rows): void {
    if (this.texts.length + rows.length > ROWS_MAX) this.isWhole = false;
    else for (const row of rows) this.texts.push(JSON.stringify(row));
  }

  get count(): number {
    return this.texts.length;
  }

  /** The place of the first row that differs; undefined where none does. */
  differenceTo(other: NotedRows): number | undefined {
    const places = Math.max(this.texts.length, other.texts.length);
    for (let place = 0; place < places; place++) if (this.texts[place] !== other.texts[place]) return place;
    return undefined;
  }
}

/** Rows that wait for the end of their run. */
export class WaitingRows {
  private readonly rows: Rows[number][] = [];

  take(rows: Rows): number {
    if (this.rows.length + rows.length > ROWS_MAX)
      throw new RunFault('timeout', `The run by HTTP gives more than ${ROWS_MAX} rows, and that many wait for its end at most.`);
    this.rows.push(...rows);
    return rows.length;
  }

  get all(): Rows {
    return this.rows;
  }
}
