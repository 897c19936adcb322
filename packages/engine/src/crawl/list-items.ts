// The items of a list that several pages show, each of them once.
import type { FieldScalar, FieldValue, RecordItem } from '../records/list.ts';

/** Gathers items in the order in which they come. */
export class ListItems {
  /** Items of the pages so far, each once. */
  readonly all: RecordItem[] = [];
  /** How many were left out because they had come before. */
  repeated = 0;
  private readonly seen = new Set<string>();
  private readonly key: readonly string[];

  /** `key`: fields that tell an item from all others; an item without any of them is told by all that it says. */
  constructor(key: readonly string[]) {
    this.key = key;
  }

  /** Adds the items of one page; how many were new. */
  add(items: readonly RecordItem[]): number {
    const before = this.all.length;
    // Two rows of one table may say the same and be two things; with a key, and on a later page, they are one.
    const earlier = this.key.length > 0 ? this.seen : new Set(this.seen);
    for (const item of items) {
      const name = nameOf(item, this.key);
      if (earlier.has(name)) this.repeated++;
      else this.all.push(item);
      this.seen.add(name);
    }
    return this.all.length - before;
  }
}

function nameOf({ text, fields }: RecordItem, key: readonly string[]): string {
  const own = key.filter((name) => fields[name] !== undefined);
  const named = own.length > 0 ? own : Object.keys(fields).toSorted();
  const values = named.map((name) => [name, plainOf(fields[name] as FieldValue)]);
  return JSON.stringify(values.length > 0 ? values : text);
}

/** "3 minutes ago" says when the page was read, not what the item is. */
function plainOf(value: FieldValue): unknown {
  if (Array.isArray(value)) return value.map(plainOf);
  const scalar = value as FieldScalar;
  if (scalar.type === 'date' && scalar.secondsAgo !== undefined) return undefined;
  return scalar.type === 'url' || scalar.type === 'image' ? scalar.url : scalar.raw;
}
