// The difference of two values of JSON, field by field, and of two lists, item by item.
import type { ItemsDiff, JsonChange, JsonDiff } from '@weft/contract';
import type { JsonObject, JsonValue } from '../html/loose-json.ts';
import { isJsonObject } from '../html/loose-json.ts';
import { INEXACT } from './align.ts';
import { pairItems } from './pair-items.ts';
import { Shapes, requireDepth } from './shapes.ts';

/** What tells the items of lists apart. */
export interface ItemOptions {
  /** Names of members, together. Lists whose items have none of them, and all lists without it, are looked through for a member that does. */
  readonly key?: readonly string[];
}

/**
 * Where two values differ, in the order of the new one and then what was removed, container by container.
 * Throws PageError, `page_too_complex`, for values that are nested too deeply, or too many.
 */
export function diffJson(old: JsonValue, fresh: JsonValue, options: ItemOptions = {}): JsonDiff {
  const comparison = new JsonComparison(options);
  comparison.compare(old, fresh, '', '');
  return { kind: 'json', changes: comparison.changes, ...comparison.exactness };
}

/** Which items of a list are new, gone, changed or moved. Throws as `diffJson` does. */
export function diffItems(old: readonly JsonValue[], fresh: readonly JsonValue[], options: ItemOptions = {}): ItemsDiff {
  const comparison = new JsonComparison(options);
  const { pairs, gone, added, key, exact } = pairItems(old, fresh, comparison.shapes, options.key);
  const item = (items: readonly JsonValue[]) => (position: number) => ({ position, item: items[position] });
  const changed = pairs.flatMap((pair) => {
    const [before, after] = [old[pair.old] ?? null, fresh[pair.new] ?? null];
    const fields = comparison.changesOf(before, after);
    return fields.length === 0 ? [] : [{ old_position: pair.old, new_position: pair.new, old: before, new: after, fields }];
  });
  comparison.note(exact);
  return {
    kind: 'items',
    key: key === null ? null : [...key],
    added: added.map(item(fresh)),
    gone: gone.map(item(old)),
    changed,
    moved: pairs.filter(({ isMoved }) => isMoved).map((pair) => ({ old_position: pair.old, new_position: pair.new })),
    unchanged: pairs.length - changed.length,
    ...comparison.exactness,
  };
}

class JsonComparison {
  readonly shapes = new Shapes();
  private readonly key: readonly string[] | undefined;
  private found: JsonChange[] = [];
  private isExact = true;

  constructor({ key }: ItemOptions) {
    this.key = key;
  }

  get changes(): JsonChange[] {
    return this.found;
  }

  get exactness(): { exact: boolean; reason?: string } {
    return this.isExact ? { exact: true } : { exact: false, reason: INEXACT };
  }

  /** Remembers that a part was compared inexactly. */
  note(exact: boolean): void {
    this.isExact &&= exact;
  }

  /** Where two values differ, by pointers into them. */
  changesOf(old: JsonValue, fresh: JsonValue): JsonChange[] {
    this.found = [];
    this.compare(old, fresh, '', '');
    return this.found;
  }

  compare(old: JsonValue, fresh: JsonValue, oldPointer: string, pointer: string, depth = 0): void {
    // Minus zero is zero here, as in JSON.
    if (old === fresh) return;
    requireDepth(depth);
    if (isJsonObject(old) && isJsonObject(fresh)) this.compareMembers(old, fresh, oldPointer, pointer, depth);
    else if (isArray(old) && isArray(fresh)) this.compareItems(old, fresh, oldPointer, pointer, depth);
    else this.found.push({ kind: 'changed', pointer, old, new: fresh });
  }

  private compareMembers(old: JsonObject, fresh: JsonObject, oldPointer: string, pointer: string, depth: number): void {
    for (const name of Object.keys(fresh)) {
      const [before, value] = [Object.hasOwn(old, name) ? old[name] : undefined, fresh[name] ?? null];
      if (before === value) continue;
      const step = `/${escapePointer(name)}`;
      if (before === undefined) this.found.push({ kind: 'added', pointer: pointer + step, new: value });
      else this.compare(before, value, oldPointer + step, pointer + step, depth + 1);
    }
    for (const name of Object.keys(old))
      if (!Object.hasOwn(fresh, name))
        this.found.push({ kind: 'removed', pointer: `${oldPointer}/${escapePointer(name)}`, old: old[name] });
  }

  private compareItems(old: readonly JsonValue[], fresh: readonly JsonValue[], oldPointer: string, pointer: string, depth: number): void {
    const { pairs, gone, added, exact } = pairItems(old, fresh, this.shapes, this.key);
    this.note(exact);
    for (const pair of pairs) {
      const [from, at] = [`${oldPointer}/${pair.old}`, `${pointer}/${pair.new}`];
      if (pair.isMoved) this.found.push({ kind: 'moved', pointer: at, from });
      this.compare(old[pair.old] ?? null, fresh[pair.new] ?? null, from, at, depth + 1);
    }
    for (const place of added) this.found.push({ kind: 'added', pointer: `${pointer}/${place}`, new: fresh[place] });
    for (const place of gone) this.found.push({ kind: 'removed', pointer: `${oldPointer}/${place}`, old: old[place] });
  }
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
