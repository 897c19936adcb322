// Finds rows that a page shows in the JSON that its scripts were answered: which list they are, and which member each field is.
import { literalTemplate } from '../exchange/untrusted.ts';
import { isPathName, memberPath } from '../exchange/har-values.ts';
import { isMembers } from '../value.ts';

type Row = Readonly<Record<string, unknown>>;

/** Where rows stand in an answer. */
export interface RowMembers {
  /** The list, from `json` on, as a template calls it. */
  readonly path: string;
  /** By the name of a field the template that makes it of `item`. */
  readonly fields: Readonly<Record<string, string>>;
}

/** One row tells too little: any word of it stands somewhere. */
const ROWS_MIN = 2;
const DEPTH_MAX = 8;
const MEMBERS_MAX = 200;
const ANSWERS_MAX = 10;

/** The first list of `json` whose items are `rows`, each in its place and whole; undefined where none is. */
export function findRows(json: unknown, rows: readonly Row[]): RowMembers | undefined {
  if (rows.length < ROWS_MIN) return undefined;
  for (const { path, items } of listsIn(json, 'json', 0)) {
    if (items.length !== rows.length || !items.every(isMembers)) continue;
    const fields = fieldsOf(rows, items.map(leavesOf));
    if (fields) return { path, fields };
  }
  return undefined;
}

function* listsIn(value: unknown, path: string, depth: number): Generator<{ readonly path: string; readonly items: readonly unknown[] }> {
  if (depth > DEPTH_MAX) return;
  if (Array.isArray(value)) {
    yield { path, items: value };
    // Answers to several questions at once stand beside each other.
    if (value.length <= ANSWERS_MAX) for (const [place, item] of value.entries()) yield* listsIn(item, `${path}[${place}]`, depth + 1);
  } else if (isMembers(value))
    for (const [name, item] of Object.entries(value)) if (isPathName(name)) yield* listsIn(item, memberPath(path, name), depth + 1);
}

type Leaves = ReadonlyMap<string, unknown>;

/** All that an item says that is no list, by its path from `item` on. */
function leavesOf(item: unknown): Leaves {
  const leaves = new Map<string, unknown>();
  const visit = (value: unknown, path: string, depth: number): void => {
    if (leaves.size >= MEMBERS_MAX || depth > DEPTH_MAX || Array.isArray(value)) return;
    if (!isMembers(value)) return void leaves.set(path, value);
    for (const [name, inner] of Object.entries(value)) if (isPathName(name)) visit(inner, memberPath(path, name), depth + 1);
  };
  visit(item, 'item', 0);
  return leaves;
}

function fieldsOf(rows: readonly Row[], items: readonly Leaves[]): Record<string, string> | undefined {
  const fields: Record<string, string> = {};
  const paths = [...(items[0]?.keys() ?? [])];
  for (const name of new Set(rows.flatMap((row) => Object.keys(row)))) {
    const values = rows.map((row) => row[name]);
    const found = paths
      .map((path) =>
        templateOf(
          path,
          values,
          items.map((leaves) => leaves.get(path)),
        ),
      )
      .filter((template) => template !== undefined);
    // The less is put around a member, the less is by chance.
    const [best] = found.toSorted((a, b) => a.around - b.around);
    if (!best) return undefined;
    fields[name] = best.template;
  }
  return fields;
}

/** How `members` become `values`: as they are, or as text with the same words around each. */
function templateOf(
  path: string,
  values: readonly unknown[],
  members: readonly unknown[],
): { readonly template: string; readonly around: number } | undefined {
  if (values.every((value, place) => JSON.stringify(value ?? null) === JSON.stringify(members[place] ?? null)))
    return { template: `{{${path}}}`, around: 0 };
  const [first] = values;
  const [member] = members.map(textOf);
  if (typeof first !== 'string' || member === undefined || member === '') return undefined;
  const at = first.indexOf(member);
  if (at < 0) return undefined;
  const [before, behind] = [first.slice(0, at), first.slice(at + member.length)];
  const isSame = values.every(
    (value, place) => value === `${before}${textOf(members[place]) ?? ''}${behind}` && textOf(members[place]) !== undefined,
  );
  if (!isSame) return undefined;
  const template = before + behind === '' ? `{{${path} | append: ""}}` : `${literalTemplate(before)}{{${path}}}${literalTemplate(behind)}`;
  return { template, around: before.length + behind.length + 1 };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
}
