// Finds what the columns of a table are called.
import type { Element } from 'domhandler';
import { isTag } from 'domhandler';
import { columnOf } from '../survey/leaves.ts';
import { visibleText } from '../survey/text.ts';

/** The header text of each column when all `items` are rows of one table with a header row; else undefined. */
export function headersOf(items: readonly (readonly Element[])[]): string[] | undefined {
  const first = items[0]?.[0];
  const table = first && tableOf(first);
  if (!table || !items.every(([row, ...rest]) => row?.name === 'tr' && rest.length === 0 && tableOf(row) === table)) return undefined;
  const rows = new Set(items.map(([row]) => row));
  const header = rowsOf(table).find((row) => !rows.has(row) && isHeader(row));
  if (!header) return undefined;
  const headers: string[] = [];
  for (const cell of cellsOf(header)) headers[columnOf(cell)] = visibleText([cell]);
  return Array.from(headers, (text) => text ?? '');
}

/** The names of the columns that the cells of `row` stand in, by column; undefined where its table has no header row above it. */
export function columnNamesOf(row: Element): readonly string[] | undefined {
  return row.name === 'tr' && !isHeader(row) ? headersOf([[row]]) : undefined;
}

/** Whether the cells of `row` are not things of a kind: they name columns, or stand in columns that have names. */
export function hasColumns(row: Element): boolean {
  return row.name === 'tr' && ((isHeader(row) && tableOf(row) !== undefined) || columnNamesOf(row) !== undefined);
}

/** Whether a row is all that its table has below the names of its columns: a table of one thing. */
export function isOnlyRow(row: Element): boolean {
  const table = columnNamesOf(row) && tableOf(row);
  return table !== undefined && rowsOf(table).every((each) => each === row || isHeader(each));
}

function tableOf(row: Element): Element | undefined {
  for (let at = row.parent; at && isTag(at); at = at.parent) if (at.name === 'table') return at;
  return undefined;
}

function rowsOf(table: Element): Element[] {
  const groups = table.children.filter(isTag).filter((group) => ['thead', 'tbody', 'tr'].includes(group.name));
  return groups.flatMap((group) => (group.name === 'tr' ? [group] : group.children.filter(isTag).filter((row) => row.name === 'tr')));
}

function isHeader(row: Element): boolean {
  const cells = cellsOf(row);
  const inHead = row.parent !== null && isTag(row.parent) && row.parent.name === 'thead';
  return cells.length >= 2 && (inHead || cells.every((cell) => cell.name === 'th'));
}

function cellsOf(row: Element): Element[] {
  return row.children.filter(isTag).filter((cell) => cell.name === 'td' || cell.name === 'th');
}
