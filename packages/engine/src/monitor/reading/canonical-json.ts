// JSON as it is compared: the order of members means nothing, that of lists does.
import type { JsonValue } from '../../html/loose-json.ts';
import { isJsonObject, JSON_DEPTH_MAX } from '../../html/loose-json.ts';

/** `value` as text in lines, members sorted by their names. What nests more than JSON_DEPTH_MAX deep stands on one line in the order it came in. */
export function canonicalJson(value: JsonValue): string {
  return JSON.stringify(sorted(value, 0), null, 2);
}

/** The same on one line. */
export function canonicalLine(value: JsonValue): string {
  return JSON.stringify(sorted(value, 0));
}

function sorted(value: JsonValue, depth: number): JsonValue {
  if (depth >= JSON_DEPTH_MAX) return JSON.stringify(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => sorted(item, depth + 1));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member, depth + 1)]));
}
