// Turns rows of a sheet into records and into a Markdown table.
import { pushText } from '../markdown/escape.ts';

/** The value of a cell; null, undefined and the empty string are empty. */
export type Cell = string | number | boolean | Date | null | undefined;

/** Rows with their column names told apart. */
export interface NamedRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

const IN_CELL = { before: -1, inLink: false, inStrike: false, inCell: true, inHeading: false };

/** Takes the first row as column names if it looks like names; else columns are called `column1`, `column2`, ... */
export function nameColumns(rows: readonly (readonly Cell[])[]): NamedRows {
  const filled = rows.filter((row) => row.some((cell) => textOfCell(cell) !== ''));
  const width = filled.reduce((widest, row) => Math.max(widest, row.length), 0);
  const [first] = filled;
  const isHeader = first !== undefined && filled.length > 1 && looksLikeNames(first);
  const columns: string[] = [];
  const uses = new Map<string, number>();
  for (let i = 0; i < width; i++) {
    const name = (isHeader ? textOfCell(first[i]).replace(/\s+/g, ' ').trim() : '') || `column${i + 1}`;
    const use = (uses.get(name) ?? 0) + 1;
    uses.set(name, use);
    columns.push(use === 1 ? name : `${name} ${use}`);
  }
  return { columns, rows: isHeader ? filled.slice(1) : filled };
}

/** Names are words, most of them different. */
function looksLikeNames(row: readonly Cell[]): boolean {
  const names = row.map(textOfCell).filter((name) => name !== '');
  return (
    names.length > 0 &&
    new Set(names).size * 2 >= names.length &&
    row.every((cell) => typeof cell !== 'number' && !/^[-+\d.,\s%€$£]*\d$/.test(textOfCell(cell)))
  );
}

/** One object per row; empty cells are left out. */
export function recordsOf({ columns, rows }: NamedRows): readonly Readonly<Record<string, unknown>>[] {
  return rows.map((row) => {
    const record: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    row.forEach((cell, i) => {
      if (cell !== null && cell !== undefined && cell !== '') record[columns[i] as string] = cell instanceof Date ? textOfCell(cell) : cell;
    });
    return { ...record };
  });
}

/** A GFM table; '' without rows. */
export function tableOf({ columns, rows }: NamedRows): string {
  if (rows.length === 0) return '';
  const lines = [lineOf(columns), lineOf(columns, '---')];
  for (const row of rows) lines.push(lineOf(columns.map((_, i) => row[i])));
  return `${lines.join('\n')}\n`;
}

function lineOf(cells: readonly Cell[], fixed?: string): string {
  return `| ${cells.map((cell) => fixed ?? escapeCell(textOfCell(cell))).join(' | ')} |`;
}

function escapeCell(text: string): string {
  return text
    .trim()
    .split(/\r\n?|\n/)
    .map(escapeLine)
    .join('<br>');
}

function escapeLine(line: string): string {
  const parts: string[] = [];
  pushText(parts, line, 0, line.length, IN_CELL);
  return parts.join('');
}

/** A cell as text; a date without a time of day is a day. */
function textOfCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (!(cell instanceof Date)) return String(cell);
  if (Number.isNaN(cell.getTime())) return '';
  const text = cell.toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
}
