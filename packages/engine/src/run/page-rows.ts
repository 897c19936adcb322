// Holds back the rows of a page until one of them is new: past its end many a site shows its first or its last page again.
import { fingerprint } from '../crawl/judge/fingerprint.ts';
import type { Row } from './reading/rows.ts';

/** A row on its way to be kept, by its key where rows are told apart by one. */
export interface KeyedRow {
  readonly key?: string;
  readonly row: Row;
}

/** Rows of the pages of one `paginate`. */
export class PageRows {
  private readonly seen = new Set<number>();
  private held: KeyedRow[] = [];
  /** Rows of this page; undefined until a step keeps any, were it none. */
  count: number | undefined;
  /** True once a row of this page is new. */
  isNew = false;

  begin(): void {
    this.held = [];
    this.count = undefined;
    this.isNew = false;
  }

  /** The rows that may be kept now. */
  take(rows: readonly KeyedRow[]): readonly KeyedRow[] {
    this.count = (this.count ?? 0) + rows.length;
    this.held.push(...rows);
    for (const { key, row } of rows) if (this.isUnseen(key ?? row)) this.isNew = true;
    return this.isNew ? this.release() : [];
  }

  /** What was held back of a page that is new by something else. */
  release(): readonly KeyedRow[] {
    const { held } = this;
    this.held = [];
    return held;
  }

  private isUnseen(value: unknown): boolean {
    const print = fingerprint(JSON.stringify(value));
    if (this.seen.has(print)) return false;
    this.seen.add(print);
    return true;
  }
}
