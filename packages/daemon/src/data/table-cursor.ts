// Where a table goes on: behind a record, and where it is sorted behind that record's place in the order (D6).
import { AppError } from '@weft/contract';
import { formatCursor, parseCursor } from '../datasets/cursor.ts';
import type { PagePlace } from '../datasets/table/page.ts';

export interface TablePlace extends PagePlace {
  /** The run that the table began in; 0 where it is not of one run. */
  readonly runId: number;
}

/** The cursor for `place` in the table that `list` names with everything that shapes it. */
export function formatTableCursor(list: readonly unknown[], { id, runId, rank, value }: TablePlace): string {
  return `${formatCursor([...list, value], [id, runId, rank])}.${Buffer.from(JSON.stringify(value)).toString('base64url')}`;
}

/** Throws AppError `bad_request` for a cursor that this very table did not give. */
export function parseTableCursor(list: readonly unknown[], cursor: string): TablePlace {
  const end = cursor.lastIndexOf('.');
  const value = parseValue(cursor.slice(end + 1));
  const [id = 0, runId = 0, rank = 0] = parseCursor([...list, value], cursor.slice(0, Math.max(0, end)), 3);
  return { id, runId, rank, value };
}

function parseValue(text: string): string | number {
  try {
    const value = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown;
    if (typeof value === 'string' || typeof value === 'number') return value;
  } catch {
    // Said below.
  }
  throw new AppError('bad_request', 'The cursor is not one that this table gave; leave it out to begin anew.');
}
