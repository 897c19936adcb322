// Says what of a list came, went and changed, item by item.
import type { JsonValue } from '../../html/loose-json.ts';
import { isMembers } from '../../run/value.ts';

type Fields = Readonly<Record<string, JsonValue>>;
type Items = ReadonlyMap<string, Fields>;

const NAMED_MAX = 3;
const NAME_CHARS_MAX = 60;
/** Fields by which people know an item. */
const NAMES = ['title', 'name', 'headline', 'text'];

/** `2 new ("A", "B"), 1 gone ("C")`; undefined where either value is no list of items, or where only their order differs. */
export function wordsOfItemChanges(old: JsonValue | undefined, now: JsonValue | undefined): string | undefined {
  const [before, after] = [itemsOf(old), itemsOf(now)];
  if (!before || !after) return undefined;
  const fresh = [...after].filter(([key]) => !before.has(key));
  const gone = [...before].filter(([key]) => !after.has(key));
  const changed = [...after].filter(([key, item]) => before.has(key) && JSON.stringify(before.get(key)) !== JSON.stringify(item));
  const words = [said('new', fresh), said('gone', gone), said('changed', changed)].filter((each) => each !== undefined);
  return words.length > 0 ? words.join(', ') : undefined;
}

/** As `readList` gives them. */
function itemsOf(value: JsonValue | undefined): Items | undefined {
  if (!Array.isArray(value)) return undefined;
  const pairs = (value as readonly JsonValue[]).flatMap((each) =>
    isMembers(each) && typeof each['key'] === 'string' && isMembers(each['item']) ? [[each['key'], each['item'] as Fields] as const] : [],
  );
  return pairs.length === value.length ? new Map(pairs) : undefined;
}

function said(what: string, items: readonly (readonly [string, Fields])[]): string | undefined {
  if (items.length === 0) return undefined;
  const names = items.slice(0, NAMED_MAX).map(([key, item]) => `"${nameOf(key, item)}"`);
  const rest = items.length > NAMED_MAX ? ` and ${items.length - NAMED_MAX} more` : '';
  return `${items.length} ${what} (${names.join(', ')}${rest})`;
}

function nameOf(key: string, item: Fields): string {
  const words = NAMES.map((name) => item[name]).find((value) => typeof value === 'string' && value.trim() !== '') ?? key;
  const line = String(words).replace(/\s+/g, ' ').trim();
  return line.length > NAME_CHARS_MAX ? `${line.slice(0, NAME_CHARS_MAX).toWellFormed().trimEnd()}…` : line;
}
