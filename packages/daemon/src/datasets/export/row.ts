// What the writers of all formats share: rows, and how a value is shown in one cell.

/** One record's data. */
export type Row = Readonly<Record<string, unknown>>;

/** A row of more than SMALL_ROW_BYTES, read when it is written. */
export interface LargeRow {
  /** Its JSON in parts, as text or UTF-8. */
  parts(): Iterable<string | Uint8Array>;
  /** Its JSON whole. */
  body(): string;
}

/** Records of one moment; each pass gives the same ones in the same order. */
export interface RowSource {
  /** JSON of each row. */
  rows(): Iterable<string | LargeRow>;
}

/** Rows up to this size are read whole. */
export const SMALL_ROW_BYTES = 65_536;

export interface Columns {
  readonly names: readonly string[];
  /** True where rows have more members than a table may have columns: the last column holds the others as JSON. */
  readonly hasRest: boolean;
  readonly rows: number;
  /** Whether a cell may be longer than a workbook's cells can be. */
  readonly hasLong: boolean;
}

/** Characters of one cell of a workbook (Excel's limit). */
export const CELL_CHARS_MAX = 32_767;

/** Spreadsheets and people get lost behind more. */
export const COLUMNS_MAX = 1000;
const REST = '(other)';
const ROWS_PER_BREATH = 1000;

/** The columns of all rows, in the order in which they are first named; reads every row once and lets others work in between. */
export async function findColumns(source: RowSource, columnsMax = COLUMNS_MAX): Promise<Columns> {
  const names = new Set<string>();
  let hasRest = false;
  let hasLong = false;
  let rows = 0;
  for (const row of source.rows()) {
    const members = parseRow(row);
    hasLong ||= isLongRow(row) && Object.values(members).some((value) => cellText(value).length > CELL_CHARS_MAX);
    for (const name of Object.keys(members))
      if (!names.has(name)) {
        if (names.size < columnsMax) names.add(name);
        else hasRest = true;
      }
    if (++rows % ROWS_PER_BREATH === 0) await breathe();
  }
  return { names: hasRest ? [...names, restName(names)] : [...names], hasRest, rows, hasLong };
}

/** Most rows are shorter as a whole than a cell can be, and this is the cheap way to know. */
function isLongRow(row: string | LargeRow): boolean {
  return typeof row !== 'string' || row.length > CELL_CHARS_MAX;
}

/** The columns of a few rows that are at hand. */
export function columnsOf(rows: readonly Row[]): Columns {
  return { names: [...new Set(rows.flatMap((row) => Object.keys(row)))], hasRest: false, rows: rows.length, hasLong: false };
}

/** A row's values in the order of the columns; undefined where it has none. */
export function cellsOf(row: Row, { names, hasRest }: Columns): unknown[] {
  if (!hasRest) return names.map((name) => valueOf(row, name));
  const own = names.slice(0, -1);
  const known = new Set(own);
  const rest = Object.entries(row).filter(([name]) => !known.has(name));
  return [...own.map((name) => valueOf(row, name)), rest.length > 0 ? Object.fromEntries(rest) : undefined];
}

/** A value as text: nothing for null, JSON for what is nested. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}

/** Records are objects; the store takes nothing else. */
export function parseRow(row: string | LargeRow): Row {
  return JSON.parse(typeof row === 'string' ? row : row.body()) as Row;
}

/** Gives the thread to whatever waits. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

function valueOf(row: Row, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}

function restName(names: ReadonlySet<string>): string {
  let name = REST;
  while (names.has(name)) name = `(${name})`;
  return name;
}
