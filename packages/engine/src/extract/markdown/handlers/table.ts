// Writes a data table as GFM does it (GFM specification 4.10), its cells on one line each.
import type { AnyNode, Element } from 'domhandler';
import { Grid, alignmentOf } from './table-grid.ts';
import type { Alignment, TableRow } from './table-grid.ts';
import type { MarkdownWriter } from '../writer.ts';

const DELIMITERS: Readonly<Record<'left' | 'center' | 'right' | 'none', string>> = {
  left: ':---',
  center: ':---:',
  right: '---:',
  none: '---',
};

/** Writes `rows` as one block; nothing when no cell has content. A table without header row gets an empty one. */
export function writeTable(writer: MarkdownWriter, rows: readonly TableRow[], visit: (node: AnyNode) => void): void {
  writer.boundary(2);
  const grid = new Grid(rows);
  const textOf = (cell: Element): string => writer.capture(() => cell.children.forEach(visit));
  const lines = rows.map((_, i) => grid.row(i, textOf));
  const firstFull = lines.findIndex((line) => line.some((text) => text !== ''));
  if (firstFull === -1) return;
  const columns = lines.reduce((widest, line) => Math.max(widest, line.length), 0);
  const hasHeader = rows[firstFull]?.isHeader === true;
  const header = hasHeader ? (lines[firstFull] as string[]) : [];
  const body = lines.slice(hasHeader ? firstFull + 1 : firstFull).filter((line) => line.some((text) => text !== ''));
  const alignments = alignmentsOf(rows, firstFull, columns);
  writer.block([
    rowLine(padded(header, columns)),
    rowLine(alignments.map((alignment) => DELIMITERS[alignment ?? 'none'])),
    ...body.map(rowLine),
  ]);
}

function rowLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function padded(cells: readonly string[], columns: number): string[] {
  return [...cells, ...Array<string>(Math.max(0, columns - cells.length)).fill('')];
}

/** The alignment of each column: what its header says, else the first row below. */
function alignmentsOf(rows: readonly TableRow[], first: number, columns: number): Alignment[] {
  const header = alignmentsOfRow(rows[first]);
  const below = alignmentsOfRow(rows[first + 1]);
  return Array.from({ length: columns }, (_, i) => header[i] ?? below[i]);
}

function alignmentsOfRow(row: TableRow | undefined): Alignment[] {
  const alignments: Alignment[] = [];
  for (const cell of row?.cells ?? []) {
    const width = Number.parseInt(cell.attribs['colspan'] ?? '1', 10);
    const alignment = alignmentOf(cell);
    for (let i = 0; i < Math.min(Math.max(width || 1, 1), 50); i++) alignments.push(alignment);
  }
  return alignments;
}
