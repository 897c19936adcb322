// Lines up the values of many items: which value of one record is the same field as which value of another.
import { type Leaf, isStruck } from '../survey/leaves.ts';
import { median, share } from '../group/shares.ts';

/** One place of the template, with what each item has there. */
export interface Slot {
  /** The leaf's path; `#2` behind it means the third value of that path. */
  readonly key: string;
  readonly kind: Leaf['kind'];
  readonly many: boolean;
  /** By item; empty where the item has nothing. */
  readonly values: readonly (readonly Leaf[])[];
  readonly filled: number;
}

const KEPT_MIN = 0.3;
const CONSTANT_MIN = 0.9;
const CONSTANT_ITEMS_MIN = 3;
const SLOTS_MAX = 60;
const PATHS_MAX = 300;
/** Repeated values become columns when this share of items has the same number of them, and lists otherwise. */
const REGULAR_MIN = 0.8;
const COLUMNS_MAX = 12;

/** The places that at least three in ten items fill, that carry an itemprop, or that are struck out, in reading order. */
export function alignLeaves(items: readonly (readonly Leaf[])[]): Slot[] {
  const paths = frequentPaths(items).toSorted((a, b) => a.position - b.position);
  const byItem = items.map((leaves) => Map.groupBy(leaves, ({ path }) => path));
  const slots = paths.flatMap(({ path }) =>
    slotsOf(
      path,
      byItem.map((leaves) => leaves.get(path) ?? []),
    ),
  );
  return slots.filter(isKept).slice(0, SLOTS_MAX);
}

/** Counted before anything is lined up, so that paths which occur once in a long list cost nothing. */
function frequentPaths(items: readonly (readonly Leaf[])[]): { path: string; position: number }[] {
  const seen = new Map<string, { items: number; positions: number; leaves: number; named: boolean }>();
  for (const leaves of items) {
    const own = new Set<string>();
    leaves.forEach(({ path, itemprop }, i) => {
      const counted = seen.get(path) ?? { items: 0, positions: 0, leaves: 0, named: false };
      seen.set(path, counted);
      if (!own.has(path)) counted.items++;
      own.add(path);
      counted.positions += i / leaves.length;
      counted.leaves++;
      counted.named ||= itemprop !== undefined || isStruck(path);
    });
  }
  const kept = [...seen].filter(([, counted]) => counted.items >= items.length * KEPT_MIN || counted.named);
  return kept.slice(0, PATHS_MAX).map(([path, counted]) => ({ path, position: counted.positions / counted.leaves }));
}

/** The path of a slot's key, and which of the values there it means: -1 for all. */
export function placeOf(key: string, many: boolean): { path: string; index: number } {
  const index = /#(\d+)$/.exec(key)?.[1];
  const path = index === undefined ? key : key.slice(0, -index.length - 1);
  return { path, index: many ? -1 : Number(index ?? 0) };
}

/** Text that nearly all items share is a label or a button, not a value. The first `own` items are of one page, those behind them of another: a text that is another one there is a value. */
export function isConstant(slot: Slot, own: number = slot.values.length): boolean {
  const pages = [slot.values, slot.values.slice(0, own), slot.values.slice(own)].map(commonest);
  const [all, ...each] = pages;
  if (!all || all.total < CONSTANT_ITEMS_MIN || all.count <= all.total * CONSTANT_MIN) return false;
  return each.every((page) => page.total === 0 || page.raw === all.raw);
}

/** The text that most of `values` have, how many that are, and of how many. */
function commonest(values: Slot['values']): { readonly raw: string | undefined; readonly count: number; readonly total: number } {
  const raws = values.flatMap((leaves) => leaves.map((leaf) => leaf.raw));
  const counts = new Map<string, number>();
  for (const raw of raws) counts.set(raw, (counts.get(raw) ?? 0) + 1);
  const count = Math.max(0, ...counts.values());
  return { raw: raws.find((raw) => counts.get(raw) === count), count, total: raws.length };
}

function slotsOf(path: string, values: readonly (readonly Leaf[])[]): Slot[] {
  const counts = values.map((leaves) => leaves.length).filter((count) => count > 0);
  const repeated = counts.filter((count) => count > 1).length;
  if (repeated < counts.length * 0.25)
    return [
      slotOf(
        path,
        false,
        values.map((leaves) => leaves.slice(0, 1)),
      ),
    ];
  const usual = median(counts);
  const regular = usual <= COLUMNS_MAX && counts.filter((count) => count === usual).length >= counts.length * REGULAR_MIN;
  if (!regular || usual === 1) return [slotOf(path, true, values)];
  return Array.from({ length: usual }, (_, i) =>
    slotOf(
      `${path}#${i}`,
      false,
      values.map((leaves) => leaves.slice(i, i + 1)),
    ),
  );
}

function slotOf(key: string, many: boolean, values: readonly (readonly Leaf[])[]): Slot {
  const filled = share(values, (leaves) => leaves.length > 0);
  return { key, kind: values.find((leaves) => leaves.length > 0)?.[0]?.kind ?? 'text', many, values, filled };
}

/** What is struck out in a few records is what makes them offers. */
function isKept(slot: Slot): boolean {
  return slot.filled >= KEPT_MIN || isStruck(slot.key) || slot.values.some((leaves) => leaves.some((leaf) => leaf.itemprop !== undefined));
}
