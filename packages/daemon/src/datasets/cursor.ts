// Cursors: where a list goes on. One of another list, or one that was changed, is refused (D6).
import { hash } from 'node:crypto';
import { AppError } from '@weft/contract';

const CURSOR = /^(\d{1,15}(?:-\d{1,15})*)\.([0-9a-f]{12})$/;

/** The cursor for `position` in the list that `list` names with everything that shapes it. */
export function formatCursor(list: readonly unknown[], position: readonly number[]): string {
  const text = position.join('-');
  return `${text}.${checkOf(list, text)}`;
}

/** The `parts` numbers in `cursor`; none where there is no cursor. Throws AppError `bad_request` for one that this very list did not give. */
export function parseCursor(list: readonly unknown[], cursor: string | undefined, parts: number): readonly number[] {
  if (cursor === undefined) return [];
  const [, text = '', check] = CURSOR.exec(cursor) ?? [];
  const position = text.split('-').map(Number);
  if (text === '' || position.length !== parts || check !== checkOf(list, text))
    throw new AppError('bad_request', 'The cursor is not one that this list gave with these filters; leave it out to begin anew.');
  return position;
}

function checkOf(list: readonly unknown[], position: string): string {
  return hash('sha256', JSON.stringify([...list.map((part) => part ?? null), position])).slice(0, 12);
}
