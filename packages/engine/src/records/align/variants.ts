// Finds places of a template that are one place under several classes: `a.file` in one row, `a.folder` in the next.
import type { Leaf } from '../survey/leaves.ts';
import { wordsOf } from '../survey/classes.ts';

/** A step that ends in this stands for elements of its tag and classes, whatever other classes they have. */
const ANY = '*';
/** Variants of one place stand together in no more than this share of the items. */
const TOGETHER_MAX = 0.05;
/** A place that fewer items have is no field by itself. */
const FREQUENT_MIN = 0.3;

/** `items` with the paths of such places made equal. Steps below `td` are told apart by their column, so their classes say how a row looks. */
export function unifyVariants(items: readonly (readonly Leaf[])[]): readonly (readonly Leaf[])[] {
  const counts = new Map<string, number>();
  for (const leaves of items) for (const path of new Set(leaves.map((leaf) => leaf.path))) counts.set(path, (counts.get(path) ?? 0) + 1);
  const kinds = Map.groupBy(counts.keys(), tagsOf);
  const merged = new Map<string, string>();
  for (const variants of kinds.values()) {
    if (variants.length < 2) continue;
    const places = isOnePlace(variants, counts, items)
      ? [variants]
      : withMoreClasses(variants).filter((each) => isOnePlace(each, counts, items));
    for (const place of places) {
      const shared = sharedPath(place);
      for (const path of place) merged.set(path, shared);
    }
  }
  if (merged.size === 0) return items;
  return items.map((leaves) => leaves.map((leaf) => renamed(leaf, merged.get(leaf.path))));
}

/** Paths with those that have all of their classes and more: `a.name` and `a.name.new`, of which another `a` is no variant. */
function withMoreClasses(paths: readonly string[]): readonly (readonly string[])[] {
  const left = new Set(paths);
  const groups: string[][] = [];
  for (const path of paths.toSorted((a, b) => a.length - b.length)) {
    if (!left.has(path)) continue;
    const base = partsOf(path).steps;
    const group = [...left].filter((other) =>
      partsOf(other).steps.every(({ classes }, i) => {
        const own = base[i]?.classes ?? [];
        return own.every((token) => classes.includes(token)) && (own.length > 0 || classes.length === 0);
      }),
    );
    for (const each of group) left.delete(each);
    if (group.length > 1) groups.push(group);
  }
  return groups;
}

/** What only one variant is called names none of them. */
function renamed(leaf: Leaf, path: string | undefined): Leaf {
  if (path === undefined) return leaf;
  const shared = new Set(path.split(/[.>@*]/));
  return { ...leaf, path, classes: leaf.classes.filter((token) => shared.has(token)) };
}

/** `>div.card>a.name@href` -> `>div>a@href`. */
export function tagsOf(path: string): string {
  const { steps, attribute } = partsOf(path);
  return steps.map(({ tag }) => tag).join('>') + attribute;
}

/** True where `path` is what `general`, a path with open steps, stands for. */
export function isVariant(path: string, general: string): boolean {
  const [own, wide] = [partsOf(path), partsOf(general)];
  if (own.attribute !== wide.attribute || own.steps.length !== wide.steps.length) return false;
  return wide.steps.every((step, i) => {
    const { tag, classes } = own.steps[i] as Step;
    return (
      tag === step.tag && (step.open || classes.length === step.classes.length) && step.classes.every((token) => classes.includes(token))
    );
  });
}

/** True for a path with an open step. */
export function isGeneral(path: string): boolean {
  return path.includes(ANY);
}

interface Step {
  readonly tag: string;
  readonly classes: readonly string[];
  readonly open: boolean;
}

function partsOf(path: string): { readonly steps: readonly Step[]; readonly attribute: string } {
  const attribute = /@[\w-]+$/.exec(path)?.[0] ?? '';
  const steps = path.slice(0, path.length - attribute.length).split('>');
  return { attribute, steps: steps.map(stepOf) };
}

function stepOf(step: string): Step {
  const open = step.endsWith(ANY);
  const [tag = '', ...classes] = (open ? step.slice(0, -1) : step).split('.');
  return { tag, classes, open };
}

/** One place: the items have one variant or another, and the names are of one family, of one column, or made up row by row. */
function isOnePlace(variants: readonly string[], counts: ReadonlyMap<string, number>, items: readonly (readonly Leaf[])[]): boolean {
  const known = new Set(variants);
  const total = variants.reduce((sum, path) => sum + (counts.get(path) ?? 0), 0);
  if (total < items.length * FREQUENT_MIN) return false;
  const isRare = variants.every((path) => (counts.get(path) ?? 0) < items.length * FREQUENT_MIN);
  if (!isRare && !variants[0]?.startsWith('>td[') && !isFamily(variants)) return false;
  const together = items.filter((leaves) => new Set(leaves.filter(({ path }) => known.has(path)).map(({ path }) => path)).size > 1);
  return together.length <= items.length * TOGETHER_MAX;
}

/** True where the steps that differ share a class, or the words that theirs begin with. */
function isFamily(variants: readonly string[]): boolean {
  const [first, ...others] = variants.map((path) => partsOf(path).steps);
  return others.every((steps) => steps.every((step, i) => areKin(step.classes, first?.[i]?.classes ?? [])));
}

function areKin(a: readonly string[], b: readonly string[]): boolean {
  if (a.join('.') === b.join('.') || a.some((token) => b.includes(token))) return true;
  return a.some((token) => b.some((other) => stemOf(token) !== '' && stemOf(token) === stemOf(other)));
}

/** All words but the last: `mw-plusminus-pos` and `mw-plusminus-neg` are of one family. */
function stemOf(token: string): string {
  return wordsOf(token).slice(0, -1).join('-');
}

function sharedPath(variants: readonly string[]): string {
  const all = variants.map(partsOf);
  const steps = (all[0]?.steps ?? []).map(({ tag, classes }, i) => {
    const column = all.map(({ steps: own }) => own[i]?.classes ?? []);
    const shared = classes.filter((token) => column.every((tokens) => tokens.includes(token)));
    const isOpen = column.some((tokens) => tokens.length > shared.length);
    return [tag, ...shared].join('.') + (isOpen ? ANY : '');
  });
  return steps.join('>') + (all[0]?.attribute ?? '');
}
