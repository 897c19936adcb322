// What the columns of rows hold, found in one pass over them: names and types, and for facets how often each value occurs. Pure.
import { hash } from 'node:crypto';
import { CELL_CHARS_MAX, DATA_COLUMNS_MAX, DISTINCT_MAX } from '@weft/contract';
import type { DataColumn, DataFacet } from '@weft/contract';
import type { FieldType } from '../schema.ts';
import { typeOf } from '../schema.ts';
import type { Cell } from './cell.ts';
import { cellOf, compareCells, orderedPart, shownCell } from './cell.ts';

/** How many columns and different values are told apart. */
export interface CountLimits {
  readonly columns: number;
  readonly distinctOfColumn: number;
  readonly distinctOfAll: number;
}

const LIMITS: CountLimits = { columns: DATA_COLUMNS_MAX, distinctOfColumn: DISTINCT_MAX.column, distinctOfAll: DISTINCT_MAX.all };

export interface ColumnsResult {
  /** In the order in which rows first name them. */
  readonly columns: readonly DataColumn[];
  readonly hasMoreColumns: boolean;
}

export interface FacetsResult {
  readonly rows: number;
  readonly columns: readonly DataFacet[];
  readonly hasMoreColumns: boolean;
}

/** The columns of the rows whose JSON `bodies` gives. */
export function findColumns(bodies: Iterable<string>, limits = LIMITS): ColumnsResult {
  const { columns, hasMoreColumns } = passOver(bodies, limits.columns, countTypes, (types, value) => noteType(types, value));
  return { columns: [...columns].map(([name, types]) => ({ name, types: byFrequency(types) })), hasMoreColumns };
}

/** The facets of the rows whose JSON `bodies` gives, with up to `top` frequent values each. */
export function findFacets(bodies: Iterable<string>, top: number, limits = LIMITS): FacetsResult {
  const room: Room = { limits, counted: 0, columns: [] };
  const begin = (): Counted => {
    const column: Counted = { types: countTypes(), values: new Map(), given: 0, filled: 0, min: undefined, max: undefined };
    room.columns.push(column);
    return column;
  };
  const { rows, columns, hasMoreColumns } = passOver(bodies, limits.columns, begin, (column, value) => {
    noteType(column.types, value);
    const cell = cellOf(value);
    if (cell !== undefined) noteCell(column, cell, room);
  });
  return { rows, columns: [...columns].map(([name, column]) => describe(name, column, top)), hasMoreColumns };
}

function passOver<Column>(
  bodies: Iterable<string>,
  columnsMax: number,
  begin: () => Column,
  note: (column: Column, value: unknown) => void,
) {
  const columns = new Map<string, Column>();
  let hasMoreColumns = false;
  let rows = 0;
  for (const body of bodies) {
    rows++;
    const row = JSON.parse(body) as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(row)) {
      let column = columns.get(name);
      if (column === undefined) {
        if (columns.size >= columnsMax) {
          hasMoreColumns = true;
          continue;
        }
        columns.set(name, (column = begin()));
      }
      note(column, row[name]);
    }
  }
  return { rows, columns, hasMoreColumns };
}

type TypeCounts = Map<FieldType, number>;
const countTypes = (): TypeCounts => new Map();

function noteType(types: TypeCounts, value: unknown): void {
  const type = typeOf(value);
  types.set(type, (types.get(type) ?? 0) + 1);
}

function byFrequency(types: TypeCounts): FieldType[] {
  return [...types].sort(([, a], [, b]) => b - a).map(([type]) => type);
}

interface Counted {
  readonly types: TypeCounts;
  /** How often each value occurs; undefined once there are too many. */
  values: Map<Cell, Value> | undefined;
  /** How many different ones there were when there were too many. */
  given: number;
  filled: number;
  min: Cell | undefined;
  max: Cell | undefined;
}

interface Value {
  readonly shown: Cell;
  count: number;
}

/** Where values of all columns are counted. */
interface Room {
  readonly limits: CountLimits;
  readonly columns: Counted[];
  counted: number;
}

function noteCell(column: Counted, cell: Cell, room: Room): void {
  column.filled++;
  const part = orderedPart(cell);
  if (column.min === undefined || compareCells(part, column.min) < 0) column.min = part;
  if (column.max === undefined || compareCells(part, column.max) > 0) column.max = part;
  const { values } = column;
  if (!values) return;
  const key = identityOf(cell);
  const known = values.get(key);
  if (known) {
    known.count++;
    return;
  }
  if (values.size >= room.limits.distinctOfColumn) return letGo(column, room);
  if (room.counted >= room.limits.distinctOfAll) {
    letGo(largestOf(room), room);
    if (!column.values) return;
  }
  values.set(key, { shown: shownCell(cell), count: 1 });
  room.counted++;
}

function letGo(column: Counted, room: Room): void {
  column.given = column.values?.size ?? 0;
  room.counted -= column.given;
  column.values = undefined;
}

function largestOf({ columns }: Room): Counted {
  return columns.reduce((one, other) => ((other.values?.size ?? 0) > (one.values?.size ?? 0) ? other : one));
}

/** What tells a value from others: a long text is not held for it. */
function identityOf(cell: Cell): Cell {
  return typeof cell === 'string' && cell.length > CELL_CHARS_MAX ? `${hash('sha256', cell)}${cell.length}` : cell;
}

function describe(name: string, { types, values, given, filled, min, max }: Counted, top: number): DataFacet {
  const frequent = [...(values?.values() ?? [])].sort((one, other) => other.count - one.count || compareCells(one.shown, other.shown));
  return {
    name,
    types: byFrequency(types),
    filled,
    distinct: values?.size ?? given,
    distinct_is_capped: values === undefined,
    ...(min === undefined || max === undefined ? {} : { min, max }),
    top: frequent.slice(0, top).map(({ shown, count }) => ({ value: shown, count })),
  };
}
