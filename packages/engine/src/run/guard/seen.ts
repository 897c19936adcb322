// What one run saw at one step: what a later run is held against.
import type { TargetBaseline } from '../../monitor/target/baseline.ts';
import type { PagePrint } from '../../page/page-print.ts';
import type { ElementPrint } from '../session.ts';
import { isMembers, membersFrom } from '../value.ts';

/** How often a field was there, and as what. */
export interface FieldSeen {
  readonly rows: number;
  readonly filled: number;
  /** By the kind of its value how many had it. */
  readonly kinds: Readonly<Record<string, number>>;
}

/** Fields and lengths of lists by their paths; the path of a list of rows is empty. */
export interface ShapeSeen {
  readonly fields: Readonly<Record<string, FieldSeen>>;
  readonly counts: Readonly<Record<string, number>>;
}

/** All that one run saw at one step; what it saw twice stands there once. */
export interface StepSeen {
  readonly elements: readonly ElementPrint[];
  readonly pages: readonly PagePrint[];
  readonly shape: ShapeSeen;
  /** How often the step gave a shape. */
  readonly times: number;
  /** What tells the element that was acted on apart, from the first run that saw it. */
  readonly target?: TargetBaseline | undefined;
}

/** What a good run saw at a step. */
export interface GoodReading {
  readonly runId: number;
  /** True where that run was given the same inputs: only then can lengths of lists be compared. */
  readonly isSameInputs: boolean;
  readonly seen: StepSeen;
}

/** The kind of a text with words and a number in it. */
export const NUMBERED = 'text with numbers';

/** More paths of an answer are not looked at. */
const PATHS_MAX = 200;
const DEPTH_MAX = 6;

export const NO_SHAPE: ShapeSeen = { fields: {}, counts: {} };

/** The shape of rows, or of what an answer holds. */
export function shapeOf(value: unknown): ShapeSeen {
  const fields = new Map<string, FieldSeen>();
  const counts = new Map<string, number>();
  collect(value, '', 0, { fields, counts });
  return { fields: membersFrom([...fields]), counts: membersFrom([...counts]) };
}

/** Both together. */
export function addShapes(a: ShapeSeen, b: ShapeSeen): ShapeSeen {
  const fields = new Map(Object.entries(a.fields));
  for (const [path, field] of Object.entries(b.fields)) fields.set(path, addFields(fields.get(path), field));
  return { fields: membersFrom([...fields]), counts: addCounts(a.counts, b.counts) };
}

interface Paths {
  readonly fields: Map<string, FieldSeen>;
  readonly counts: Map<string, number>;
}

function collect(value: unknown, path: string, depth: number, paths: Paths): void {
  if (depth > DEPTH_MAX) return;
  if (Array.isArray(value)) {
    paths.counts.set(path, (paths.counts.get(path) ?? 0) + value.length);
    for (const item of value) collect(item, path === '' ? '' : `${path}[]`, depth + 1, paths);
  } else if (isMembers(value)) {
    for (const [name, member] of Object.entries(value)) {
      // A map by ids: its members are data.
      if (/^\d+$/.test(name)) continue;
      const at = path === '' ? name : `${path}.${name}`;
      if (!paths.fields.has(at) && paths.fields.size >= PATHS_MAX) return;
      paths.fields.set(at, addFields(paths.fields.get(at), fieldOf(member)));
      collect(member, at, depth + 1, paths);
    }
  }
}

function fieldOf(value: unknown): FieldSeen {
  if (value === undefined || value === null || value === '') return { rows: 1, filled: 0, kinds: {} };
  return { rows: 1, filled: 1, kinds: { [kindOf(value)]: 1 } };
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  if (typeof value !== 'string') return typeof value;
  if (/^https?:\/\//.test(value)) return 'address';
  if (!/\d/.test(value)) return 'text';
  return isFigure(value) ? 'figure' : NUMBERED;
}

/** A number as it is written for people: with a currency or a unit, without words. Names of three letters with a number look the same. */
function isFigure(text: string): boolean {
  return !/\p{L}{4}/u.test(text);
}

function addFields(a: FieldSeen | undefined, b: FieldSeen): FieldSeen {
  if (!a) return b;
  return { rows: a.rows + b.rows, filled: a.filled + b.filled, kinds: addCounts(a.kinds, b.kinds) };
}

function addCounts(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  const sums = new Map(Object.entries(a));
  for (const [name, count] of Object.entries(b)) sums.set(name, (sums.get(name) ?? 0) + count);
  return membersFrom([...sums]);
}
