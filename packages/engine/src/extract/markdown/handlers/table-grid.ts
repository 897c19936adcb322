// Reads a table into rows of cells, tells data from layout, and lays spanning cells out on the grid.
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';

/** The alignment of a column; undefined for none. */
export type Alignment = 'left' | 'center' | 'right' | undefined;

/** One row; a header row holds header cells only or stands in the head. */
export interface TableRow {
  readonly cells: readonly Element[];
  readonly isHeader: boolean;
}

/** What a table consists of. */
export interface TableParts {
  readonly caption: Element | undefined;
  readonly rows: readonly TableRow[];
}

const BLOCKS_OF_LAYOUT = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre', 'hr', 'article', 'section', 'form']);
const SPAN_MAX = 50;
/** A table may repeat this many cells, or as many as it has, whichever is more. */
const FILLED_CELLS_MIN = 10_000;

/** The rows of `table` in document order without those of tables inside it. */
export function readTable(table: Element, isLeftOut: (node: AnyNode) => boolean): TableParts {
  const rows: TableRow[] = [];
  let caption: Element | undefined;
  const addRow = (row: Element, inHead: boolean): void => {
    const cells = row.children.filter(
      (node): node is Element => !isLeftOut(node) && isTag(node) && (node.name === 'td' || node.name === 'th'),
    );
    if (cells.length > 0) rows.push({ cells, isHeader: inHead || cells.every((cell) => cell.name === 'th') });
  };
  for (const node of table.children) {
    if (isLeftOut(node) || !isTag(node)) continue;
    if (node.name === 'caption') caption = node;
    else if (node.name === 'tr') addRow(node, false);
    else for (const row of node.children) if (isTag(row) && row.name === 'tr' && !isLeftOut(row)) addRow(row, node.name === 'thead');
  }
  return { caption, rows };
}

/** True for a table that only places things: a single row or column, or cells that hold tables or blocks of a page, without headers. */
export function isLayout(table: Element, rows: readonly TableRow[]): boolean {
  const role = table.attribs['role'];
  if (role === 'presentation' || role === 'none' || rows.length === 0) return true;
  if (rows.some((row) => row.cells.some((cell) => cell.name === 'th'))) return rows.every((row) => row.cells.length === 1) && holds(table);
  return rows.length === 1 || rows.every((row) => row.cells.length === 1) || holds(table);
}

/** Looks for a table or a block of a page inside; ends at the first. */
function holds(table: Element): boolean {
  const visit = (node: AnyNode): boolean =>
    isTag(node) && (node.name === 'table' || BLOCKS_OF_LAYOUT.has(node.name) || node.children.some(visit));
  return table.children.some(visit);
}

/** The alignment that a cell names by `align` or by its style. */
export function alignmentOf(cell: Element | undefined): Alignment {
  const { align, style } = cell?.attribs ?? {};
  const named = align ?? (style?.includes('text-align') ? /text-align\s*:\s*(\w+)/i.exec(style)?.[1] : undefined);
  const value = named?.toLowerCase();
  return value === 'left' || value === 'center' || value === 'right' ? value : undefined;
}

/** Puts texts on the grid: a spanning cell stands in every position it covers, one as wide as the table only once. */
export class Grid {
  private readonly rows: readonly TableRow[];
  private readonly carried = new Map<number, { text: string; rowsLeft: number }>();
  private fillsLeft: number;
  /** The widest row, spans counted. */
  readonly columns: number;

  constructor(rows: readonly TableRow[]) {
    this.rows = rows;
    const cells = rows.reduce((sum, row) => sum + row.cells.length, 0);
    this.fillsLeft = Math.max(FILLED_CELLS_MIN, cells);
    this.columns = rows.reduce((widest, row) => Math.max(widest, widthOf(row)), 0);
  }

  /** The texts of the row at `index`, which must be asked for in order. `textOf` is called once per cell. */
  row(index: number, textOf: (cell: Element) => string): string[] {
    const row = this.rows[index] as TableRow;
    const line: string[] = [];
    for (const cell of row.cells) {
      this.takeCarried(line);
      const text = textOf(cell);
      const width = spanOf(cell, 'colspan');
      const height = Math.min(spanOf(cell, 'rowspan'), this.rows.length - index);
      const isWide = width >= this.columns;
      for (let i = 0; i < width; i++) {
        if (i > 0 && this.fillsLeft-- <= 0) break;
        if (height > 1 && this.fillsLeft > 0) this.carried.set(line.length, { text: isWide && i > 0 ? '' : text, rowsLeft: height - 1 });
        line.push(isWide && i > 0 ? '' : text);
      }
    }
    this.takeCarried(line);
    return line;
  }

  /** Fills the positions that cells of earlier rows cover. */
  private takeCarried(line: string[]): void {
    for (let above = this.carried.get(line.length); above; above = this.carried.get(line.length)) {
      if (--above.rowsLeft === 0 || this.fillsLeft-- <= 0) this.carried.delete(line.length);
      line.push(above.text);
    }
  }
}

function widthOf(row: TableRow): number {
  return row.cells.reduce((width, cell) => width + spanOf(cell, 'colspan'), 0);
}

function spanOf(cell: Element, name: 'colspan' | 'rowspan'): number {
  const value = Number.parseInt(cell.attribs[name] ?? '1', 10);
  return value >= 1 ? Math.min(value, SPAN_MAX) : 1;
}
