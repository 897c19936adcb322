// Names for values of JSON: equal values have the same name, whatever the order of their members.
import { PageError } from '../errors.ts';
import type { JsonValue } from '../html/loose-json.ts';
import { JSON_DEPTH_MAX, isJsonObject } from '../html/loose-json.ts';

/** How many values within values are compared; more would take seconds. */
const VALUES_MAX = 2_000_000;

/** Names values, each part once: two values are equal exactly if they have the same name. */
export class Shapes {
  private readonly names = new Map<string, number>();
  private readonly known = new Map<object, number>();
  private seen = 0;

  /** Throws PageError, `page_too_complex`, for values that are nested too deeply, or too many. */
  nameOf(value: JsonValue, depth = 0): number {
    if (typeof value !== 'object' || value === null) return this.name(scalarText(value));
    const known = this.known.get(value);
    if (known !== undefined) return known;
    requireDepth(depth);
    this.seen += isJsonObject(value) ? Object.keys(value).length : (value as readonly JsonValue[]).length;
    if (this.seen > VALUES_MAX) throw new PageError('page_too_complex', `JSON of more than ${VALUES_MAX} values is not compared.`);
    const name = this.name(this.textOf(value, depth + 1));
    this.known.set(value, name);
    return name;
  }

  private textOf(value: JsonValue, depth: number): string {
    if (!isJsonObject(value)) return `[${(value as readonly JsonValue[]).map((item) => this.nameOf(item, depth)).join(',')}]`;
    const members = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${this.nameOf(value[key] ?? null, depth)}`);
    return `{${members.join(',')}}`;
  }

  private name(text: string): number {
    const name = this.names.get(text) ?? this.names.size;
    this.names.set(text, name);
    return name;
  }
}

/** Throws PageError, `page_too_complex`, at a depth that is not looked into. */
export function requireDepth(depth: number): void {
  if (depth >= JSON_DEPTH_MAX)
    throw new PageError('page_too_complex', `JSON that is nested deeper than ${JSON_DEPTH_MAX} levels is not compared.`);
}

/** Numbers are equal as numbers: minus zero is zero. */
function scalarText(value: JsonValue): string {
  return value === 0 ? '0' : JSON.stringify(value);
}
