// One measured number, beside a rival's and the aim.

export interface BenchRow {
  /** What was measured: `links of 2,000 pages`. */
  readonly name: string;
  readonly value: number;
  /** `ms`, `pages/s`, `MB`, `F1`. */
  readonly unit: string;
  /** The program that did the same job in the same run. */
  readonly rival?: string;
  /** The rival's value, in `unit`. */
  readonly rivalValue?: number;
  /** `value` over `rivalValue`; left out, it is computed. */
  readonly ratio?: number;
  /** What we aim for, in words: `<= 0.5x`. */
  readonly target?: string;
}

export interface BenchOptions {
  /** All data instead of a fixed sample. */
  readonly full: boolean;
  /** Prints a part of a long run as soon as it is measured. */
  readonly say?: (line: string) => void;
}

/** What a file of bench/src/suites exports. */
export interface BenchSuite {
  /** Measures; rows come back in the order in which they are printed. */
  bench(options: BenchOptions): Promise<BenchRow[]>;
  /** True for a suite of minutes: it runs only when it is named. */
  readonly isSlow?: boolean;
}

const COLUMNS = ['name', 'value', 'unit', 'rival', 'rival value', 'ratio', 'target'] as const;
const NUMERIC = new Set<(typeof COLUMNS)[number]>(['value', 'rival value', 'ratio']);

/** The rows as an aligned table of plain text with a head line; numbers stand right, three significant digits below 100. */
export function formatRows(rows: readonly BenchRow[]): string {
  const table = [[...COLUMNS], ...rows.map(cellsOf)];
  const widths = COLUMNS.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  return table
    .map((cells) =>
      cells
        .map((cell, column) => pad(cell, column, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cellsOf(row: BenchRow): string[] {
  const ratio = row.ratio ?? (row.rivalValue ? row.value / row.rivalValue : undefined);
  const shownRatio = ratio === undefined ? '' : `${formatNumber(ratio)}x`;
  return [row.name, formatNumber(row.value), row.unit, row.rival ?? '', formatNumber(row.rivalValue), shownRatio, row.target ?? ''];
}

function pad(cell: string, column: number, width: number): string {
  const name = COLUMNS[column];
  return name !== undefined && NUMERIC.has(name) ? cell.padStart(width) : cell.padEnd(width);
}

function formatNumber(value: number | undefined): string {
  if (value === undefined) return '';
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));
}
